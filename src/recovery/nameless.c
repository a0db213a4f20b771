/* Gives a clientId to QSOs from before synchronisation, when one log is restored: without one they
 * could not be told from those that are there. It is made of the QSO's id and of moments that
 * nobody else knows. Records of files get theirs in src/adif/naming.c. */
#include "recovery/nameless.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/uuid.h"
#include "recovery/id_list.h"
#include "store/qsos.h"
#include "store/store.h"

#define NAME_BYTES 96

static const unsigned char namespace[UUID_BYTES] = {0x8c, 0x3f, 0x5e, 0x21, 0x0b, 0x74, 0x4d, 0x9a,
                                                    0x96, 0x5d, 0x1e, 0xc2, 0x70, 0x38, 0xaf, 0x46};

enum store_result nameless_find(struct store *store, int64_t id, int64_t *member_id,
                                int64_t *created_at_ms)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_NAMELESS_QSO);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        *member_id = database_read_integer(find, "member_id");
        *created_at_ms = database_read_integer(find, "created_at");
    }
    sqlite3_reset(find->handle);
    return result;
}

static bool keep_nameless(void *context, int64_t id, const unsigned char *client_id)
{
    if (!client_id)
        id_list_add(context, id);
    return true;
}

static enum store_result name_qso(struct store *candidate, const struct member *former, int64_t id,
                                  int64_t created_at_ms)
{
    unsigned char uuid[UUID_BYTES];
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%lld|%lld|%lld|%lld", (long long)former->id,
             (long long)former->created_at_ms, (long long)id, (long long)created_at_ms);
    uuid_make_named(namespace, text_of(name), uuid);
    struct statement *update = database_statement(candidate->database, STATEMENT_UPDATE_CLIENT_ID);
    database_bind_integer(update, ":id", id);
    database_bind_blob(update, ":client_id", uuid, sizeof uuid);
    return database_run(candidate->database, update);
}

static enum store_result name_if_missing(struct store *candidate, const struct member *former,
                                         struct store *store, const struct member *member,
                                         int64_t id)
{
    int64_t owner, created_at_ms, present_owner = 0, present_ms = 0;
    enum store_result result = nameless_find(candidate, id, &owner, &created_at_ms);
    if (result == STORE_DONE)
        result = nameless_find(store, id, &present_owner, &present_ms);
    if (result == STORE_DONE && present_owner == member->id && present_ms == created_at_ms)
        return STORE_DONE;
    return result == STORE_DONE || result == STORE_NONE
               ? name_qso(candidate, former, id, created_at_ms)
               : result;
}

enum store_result nameless_name_missing(struct store *candidate, const struct member *former,
                                        struct store *store, const struct member *member)
{
    struct id_list nameless = {0};
    enum store_result result = store_list_ids(candidate, former->id, keep_nameless, &nameless);
    for (size_t i = 0; i < nameless.count && result == STORE_DONE; i++)
        result = name_if_missing(candidate, former, store, member, nameless.ids[i]);
    free(nameless.ids);
    return result;
}
