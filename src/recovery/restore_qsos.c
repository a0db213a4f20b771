/* Restores a member's QSOs from the backup. Each slice of QSOs is first compared with the log in a
 * snapshot, and is written only if it differs. */
#include <stdint.h>

#include "base/clock.h"
#include "base/progress.h"
#include "qso/content.h"
#include "recovery/restore_work.h"
#include "recovery/sound.h"
#include "store/log/known.h"
#include "store/log/leftovers.h"
#include "store/log/logbook.h"
#include "store/log/makers.h"
#include "store/log/qsos.h"
#include "store/log/qsos_save.h"
#include "store/log/room.h"
#include "store/storage.h"
#include "store/store.h"

static enum store_result find_present(struct work *work, const struct qso *qso, struct qso *present)
{
    const struct value *client_id = &qso->values[FIELD_CLIENT_ID];
    if (client_id->state == VALUE_PRESENT)
        return store_find_qso(work->store, work->member->id, (const unsigned char *)client_id->text,
                              &work->slice, present);
    return store_find_qso_by_id_and_time(
        work->store, work->member->id, qso->values[FIELD_ID].integer,
        qso->values[FIELD_CREATED_AT].integer, &work->slice, present);
}

/* The state while data about a QSO is copied to the QSO's new id. */
struct copying {
    struct work *work;
    int64_t id;
    enum store_result result;
};

static void copy_record(void *context, const struct known_row *row)
{
    struct copying *copying = context;
    THEN(copying->result, store_write_known(&copying->work->transaction, copying->work->member->id,
                                            copying->id, false, row));
}

static void copy_program_id(void *context, struct contact_id id)
{
    struct copying *copying = context;
    THEN(copying->result, store_write_program_id(&copying->work->transaction,
                                                 copying->work->member->id, copying->id, id));
}

static enum store_result copy_known(struct work *work, int64_t old_id, int64_t id)
{
    struct copying copying = {.work = work, .id = id};
    enum store_result result =
        store_list_known(work->candidate, work->in_backup.id, old_id, copy_record, &copying);
    THEN(result, store_list_programs(work->candidate, work->in_backup.id, old_id, copy_program_id,
                                     &copying));
    return THEN(result, copying.result);
}

/* Writes a QSO from the backup to the log. Fields that the service itself sets are omitted, except
 * the id of a QSO without a clientId. Thus the QSO is not published as a spot again, and its
 * confirmation is evaluated again. */
static enum store_result write_back(struct work *work, const struct qso *qso, struct text leftovers,
                                    bool is_there)
{
    struct qso written = *qso;
    struct saved_qso saved;
    struct text maker;
    bool by_id = qso->values[FIELD_CLIENT_ID].state != VALUE_PRESENT;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!content_has(&fields[i]) && !(i == FIELD_ID && by_id))
            written.values[i] = (struct value){.state = VALUE_OMITTED};
    enum store_result result =
        store_save_qso(&work->transaction, &work->identity, &written, leftovers, &saved);
    if (is_there)
        return result;
    THEN(result, store_run(work->store, STATEMENT_UPDATE_CREATED_AT, BIND("id", saved.id),
                           BIND("created_at", qso->values[FIELD_CREATED_AT].integer)));
    /* in a station's log, the maker is the operator who logged the QSO */
    THEN(result, store_find_maker(work->candidate, &work->slice, work->in_backup.id,
                                  qso->values[FIELD_ID].integer, &maker));
    THEN(result, makers_note(&work->transaction, work->member->id, saved.id, maker));
    return THEN(result, copy_known(work, qso->values[FIELD_ID].integer, saved.id));
}

/* Finds the QSO's extra fields in the backup. Stores in *are_missing whether the backup has extra
 * fields, and the current QSO has other extra fields or none. */
