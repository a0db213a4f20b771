/* Stores PoLo's records, and finds the records to send it. They are in three places: the log
 * itself, the tombstones, and the records kept only for PoLo. If a record is in several places, the
 * latest stamp counts, so a deletion, an undo or a change elsewhere does not depend on PoLo. */
#include "store/log/polo.h"

#include <string.h>

#include "base/datetime.h"
#include "store/log/edits.h"
#include "store/log/qsos_save.h"
#include "store/storage.h"
#include "store/store.h"

#define BYTES_OF_A_REASON 100 /* the size that a record without room counts */
#define REASONS_BYTES_MAX (POLO_BYTES_MAX + 1000 * BYTES_OF_A_REASON)
#define LATEST_MS 253402300799999 /* the end of the year 9999; no phone's clock is beyond */

/* -- Requests ---------------------------------------------------------------------------------- */

static const struct read_column sent_columns[] =
    COLUMNS(COLUMN(polo_sent, body, "body"), COLUMN(polo_sent, uuid, "uuid"),
            COLUMN(polo_sent, updated_ms, "updated_at"), COLUMN(polo_sent, qso_at_ms, "qso_at"),
            COLUMN(polo_sent, is_deleted, "deleted"), COLUMN(polo_sent, is_event, "is_event"),
            COLUMN(polo_sent, is_data, "is_data"), COLUMN(polo_sent, adif, "adif"));

ROW_READER(sent_columns, STATEMENT_LIST_POLO_SENT);

enum store_result store_polo_read_sent(struct store *store, struct text request, const char *path,
                                       struct arena *arena, struct polo_sent **out, size_t *count)
{
    struct statement *list = store_with(store, STATEMENT_LIST_POLO_SENT, BIND("body", request),
                                        BIND("path", text_of(path)));
    size_t capacity = 0;
    enum store_result result = STORE_DONE;
    *out = NULL;
    for (*count = 0; database_next(store->database, list, &result); ++*count) {
        *out = arena_grow(arena, *out, *count, &capacity, sizeof **out);
        struct polo_sent *sent = &(*out)[*count];
        database_read(list, sent_columns, arena, sent);
        if (sent->updated_ms > LATEST_MS)
            sent->updated_ms = LATEST_MS;
    }
    return result;
}

enum store_result store_polo_read_question(struct store *store, struct text request,
                                           struct arena *arena, struct polo_question *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(polo_question, queries[POLO_OPERATION].is_there, "operations_asked"),
        COLUMN(polo_question, queries[POLO_OPERATION].goes_back, "operations_back"),
        COLUMN_OR(polo_question, queries[POLO_OPERATION].after_ms, "operations_since", INT64_MIN),
        COLUMN_OR(polo_question, queries[POLO_OPERATION].before_ms, "operations_until", INT64_MAX),
        COLUMN_OR(polo_question, queries[POLO_OPERATION].wants_own, "operations_own", 1),
        COLUMN(polo_question, queries[POLO_OPERATION].limit, "operations_limit"),
        COLUMN(polo_question, queries[POLO_OPERATION].unsent, "unsent_operations"),
        COLUMN(polo_question, queries[POLO_QSO].is_there, "qsos_asked"),
        COLUMN(polo_question, queries[POLO_QSO].goes_back, "qsos_back"),
        COLUMN_OR(polo_question, queries[POLO_QSO].after_ms, "qsos_since", INT64_MIN),
        COLUMN_OR(polo_question, queries[POLO_QSO].before_ms, "qsos_until", INT64_MAX),
        COLUMN_OR(polo_question, queries[POLO_QSO].wants_own, "qsos_own", 1),
        COLUMN(polo_question, queries[POLO_QSO].limit, "qsos_limit"),
        COLUMN(polo_question, queries[POLO_QSO].unsent, "unsent_qsos"),
        COLUMN(polo_question, settings, "settings"));
    return store_find(store, columns, arena, out, STATEMENT_READ_POLO_QUESTION,
                      BIND("body", request));
}

/* -- The account ------------------------------------------------------------------------------- */

enum store_result store_polo_read_account(struct store *store, int64_t token, struct arena *arena,
                                          struct polo_account *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(polo_account, callsign, "callsign"), COLUMN(polo_account, uuid, "account"),
                COLUMN(polo_account, operation, "operation"),
                COLUMN(polo_account, phone_epoch, "polo_epoch"),
                COLUMN(polo_account, log_epoch, "log_epoch"));
    return store_find(store, columns, arena, out, STATEMENT_READ_POLO_ACCOUNT, BIND("id", token));
}

enum store_result store_polo_note_epoch(struct transaction *transaction, int64_t token)
{
    return store_run(transaction->store, STATEMENT_UPDATE_POLO_EPOCH, BIND("id", token));
}

enum store_result store_polo_add_operation(struct transaction *transaction, int64_t member_id,
                                           const struct polo_account *account, int64_t now_ms)
{
    unsigned char uuid[UUID_BYTES];
    if (!uuid_parse_text(account->operation, uuid))
        return STORE_BROKEN;
    return store_run(transaction->store, STATEMENT_INSERT_POLO_OPERATION,
                     BIND("member_id", member_id), BIND_BLOB("uuid", uuid, UUID_BYTES),
                     BIND("synced_at", transaction->stamp_ms),
                     BIND("operation", account->operation), BIND("callsign", account->callsign),
                     BIND("created_at", now_ms));
}

