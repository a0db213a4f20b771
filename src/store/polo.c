/* Keeps what PoLo sends, and finds what it is to be given. The log itself, the tombstones and what
 * is kept for PoLo alone are three places; of a record that is in several, the latest stamp counts,
 * so that a deletion, an undo or a change elsewhere needs to know nothing of PoLo. */
#include "store/polo.h"

#include <string.h>

#include "store/qsos.h"
#include "store/store.h"

#define BYTES_OF_A_REASON 100 /* what a record counts that there is no room for */
#define REASONS_BYTES_MAX (POLO_BYTES_MAX + 1000 * BYTES_OF_A_REASON)
#define LIMIT_MAX 200
#define LATEST_MS 253402300799999 /* the end of the year 9999; no phone's clock is beyond */

static void bind_uuid(struct statement *statement, const unsigned char uuid[UUID_BYTES])
{
    database_bind_blob(statement, ":uuid", uuid, UUID_BYTES);
}

static struct statement *about(struct store *store, enum statement_name name, int64_t member_id,
                               enum polo_kind kind, const unsigned char uuid[UUID_BYTES])
{
    struct statement *statement = store_member_statement(store, name, member_id);
    database_bind_integer(statement, ":kind", kind);
    bind_uuid(statement, uuid);
    return statement;
}

/* -- Requests ---------------------------------------------------------------------------------- */

static void read_sent(const struct statement *row, struct arena *arena, struct polo_sent *out)
{
    const int64_t updated_ms = database_read_integer(row, "updated_at");
    *out = (struct polo_sent){
        .body = database_keep_text(row, "body", arena),
        .uuid = database_keep_text(row, "uuid", arena),
        .updated_ms = updated_ms < LATEST_MS ? updated_ms : LATEST_MS,
        .qso_at_ms = database_read_integer(row, "qso_at"),
        .is_deleted = database_read_integer(row, "deleted") != 0,
        .is_event = database_read_integer(row, "is_event") != 0,
        .day = database_keep_text(row, "day", arena),
        .time = database_keep_text(row, "time", arena),
        .frequency = database_keep_text(row, "frequency", arena),
        .band = database_keep_text(row, "band", arena),
        .mode = database_keep_text(row, "mode", arena),
        .station = database_keep_text(row, "station", arena),
        .worked = database_keep_text(row, "worked", arena),
        .rst_sent = database_keep_text(row, "rst_sent", arena),
        .rst_received = database_keep_text(row, "rst_received", arena),
        .my_locator = database_keep_text(row, "my_locator", arena),
        .dx_locator = database_keep_text(row, "dx_locator", arena),
        .tx_power = database_keep_text(row, "tx_power", arena),
        .notes = database_keep_text(row, "notes", arena),
    };
}

enum store_result store_polo_read_sent(struct store *store, struct text request, const char *path,
                                       struct arena *arena, struct polo_sent **out, size_t *count)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_POLO_SENT);
    struct buffer sent = {0};
    struct polo_sent one;
    enum store_result result = STORE_DONE;
    database_bind_text(list, ":body", request);
    database_bind_text(list, ":path", text_of(path));
    while (database_next(store->database, list, &result)) {
        read_sent(list, arena, &one);
        buffer_append(&sent, &one, sizeof one);
    }
    *count = sent.length / sizeof one;
    *out = arena_allocate(arena, sent.length + 1);
    for (size_t i = 0; i < *count; i++)
        memcpy(&(*out)[i], sent.bytes + i * sizeof one, sizeof one);
    buffer_free(&sent);
    return result;
}

/* The names of a wish's columns: since, until, own, limit, unsent. */
static void read_wish(const struct statement *row, const char *const names[5],
                      struct polo_wish *out)
{
    out->goes_back = !database_is_null(row, names[1]);
    out->is_there = out->goes_back || !database_is_null(row, names[0]);
    out->after_ms = database_read_integer_or(row, names[0], INT64_MIN);
    out->before_ms = database_read_integer_or(row, names[1], INT64_MAX);
    out->wants_own = database_read_integer_or(row, names[2], 1) != 0;
    out->limit = database_read_integer_or(row, names[3], LIMIT_MAX);
    if (out->limit < 1 || out->limit > LIMIT_MAX)
        out->limit = LIMIT_MAX;
    out->unsent = database_read_integer(row, names[4]);
}