static enum store_result compare_leftovers(struct work *work, const struct qso *qso,
                                           const struct qso *present, struct text *leftovers,
                                           bool *are_missing)
{
    struct text kept = {0};
    enum store_result result =
        store_find_leftovers(work->candidate, work->in_backup.id, qso->values[FIELD_ID].integer,
                             &work->slice, leftovers);
    if (result == STORE_DONE && leftovers->length > 0 && present)
        result = store_find_leftovers(work->store, work->member->id,
                                      present->values[FIELD_ID].integer, &work->slice, &kept);
    *are_missing = leftovers->length > 0 && !text_equals(*leftovers, kept);
    return result;
}

/* Omits the extra fields if the member's storage has no room for them. */
static enum store_result make_room(struct work *work, struct text *leftovers, bool *are_missing)
{
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (*are_missing && work->writes)
        result = store_make_room(&work->transaction, work->member->id,
                                 STORAGE_OF_LEFTOVERS + (int64_t)leftovers->length, &fits);
    if (fits)
        return result;
    work->tally.without_fields++;
    *leftovers = (struct text){0};
    *are_missing = false;
    return result;
}

static void compare_qso(void *context, const struct qso *qso)
{
    struct work *work = context;
    struct qso present;
    struct text leftovers;
    bool are_missing;
    work->count++;
    work->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
    if (work->result != STORE_DONE)
        return;
    if (!sound_is_qso(qso)) {
        work->tally.damaged++;
        return;
    }
    enum store_result result = find_present(work, qso, &present);
    bool is_there = result == STORE_DONE;
    int64_t *tally = is_there ? &work->tally.changed_back : &work->tally.restored;
    enum store_result compared =
        compare_leftovers(work, qso, is_there ? &present : NULL, &leftovers, &are_missing);
    THEN(compared, make_room(work, &leftovers, &are_missing));
    if (compared != STORE_DONE)
        result = compared;
    else if (is_there && content_is_equal(qso, &present) && !are_missing)
        tally = &work->tally.unchanged;
    else if ((is_there || result == STORE_NONE))
        result = work->writes ? write_back(work, qso, leftovers, is_there) : STORE_DONE;
    if (result == STORE_CONFLICT || result == STORE_REFUSED) {
        tally = result == STORE_CONFLICT ? &work->tally.left : &work->tally.damaged;
        result = STORE_DONE;
    }
    ++*tally;
    work->result = result;
}

static enum store_result compare_slice(struct work *work, struct position after)
{
    work->count = 0;
    work->tally = (struct restored_log){0};
    work->result = STORE_DONE;
    enum store_result result = store_list_qsos(work->candidate, work->in_backup.id, after,
                                               RESTORE_SLICE, compare_qso, work);
    arena_reset(&work->slice);
    return THEN(result, work->result);
}

/* Restores a slice of QSOs. The slice is first compared in a snapshot, so that nobody waits for the
 * lock if nothing differs. */
static enum store_result restore_slice(struct work *work, struct position after)
{
    int64_t now_ms = clock_wall_ms();
    work->writes = false;
    enum store_result result = store_begin_read(work->store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = compare_slice(work, after);
    store_end_read(work->store);
    if (result != STORE_DONE || work->tally.restored + work->tally.changed_back == 0)
        return result;
    result = restore_work_begin_slice(work);
    if (result != STORE_DONE)
        return result;
    work->writes = true;
    return store_finish(&work->transaction, compare_slice(work, after));
}

enum store_result restore_qsos(struct work *work, struct restored_log *out)
{
    struct position after = {0};
    int64_t done = 0;
    progress_begin("restoring the log");
    do {
        enum store_result result = restore_slice(work, after);
        if (result != STORE_DONE)
            return result;
        out->restored += work->tally.restored;
        out->changed_back += work->tally.changed_back;
        out->without_fields += work->tally.without_fields;
        out->unchanged += work->tally.unchanged;
        out->left += work->tally.left;
        out->damaged += work->tally.damaged;
        after = work->last;
        done += work->count;
        progress_step(done, work->in_backup.qso_count);
    } while (work->count == RESTORE_SLICE);
    return STORE_DONE;
}
