/* Pairs with other clubs' services, finds peers and removes them. The person who creates a code
 * sees it only once. The side that enters the code creates both keys, and sends them with the code.
 * Each side stores the key that it sends, and the fingerprint of the key that it receives. */
#include "store/club/peers.h"

#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "base/host_local.h"
#include "base/text_visible.h"
#include "store/ageing.h"
#include "store/club/club.h"
#include "store/confirm/claims.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

/* time for which a code is kept after its expiry */
#define CODE_KEPT_MS (INT64_C(90) * DATETIME_DAY_MS)

bool peers_read_address(struct text address, struct web_address *out)
{
    if (!address.bytes || address.length > PEER_NAME_MAX || text_has_control(address) ||
        !host_read_address(address, out) || address.bytes[address.length - 1] == '/')
        return false;
    for (size_t at = 0; at < address.length; at++)
        if (strchr(" #?@\\\"'<>%", address.bytes[at]))
            return false;
    return out->is_encrypted || host_is_this_machine(&out->host);
}

const char *peers_check_address(struct text own, struct text *address)
{
    struct web_address read;
    if (club_check_value(CLUB_ADDRESS, address) || !peers_read_address(*address, &read))
        return "is not an address of another club, such as https://log.example.org";
    return own.bytes && text_equals(own, *address) ? "is the address of this service" : NULL;
}

static const struct read_column peer_columns[] =
    COLUMNS(COLUMN(peer, id, "id"), COLUMN(peer, name, "name"), COLUMN(peer, address, "address"),
            COLUMN(peer, club, "club"), COLUMN(peer, paired_at_ms, "paired_at"),
            COLUMN_BYTES(peer, code, "code"), COLUMN_BYTES(peer, fingerprint, "fingerprint"),
            COLUMN(peer, ask_key, "ask_key"), COLUMN(peer, given_key, "given_key"),
            COLUMN(peer, asked_at_ms, "asked_at"), COLUMN(peer, answered_at_ms, "answered_at"),
            COLUMN(peer, failure, "failure"), COLUMN(peer, claims, "claims"),
            COLUMN(peer, skipped, "skipped"), COLUMN(peer, skipped_callsign, "skipped_callsign"));

ROW_READER(peer_columns, STATEMENT_LIST_ALL_PEERS);
ROW_READER(peer_columns, STATEMENT_LIST_ALL_PEERS_TO_VISIT);

static enum store_result visit_peers(struct store *store, enum statement_name name,
                                     peer_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, name);
    enum store_result result = STORE_DONE;
    struct peer peer;
    while (database_next_row(store->database, list, peer_columns, &peer, &result))
        visit(context, &peer);
    return result;
}

enum store_result store_list_peers(struct store *store, peer_visitor *visit, void *context)
{
    return visit_peers(store, STATEMENT_LIST_ALL_PEERS, visit, context);
}

enum store_result store_list_peers_to_visit(struct store *store, peer_visitor *visit, void *context)
{
    return visit_peers(store, STATEMENT_LIST_ALL_PEERS_TO_VISIT, visit, context);
}

enum store_result store_count_confirmations(struct store *store, int64_t id, int64_t *count)
{
    return store_find_integer(store, "confirmations", count, STATEMENT_COUNT_PEER_CONFIRMATIONS,
                              BIND("peer_id", id));
}

enum store_result store_find_peer(struct store *store, struct arena *arena, struct text name,
                                  struct peer *out)
{
    return store_find(store, peer_columns, arena, out, STATEMENT_FIND_PEER, BIND("name", name));
}

/* Stores a code, revokes open codes for the same address, and removes old codes. */
static enum store_result insert_code(struct transaction *transaction,
                                     const unsigned char *fingerprint, struct text address)
{
    struct store *store = transaction->store;
    const int64_t now_ms = transaction->written_at_ms;
    enum store_result result =
        store_run(store, STATEMENT_DELETE_OLD_PEER_CODES,
                  BIND("before", store_old_before(transaction, CODE_KEPT_MS)));
    THEN(result, store_run(store, STATEMENT_END_PEER_CODES, BIND("address", address),
                           BIND("used_at", now_ms)));
    THEN(result, store_run(store, STATEMENT_INSERT_PEER_CODE,
                           BIND_BLOB("fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES),
                           BIND("address", address), BIND("made_at", now_ms),
                           BIND("expires_at", now_ms + PEER_CODE_DAYS * DATETIME_DAY_MS)));
    return THEN(result, operator_log_note(transaction, "peer add", address, (struct text){0}));
}

enum store_result store_add_peer_code(struct store *store, struct arena *arena, struct text own,
                                      struct text address, char code[PEER_CODE_SIZE])
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct transaction transaction;
    struct peer known;
    char *secret = code + format_cut(code, PEER_CODE_SIZE, "%.*s%c", (int)own.length, own.bytes,
                                     PEER_CODE_MARK);
    api_key_make_cookie(secret);
    api_key_fingerprint(text_of(secret), fingerprint);
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_find_peer(store, arena, address, &known));
    if (result == STORE_DONE && known.paired_at_ms)
        result = STORE_REFUSED;
    else if (result == STORE_DONE || result == STORE_NONE)
        result = insert_code(&transaction, fingerprint, address);
    return store_finish(&transaction, result);
}

