/* Stores PoLo's records. A record can be in up to three places: the log itself, the tombstones, and
 * the records that are kept only for PoLo. If a record is in several places, the latest stamp wins.
 * So code that deletes, restores or changes a QSO in the log need not consider PoLo. */
#include "store/log/polo.h"

#include "store/log/qsos_save.h"
#include "store/log/room.h"
#include "store/storage.h"
#include "store/store.h"

#define BYTES_OF_A_REASON 100 /* number of bytes counted for a record whose body is not stored */
#define REASONS_BYTES_MAX (POLO_BYTES_MAX + 1000 * BYTES_OF_A_REASON)

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

/* Stores in *fits whether these bytes fit into the member's storage, in place of the stored
 * record. */
static enum store_result make_room(struct transaction *transaction,
                                   const struct polo_keeping *keeping,
                                   const struct polo_state *previous, size_t bytes, bool *fits)
{
    const int64_t replaced =
        previous->body.length > 0 ? STORAGE_OF_POLO + (int64_t)previous->body.length : 0;
    return store_make_room(transaction, keeping->member_id,
                           STORAGE_OF_POLO + (int64_t)bytes - replaced, fits);
}

/* Omits the body of a record, and stores a reason, if the body does not fit. `others` is the number
 * of bytes in the member's other records that are not in the log. */
static enum store_result choose_body(struct transaction *transaction, struct polo_keeping *kept,
                                     const struct polo_state *previous, int64_t others)
{
    enum store_result result = STORE_DONE;
    const char *reason = NULL;
    bool fits = true;
    if (kept->body.length > POLO_RECORD_BYTES_MAX)
        reason = "it is longer than 65,536 bytes";
    else if (kept->place == POLO_KEPT && others + (int64_t)kept->body.length > POLO_BYTES_MAX)
        reason = "the 1 MB for records that only PoLo has is full";
    else if (kept->body.length > 0)
        result = make_room(transaction, kept, previous, kept->body.length, &fits);
    if (!fits)
        reason = "the storage has no room for the details that only PoLo uses";
    if (reason) {
        kept->reason = text_of(reason);
        kept->body = text_of("");
    }
    return result;
}

enum store_result store_polo_keep(struct transaction *transaction,
                                  const struct polo_keeping *keeping,
                                  const struct polo_state *previous)
{
    struct polo_keeping kept = *keeping;
    int64_t others = 0;
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (keeping->place == POLO_KEPT)
        result = store_find_integer(transaction->store, "bytes", &others, STATEMENT_READ_POLO_BYTES,
                                    BIND("member_id", keeping->member_id));
    others -= previous->bytes;
    THEN(result, choose_body(transaction, &kept, previous, others));
    if (result == STORE_DONE && kept.body.length == 0 && kept.place == POLO_KEPT) {
        result = make_room(transaction, &kept, previous, BYTES_OF_A_REASON, &fits);
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
