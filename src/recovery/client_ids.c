/* Assigns clientIds to QSOs from before synchronisation when one member's log is restored. Without
 * clientIds, a later run could not recognise the QSOs that an earlier run restored. A clientId is
 * derived from the ids of the member and the QSO, and from the times when both were added. */
#include "recovery/client_ids.h"

#include <string.h>

#include "base/buffer.h"
#include "base/format.h"
#include "base/uuid.h"
#include "store/log/qsos.h"
#include "store/log/known.h"
#include "store/store.h"

#define NAME_BYTES 96

static const unsigned char namespace[UUID_BYTES] = {0x8c, 0x3f, 0x5e, 0x21, 0x0b, 0x74, 0x4d, 0x9a,
                                                    0x96, 0x5d, 0x1e, 0xc2, 0x70, 0x38, 0xaf, 0x46};

enum store_result client_ids_find_qso(struct store *store, int64_t id,
                                      struct qso_without_client_id *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(qso_without_client_id, member_id, "member_id"),
                COLUMN(qso_without_client_id, created_at_ms, "created_at"));
    return store_find(store, columns, NULL, out, STATEMENT_FIND_QSO_BY_ID_AND_TIME, BIND("id", id));
}

static bool keep_without_client_id(void *context, int64_t id, const unsigned char *client_id)
{
    if (!client_id)
        buffer_append(context, &id, sizeof id);
    return true;
}

static enum store_result name_if_missing(struct store *candidate, const struct member *in_backup,
                                         struct store *store, const struct member *member,
                                         int64_t id)
{
    unsigned char uuid[UUID_BYTES];
    char name[NAME_BYTES];
    struct qso_without_client_id found, present = {0};
    enum store_result result = client_ids_find_qso(candidate, id, &found);
    THEN(result, client_ids_find_qso(store, id, &present));
    if (result != STORE_NONE &&
        (result != STORE_DONE ||
         (present.member_id == member->id && present.created_at_ms == found.created_at_ms)))
        return result;
    format_cut(name, sizeof name, "%lld|%lld|%lld|%lld", (long long)in_backup->id,
               (long long)in_backup->created_at_ms, (long long)id, (long long)found.created_at_ms);
    uuid_make_named(namespace, text_of(name), uuid);
    return store_run(candidate, STATEMENT_UPDATE_CLIENT_ID, BIND("id", id),
                     BIND_BLOB("client_id", uuid, sizeof uuid));
}

enum store_result client_ids_assign(struct store *candidate, const struct member *in_backup,
                                    struct store *store, const struct member *member)
{
    struct buffer ids = {0};
    enum store_result result =
        store_list_ids(candidate, in_backup->id, keep_without_client_id, &ids);
    for (size_t i = 0; i < ids.length; i += sizeof(int64_t)) {
        int64_t id;
        memcpy(&id, ids.bytes + i, sizeof id);
        THEN(result, name_if_missing(candidate, in_backup, store, member, id));
    }
    buffer_free(&ids);
    return result;
}