/* -- One record -------------------------------------------------------------------------------- */

enum store_result store_polo_find(struct store *store, int64_t member_id, enum polo_kind kind,
                                  const unsigned char uuid[UUID_BYTES], struct arena *arena,
                                  struct polo_state *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(polo_state, place, "place"), COLUMN(polo_state, stamp_ms, "stamp"),
        COLUMN(polo_state, edited_ms, "edited_at"), COLUMN(polo_state, is_in_log, "is_in_log"),
        COLUMN(polo_state, is_as_sent, "is_as_sent"), COLUMN(polo_state, was_sent, "is_kept"),
        COLUMN(polo_state, updated_ms, "updated_at"), COLUMN(polo_state, bytes, "bytes"),
        COLUMN(polo_state, body, "body"), COLUMN(polo_state, client_id, "client_id"),
        COLUMN(polo_state, alias, "alias"));
    return store_find(store, columns, arena, out, STATEMENT_FIND_POLO_RECORD,
                      BIND("member_id", member_id), BIND("kind", kind),
                      BIND_BLOB("uuid", uuid, UUID_BYTES));
}

/* Whether this many more bytes fit, in place of the stored data of the record. */
static enum store_result make_room(struct transaction *transaction,
                                   const struct polo_keeping *keeping,
                                   const struct polo_state *former, size_t bytes, bool *fits)
{
    const int64_t replaced =
        former->body.length > 0 ? STORAGE_OF_POLO + (int64_t)former->body.length : 0;
    return store_make_room(transaction, keeping->member_id,
                           STORAGE_OF_POLO + (int64_t)bytes - replaced, fits);
}

/* Omits the body of a record, with a reason, if it does not fit. `others`: the bytes of other
 * records that are in no log. */
static enum store_result choose_body(struct transaction *transaction, struct polo_keeping *kept,
                                     const struct polo_state *former, int64_t others)
{
    enum store_result result = STORE_DONE;
    const char *reason = NULL;
    bool fits = true;
    if (kept->body.length > POLO_RECORD_BYTES_MAX)
        reason = "it is longer than 65,536 bytes";
    else if (kept->place == POLO_KEPT && others + (int64_t)kept->body.length > POLO_BYTES_MAX)
        reason = "the 1 MB for records that only PoLo has is full";
    else if (kept->body.length > 0)
        result = make_room(transaction, kept, former, kept->body.length, &fits);
    if (!fits)
        reason = "there is no room for what only PoLo knows of it";
    if (reason) {
        kept->reason = text_of(reason);
        kept->body = text_of("");
    }
    return result;
}

enum store_result store_polo_keep(struct transaction *transaction,
                                  const struct polo_keeping *keeping,
                                  const struct polo_state *former)
{
    struct polo_keeping kept = *keeping;
    int64_t others = 0;
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (keeping->place == POLO_KEPT)
        result = store_find_integer(transaction->store, "bytes", &others, STATEMENT_READ_POLO_BYTES,
                                    BIND("member_id", keeping->member_id));
    others -= former->bytes;
    THEN(result, choose_body(transaction, &kept, former, others));
    if (result == STORE_DONE && kept.body.length == 0 && kept.place == POLO_KEPT) {
        result = make_room(transaction, &kept, former, BYTES_OF_A_REASON, &fits);
        fits = fits && others + BYTES_OF_A_REASON <= REASONS_BYTES_MAX;
    }
    if (result != STORE_DONE || !fits)
        return result;
    return store_run(
        transaction->store, STATEMENT_WRITE_POLO_RECORD, BIND("member_id", kept.member_id),
        BIND("kind", kept.kind), BIND_BLOB("uuid", kept.uuid, UUID_BYTES),
        BIND("phone", kept.phone), BIND("updated_at", kept.updated_ms),
        BIND("synced_at", transaction->stamp_ms),
        BIND_BLOB("client_id", kept.place == POLO_IN_LOG && !kept.has_more ? kept.uuid : NULL,
                  UUID_BYTES),
        BIND_IF(kept.place == POLO_DELETED || kept.has_more, "edit", kept.has_more ? -2 : -1),
        BIND_BLOB("alias", kept.alias.bytes, kept.alias.length), BIND("reason", kept.reason),
        BIND("bytes", kept.body.length ? (int64_t)kept.body.length : BYTES_OF_A_REASON),
        BIND("body", kept.body));
}

enum store_result store_polo_forget(struct transaction *transaction, int64_t member_id,
                                    const unsigned char uuid[UUID_BYTES])
{
    return store_run(transaction->store, STATEMENT_DELETE_POLO_RECORD, BIND("member_id", member_id),
                     BIND("kind", POLO_QSO), BIND_BLOB("uuid", uuid, UUID_BYTES));
}

