/* Reads a member's QSOs: lists them in the order of their changes, by which clients synchronise,
 * and finds them by clientId or id. qsos_save.c and qsos_delete.c write QSOs; log.c lists QSOs by
 * the time of the contact. */
#include "store/log/qsos.h"

#include "base/uuid.h"
#include "store/store.h"

static const struct read_column position_columns[] =
    COLUMNS(COLUMN(position, synced_at_ms, "synced_at"), COLUMN(position, id, "id"));

enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_QSOS, BIND("member_id", member_id),
                                        BIND("synced_at", after.synced_at_ms), BIND("id", after.id),
                                        BIND("limit", limit));
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_list_qsos_by_id(struct store *store, int64_t member_id, int64_t after,
                                        int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_QSOS_BY_ID, BIND("member_id", member_id),
                   BIND("id", after), BIND("limit", limit));
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_skip_qsos(struct store *store, int64_t member_id, int64_t count,
                                  struct position *position)
{
    return store_find(store, position_columns, NULL, position, STATEMENT_SKIP_QSOS,
                      BIND("member_id", member_id), BIND("synced_at", position->synced_at_ms),
                      BIND("id", position->id), BIND("before_last", count - 1));
}

enum store_result store_count_qsos(struct store *store, int64_t member_id, int64_t *count)
{
    return store_find_integer(store, "qsos", count, STATEMENT_COUNT_MEMBER_QSOS,
                              BIND("member_id", member_id));
}

enum store_result store_list_ids(struct store *store, int64_t member_id, id_visitor *visit,
                                 void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_IDS, BIND("member_id", member_id));
    const int id = database_find_column(list, "id"),
              client_id = database_find_column(list, "client_id");
    enum store_result result = STORE_DONE;
    bool continues = true;
    while (continues && database_next(store->database, list, &result))
        continues = visit(context, sqlite3_column_int64(list->handle, id),
                          sqlite3_column_blob(list->handle, client_id));
    sqlite3_reset(list->handle);
    return result;
}

/* Reads the QSO in the statement's row, with its texts in the arena. Returns `refused` if the QSO
 * belongs to another member. */
static enum store_result find_qso(struct store *store, struct statement *find, int64_t member_id,
                                  enum store_result refused, struct arena *arena, struct qso *out)
{
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE && database_read_integer(find, "member_id") != member_id)
        result = refused;
    if (result == STORE_DONE) {
        columns_read_qso(&store->columns, find, out);
        columns_keep_texts(out, arena);
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[UUID_BYTES], struct arena *arena,
                                 struct qso *out)
{
    return find_qso(
        store, store_with(store, STATEMENT_FIND_QSO, BIND_BLOB("client_id", client_id, UUID_BYTES)),
        member_id, STORE_CONFLICT, arena, out);
}

enum store_result store_find_own_qso(struct store *store, int64_t member_id, int64_t id,
                                     struct arena *arena, struct qso *out)
{
    return find_qso(
        store,
        store_with(store, STATEMENT_FIND_OWN_QSO, BIND("member_id", member_id), BIND("id", id)),
        member_id, STORE_NONE, arena, out);
}

enum store_result store_find_qso_by_id_and_time(struct store *store, int64_t member_id, int64_t id,
                                                int64_t created_at_ms, struct arena *arena,
                                                struct qso *out)
{
    enum store_result result =
        find_qso(store, store_with(store, STATEMENT_FIND_QSO_BY_ID_AND_TIME, BIND("id", id)),
                 member_id, STORE_NONE, arena, out);
    return result == STORE_DONE && out->values[FIELD_CREATED_AT].integer != created_at_ms
               ? STORE_NONE
               : result;
}

ROW_READER(position_columns, STATEMENT_FIND_NEXT_QSO);

enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by)
{
    struct statement *find = store_with(
        store, STATEMENT_FIND_NEXT_QSO, BIND("member_id", member_id), BIND("before", before_ms),
        BIND("synced_at", position->synced_at_ms), BIND("id", position->id));
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        database_read(find, position_columns, NULL, position);
        *confirmed_by = database_read_integer(find, "confirmed_by");
    }
    sqlite3_reset(find->handle);
    return result;
}