static enum store_result remove_row(struct transaction *transaction, int64_t id, const char *act)
{
    struct database *database = transaction->store->database;
    struct statement *remove = store_with(transaction->store, STATEMENT_REMOVE_PEER, BIND("id", id),
                                          BIND("removed_at", transaction->written_at_ms));
    enum store_result result = database_step(database, remove);
    if (act)
        THEN(result, operator_log_note(transaction, act, database_read_text(remove, "name"),
                                       (struct text){0}));
    sqlite3_reset(remove->handle);
    return result;
}

/* Inserts a peer. `found` is the result of the search for a peer with this address. A peer that was
 * found, but is not yet paired, is replaced. Returns STORE_REFUSED if the peer that was found is
 * paired. */
static enum store_result insert_peer(struct transaction *transaction, enum store_result found,
                                     const struct peer *known, struct peer *peer, bool is_paired)
{
    struct store *store = transaction->store;
    enum store_result result = found == STORE_NONE ? STORE_DONE : found;
    if (found == STORE_DONE)
        result = known->paired_at_ms ? STORE_REFUSED : remove_row(transaction, known->id, NULL);
    THEN(result, store_run(store, STATEMENT_INSERT_PEER, BIND("name", peer->name),
                           BIND("address", peer->address), BIND("club", peer->club),
                           BIND("added_at", transaction->written_at_ms),
                           BIND_IF(is_paired, "paired_at", transaction->written_at_ms),
                           BIND_BLOB("code", peer->code, sizeof peer->code),
                           BIND_BLOB("fingerprint", peer->fingerprint, sizeof peer->fingerprint),
                           BIND("ask_key", peer->ask_key), BIND("given_key", peer->given_key)));
    peer->id = sqlite3_last_insert_rowid(store->database->handle);
    return result;
}

static bool has_code(const struct peer *peer, const struct peer *other)
{
    return memcmp(peer->code, other->code, sizeof peer->code) == 0;
}

enum store_result store_begin_peer(struct store *store, struct arena *arena, struct peer *peer)
{
    struct transaction transaction;
    struct peer known;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_find_peer(store, arena, peer->address, &known));
    if (result == STORE_DONE && !known.paired_at_ms && has_code(peer, &known))
        *peer = known;
    else if (transaction.store)
        result = insert_peer(&transaction, result, &known, peer, false);
    return store_finish(&transaction, result);
}

enum store_result store_finish_peer(struct store *store, int64_t id, struct text name,
                                    struct text club)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_FINISH_PEER, BIND("id", id),
                              BIND("paired_at", transaction.written_at_ms), BIND("club", club)));
    THEN(result, operator_log_note(&transaction, "peer enter", name, club));
    return store_finish(&transaction, result);
}

enum store_result store_pair_peer(struct store *store, struct arena *arena, struct peer *peer)
{
    struct transaction transaction;
    struct peer known;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_find_peer(store, arena, peer->address, &known));
    const enum store_result found = result;
    if (found == STORE_DONE && has_code(peer, &known) &&
        memcmp(peer->fingerprint, known.fingerprint, sizeof known.fingerprint) == 0 &&
        text_equals(peer->ask_key, known.ask_key))
        return store_finish(&transaction, STORE_DONE);
    if (found == STORE_DONE || found == STORE_NONE)
        result = store_change(
            store, STATEMENT_USE_PEER_CODE, BIND_BLOB("fingerprint", peer->code, sizeof peer->code),
            BIND("address", peer->address), BIND("now", transaction.written_at_ms));
    THEN(result, insert_peer(&transaction, found, &known, peer, true));
    return store_finish(&transaction, result);
}

static enum store_result clear(struct store *store, int64_t id)
{
    enum store_result result = STORE_DONE;
    for (bool last = false; result == STORE_DONE && !last;) {
        struct transaction transaction;
        result = store_begin_write(store, &transaction);
        THEN(result,
             claims_remove_some(
                 &transaction,
                 store_with(store, STATEMENT_LIST_CLAIMS_OF_PEER, BIND("peer_id", id)), &last));
        if (last) {
            THEN(result, store_run(store, STATEMENT_DELETE_CLAIMED_OF_PEER, BIND("peer_id", id)));
            THEN(result, store_run(store, STATEMENT_DELETE_MEMBERS_OF_PEER, BIND("peer_id", id)));
            THEN(result, store_run(store, STATEMENT_FORGET_SKIPPED));
        }
        result = store_finish(&transaction, result);
    }
    return result;
}

enum store_result store_remove_peer(struct store *store, int64_t id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, remove_row(&transaction, id, "peer remove"));
    result = store_finish(&transaction, result);
    return THEN(result, clear(store, id));
}

enum store_result store_resume_peer_removal(struct store *store)
{
    int64_t id = 0;
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE) {
        result = store_find_integer(store, "id", &id, STATEMENT_LIST_ALL_PEERS_TO_CLEAR);
        THEN(result, clear(store, id));
    }
    return result == STORE_NONE ? STORE_DONE : result;
}