enum store_result store_polo_read_question(struct store *store, struct text request,
                                           struct arena *arena, struct polo_question *out)
{
    static const char *const names[2][5] = {
        {"operations_since", "operations_until", "operations_own", "operations_limit",
         "unsent_operations"},
        {"qsos_since", "qsos_until", "qsos_own", "qsos_limit", "unsent_qsos"}};
    struct statement *read = database_statement(store->database, STATEMENT_READ_POLO_QUESTION);
    database_bind_text(read, ":body", request);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE) {
        for (int kind = 0; kind < 2; kind++)
            read_wish(read, names[kind], &out->wishes[kind]);
        out->settings = database_keep_text(read, "settings", arena);
    }
    sqlite3_reset(read->handle);
    return result;
}

/* -- The account ------------------------------------------------------------------------------- */

enum store_result store_polo_read_account(struct store *store, int64_t token, struct arena *arena,
                                          struct polo_account *out)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_POLO_ACCOUNT);
    database_bind_integer(read, ":id", token);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE)
        *out = (struct polo_account){
            .callsign = database_keep_text(read, "callsign", arena),
            .uuid = database_keep_text(read, "account", arena),
            .operation = database_keep_text(read, "operation", arena),
            .phone_epoch = database_read_integer(read, "polo_epoch"),
            .log_epoch = database_read_integer(read, "log_epoch"),
        };
    sqlite3_reset(read->handle);
    return result;
}

enum store_result store_polo_note_epoch(struct transaction *transaction, int64_t token)
{
    struct database *database = transaction->store->database;
    struct statement *update = database_statement(database, STATEMENT_UPDATE_POLO_EPOCH);
    database_bind_integer(update, ":id", token);
    return database_run(database, update);
}

enum store_result store_polo_add_operation(struct transaction *transaction, int64_t member_id,
                                           const unsigned char uuid[UUID_BYTES], struct text body)
{
    struct store *store = transaction->store;
    struct statement *insert =
        store_member_statement(store, STATEMENT_INSERT_POLO_OPERATION, member_id);
    bind_uuid(insert, uuid);
    database_bind_integer(insert, ":synced_at", transaction->stamp_ms);
    database_bind_integer(insert, ":bytes", (int64_t)body.length);
    database_bind_text(insert, ":body", body);
    return database_run(store->database, insert);
}

/* -- One record -------------------------------------------------------------------------------- */

/* If two have one stamp, what the phone has sent is what was written there. */
static void find_place(const struct statement *row, struct polo_state *out)
{
    const bool is_kept = out->was_sent && database_is_null(row, "kept_edit");
    const int64_t logged_ms = database_read_integer(row, "logged_at"),
                  deleted_ms = database_read_integer(row, "deleted_at"),
                  kept_ms = is_kept ? database_read_integer(row, "kept_at") : 0;
    out->place = out->is_in_log ? POLO_IN_LOG : POLO_NOWHERE;
    out->stamp_ms = logged_ms;
    if (deleted_ms > out->stamp_ms) {
        out->place = POLO_DELETED;
        out->stamp_ms = deleted_ms;
    }
    if (is_kept && kept_ms >= out->stamp_ms) {
        out->place = POLO_KEPT;
        out->stamp_ms = kept_ms;
    }
}

enum store_result store_polo_find(struct store *store, int64_t member_id, enum polo_kind kind,
                                  const unsigned char uuid[UUID_BYTES], struct arena *arena,
                                  struct polo_state *out)
{
    struct statement *find = about(store, STATEMENT_FIND_POLO_RECORD, member_id, kind, uuid);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        const bool is_beside = !database_is_null(find, "kept_edit");
        *out = (struct polo_state){
            .edited_ms = database_read_integer(find, "edited_at"),
            .is_in_log = !database_is_null(find, "logged_at"),
            .was_sent = database_read_integer(find, "is_kept") != 0,
            .updated_ms = database_read_integer(find, "updated_at"),
            .bytes = is_beside ? 0 : database_read_integer(find, "bytes"),
            .body = database_keep_text(find, "body", arena),
        };
        out->is_as_sent =
            out->is_in_log && is_beside &&
            database_read_integer(find, "kept_edit") == database_read_integer(find, "edit");
        find_place(find, out);
    }
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result read_bytes(struct store *store, int64_t member_id, int64_t *bytes)
{
    struct statement *read = store_member_statement(store, STATEMENT_READ_POLO_BYTES, member_id);
    return database_find_integer(store->database, read, "bytes", bytes);
}