enum store_result store_polo_touch(struct transaction *transaction, int64_t member_id,
                                   enum polo_kind kind, const struct polo_state *state)
{
    static const enum statement_name touches[] = {[POLO_IN_LOG] = STATEMENT_TOUCH_POLO_QSO,
                                                  [POLO_KEPT] = STATEMENT_TOUCH_POLO_RECORD,
                                                  [POLO_DELETED] = STATEMENT_TOUCH_POLO_DELETION};
    struct store *store = transaction->store;
    struct statement *touch = store_with(store, touches[state->place], BIND("member_id", member_id),
                                         BIND_BLOB("uuid", state->client_id.bytes, UUID_BYTES),
                                         BIND("synced_at", transaction->stamp_ms));
    if (state->place == POLO_KEPT)
        database_bind(touch, BOUND(BIND("kind", kind)));
    enum store_result result = database_run(store->database, touch);
    return THEN(result, qsos_revise_log(transaction, member_id));
}

/* -- Lists ------------------------------------------------------------------------------------- */

struct polo_given {
    const unsigned char *uuid;  /* under which it is stored; NULL: it is not */
    const unsigned char *shown; /* under which the phone gets it */
    int64_t place;
    int64_t stamp_ms;
};

/* A QSO gets the phone's time once it is merged there, so the margin is for the clock of a phone
 * that is ahead. STORE_NONE: nothing is kept of the record. */
static enum store_result append_record(struct store *store, const struct polo_giving *giving,
                                       const struct polo_given *given, struct buffer *out)
{
    char uuid_text[UUID_TEXT_LENGTH + 1];
    uuid_format_text(given->shown, uuid_text);
    struct statement *give =
        store_with(store, STATEMENT_GIVE_POLO_RECORD, BIND("member_id", giving->member_id),
                   BIND("kind", giving->kind), BIND_BLOB("uuid", given->uuid, UUID_BYTES),
                   BIND("text", text_of(uuid_text)), BIND("callsign", giving->callsign),
                   BIND("operation", giving->operation), BIND("place", given->place),
                   BIND("stamp", given->stamp_ms),
                   BIND("time", giving->now_ms + (giving->kind == POLO_QSO ? DATETIME_DAY_MS : 0)));
    enum store_result result = database_step(store->database, give);
    if (result == STORE_DONE) {
        struct text record = database_read_text(give, "record");
        buffer_append(out, record.bytes, record.length);
    }
    sqlite3_reset(give->handle);
    return result;
}

/* The record of a row of the list. A phone may have been given a QSO under its clientId before it
 * sent that itself: it learns that this one has gone. */
static enum store_result append_row(struct store *store, const struct polo_giving *giving,
                                    const struct statement *list, struct buffer *out)
{
    const unsigned char *uuid = database_read_blob(list, "uuid"),
                        *alias = database_read_blob(list, "alias");
    struct polo_given given = {.uuid = uuid,
                               .shown = alias ? alias : uuid,
                               .place = database_read_integer(list, "place"),
                               .stamp_ms = database_read_integer(list, "stamp")};
    enum store_result result = append_record(store, giving, &given, out);
    if (result != STORE_DONE || !alias)
        return result;
    buffer_append(out, ",", 1);
    given.uuid = NULL;
    given.shown = uuid;
    given.place = POLO_DELETED;
    return append_record(store, giving, &given, out);
}

enum store_result store_polo_list_changes(struct store *store, const struct polo_giving *giving,
                                          struct buffer *out, int64_t *left)
{
    const struct polo_query *query = giving->query;
    enum store_result result = STORE_DONE;
    int64_t given = 0, last_ms = 0;
    struct statement *list = store_with(
        store, STATEMENT_LIST_POLO_PLACES, BIND("member_id", giving->member_id),
        BIND("kind", giving->kind), BIND("after", query->after_ms),
        BIND("before", query->before_ms), BIND("direction", query->goes_back ? -1 : 1),
        BIND("phone", giving->phone), BIND("own", query->wants_own ? giving->own_ms : 0));
    *left = 0;
    while (database_next(store->database, list, &result)) {
        const int64_t stamp_ms = database_read_integer(list, "stamp");
        const size_t before = out->length;
        if (given >= giving->limit && (given == 0 || stamp_ms != last_ms || *left > 0)) {
            ++*left;
            continue;
        }
        buffer_append(out, ",", given > 0);
        result = append_row(store, giving, list, out);
        if (result == STORE_DONE) {
            given++;
            last_ms = stamp_ms;
        } else if (result == STORE_NONE) {
            out->length = before;
            result = STORE_DONE;
        }
    }
    return result;
}

enum store_result store_polo_count(struct store *store, int64_t member_id, struct polo_counts *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(polo_counts, operations, "operations"), COLUMN(polo_counts, kept, "kept"),
                COLUMN(polo_counts, qsos, "qsos"));
    return store_find(store, columns, NULL, out, STATEMENT_COUNT_POLO_RECORDS,
                      BIND("member_id", member_id));
}

enum store_result store_polo_list_reasons(struct store *store, int64_t member_id,
                                          void (*visit)(void *context, struct text reason,
                                                        int64_t records),
                                          void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_POLO_REASONS, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "reason"), database_read_integer(list, "records"));
    return result;
}
