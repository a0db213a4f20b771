/* Deletes QSOs in a member's log that the backup lacks. The QSOs are listed in one snapshot, and
 * deleted in slices. */
#include <stdint.h>

#include "base/clock.h"
#include "base/progress.h"
#include "base/uuid.h"
#include "recovery/client_ids.h"
#include "recovery/restore_work.h"
#include "store/log/logbook.h"
#include "store/log/qsos.h"
#include "store/log/qsos_delete.h"
#include "store/store.h"

static enum store_result find_in_backup(struct work *work, int64_t id,
                                        const unsigned char *client_id)
{
    struct qso_without_client_id nameless = {0};
    enum store_result result =
        client_id
            ? store_find_integer(work->candidate, "member_id", &nameless.member_id,
                                 STATEMENT_FIND_QSO, BIND_BLOB("client_id", client_id, UUID_BYTES))
            : client_ids_find_qso(work->candidate, id, &nameless);
    return result == STORE_DONE && nameless.member_id != work->in_backup.id ? STORE_NONE : result;
}

/* Lists a QSO for deletion if the backup lacks the QSO. QSOs logged since the restore began are not
 * deleted. */
static bool list_if_missing(void *context, int64_t id, const unsigned char *client_id)
{
    struct work *work = context;
    enum store_result result =
        id > work->last_id ? STORE_DONE : find_in_backup(work, id, client_id);
    if (result == STORE_NONE)
        buffer_append(&work->to_delete, &id, sizeof id);
    else
        work->result = result;
    return result == STORE_NONE || result == STORE_DONE;
}

static enum store_result list_to_delete(struct work *work)
{
    int64_t now_ms = clock_wall_ms();
    work->result = STORE_DONE;
    enum store_result result = store_begin_read(work->store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = store_list_ids(work->store, work->member->id, list_if_missing, work);
    store_end_read(work->store);
    return THEN(result, work->result);
}

static enum store_result delete_listed(struct work *work, struct restored_log *out)
{
    const int64_t *id = (const int64_t *)(const void *)work->to_delete.bytes, *first = id;
    const int64_t *end = id + work->to_delete.length / sizeof *id;
    enum store_result result = STORE_DONE;
    progress_begin("deleting QSOs that the backup lacks");
    while (id < end && result == STORE_DONE) {
        int64_t deleted = 0;
        result = restore_work_begin_slice(work);
        if (result != STORE_DONE)
            return result;
        for (int i = 0; i < RESTORE_SLICE && id < end && result == STORE_DONE; i++) {
            result = qsos_delete_own(&work->transaction, &work->identity, *id++);
            deleted += result == STORE_DONE;
            result = result == STORE_NONE ? STORE_DONE : result; /* the QSO was deleted meanwhile */
        }
        result = store_finish(&work->transaction, result);
        out->deleted += result == STORE_DONE ? deleted : 0;
        progress_step(id - first, end - first);
    }
    return result;
}

enum store_result restore_deletions(struct work *work, struct restored_log *out)
{
    enum store_result result = list_to_delete(work);
    return THEN(result, delete_listed(work, out));
}