static enum store_result write_record(struct transaction *transaction,
                                      const struct polo_keeping *keeping)
{
    struct store *store = transaction->store;
    struct statement *write =
        about(store, STATEMENT_WRITE_POLO_RECORD, keeping->member_id, keeping->kind, keeping->uuid);
    const size_t bytes = keeping->body.length ? keeping->body.length : BYTES_OF_A_REASON;
    database_bind_text(write, ":phone", keeping->phone);
    database_bind_integer(write, ":updated_at", keeping->updated_ms);
    database_bind_integer(write, ":synced_at", transaction->stamp_ms);
    database_bind_blob(write, ":client_id", keeping->place == POLO_IN_LOG ? keeping->uuid : NULL,
                       UUID_BYTES);
    database_bind_integer_or_null(write, ":edit", keeping->place == POLO_DELETED ? -1 : 0);
    database_bind_text(write, ":reason", keeping->reason);
    database_bind_integer(write, ":bytes", (int64_t)bytes);
    database_bind_text(write, ":body", keeping->body);
    return database_run(store->database, write);
}

enum store_result store_polo_keep(struct transaction *transaction,
                                  const struct polo_keeping *keeping,
                                  const struct polo_state *former)
{
    struct polo_keeping kept = *keeping;
    int64_t others = 0;
    enum store_result result = STORE_DONE;
    if (keeping->place == POLO_KEPT)
        result = read_bytes(transaction->store, keeping->member_id, &others);
    if (result != STORE_DONE)
        return result;
    others -= former->bytes;
    if (keeping->body.length > POLO_RECORD_BYTES_MAX) {
        kept.reason = text_of("it is longer than 65,536 bytes");
        kept.body = text_of("");
    } else if (keeping->place == POLO_KEPT &&
               others + (int64_t)keeping->body.length > POLO_BYTES_MAX) {
        kept.reason = text_of("the 1 MB for what only PoLo has is full");
        kept.body = text_of("");
    }
    if (kept.body.length == 0 && others + BYTES_OF_A_REASON > REASONS_BYTES_MAX)
        return STORE_DONE;
    return write_record(transaction, &kept);
}

enum store_result store_polo_touch(struct transaction *transaction, int64_t member_id,
                                   enum polo_kind kind, const unsigned char uuid[UUID_BYTES],
                                   const struct polo_state *state)
{
    static const enum statement_name touches[] = {[POLO_IN_LOG] = STATEMENT_TOUCH_POLO_QSO,
                                                  [POLO_KEPT] = STATEMENT_TOUCH_POLO_RECORD,
                                                  [POLO_DELETED] = STATEMENT_TOUCH_POLO_DELETION};
    struct store *store = transaction->store;
    struct statement *touch = store_member_statement(store, touches[state->place], member_id);
    bind_uuid(touch, uuid);
    database_bind_integer(touch, ":synced_at", transaction->stamp_ms);
    if (state->place == POLO_KEPT)
        database_bind_integer(touch, ":kind", kind);
    enum store_result result = database_run(store->database, touch);
    return result == STORE_DONE ? qsos_revise_log(transaction, member_id) : result;
}

/* -- Lists ------------------------------------------------------------------------------------- */

enum store_result store_polo_list(struct store *store, int64_t member_id, enum polo_kind kind,
                                  const struct polo_wish *wish, struct text phone, int64_t own_ms,
                                  polo_visitor *visit, void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_POLO_PLACES, member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":kind", kind);
    database_bind_integer(list, ":after", wish->after_ms);
    database_bind_integer(list, ":before", wish->before_ms);
    database_bind_integer(list, ":direction", wish->goes_back ? -1 : 1);
    database_bind_text(list, ":phone", phone);
    database_bind_integer(list, ":own", wish->wants_own ? own_ms : 0);
    while (database_next(store->database, list, &result))
        result = visit(context, (enum polo_place)database_read_integer(list, "place"),
                       database_read_integer(list, "stamp"), database_read_blob(list, "uuid"));
    return result;
}

enum store_result store_polo_patch(struct store *store, struct text body, struct text patch,
                                   struct buffer *out)
{
    struct statement *read = database_statement(store->database, STATEMENT_PATCH_POLO_RECORD);
    database_bind_text(read, ":body", body);
    database_bind_text(read, ":patch", patch);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE) {
        struct text patched = database_read_text(read, "body");
        buffer_append(out, patched.bytes, patched.length);
    }
    sqlite3_reset(read->handle);
    return result;
}

enum store_result store_polo_count(struct store *store, int64_t member_id, struct polo_counts *out)
{
    struct statement *read = store_member_statement(store, STATEMENT_COUNT_POLO_RECORDS, member_id);
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE)
        *out = (struct polo_counts){database_read_integer(read, "operations"),
                                    database_read_integer(read, "kept"),
                                    database_read_integer(read, "qsos")};
    sqlite3_reset(read->handle);
    return result;
}

enum store_result store_polo_list_reasons(struct store *store, int64_t member_id,
                                          void (*visit)(void *context, struct text reason,
                                                        int64_t records),
                                          void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_POLO_REASONS, member_id);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "reason"), database_read_integer(list, "records"));
    return result;
}
