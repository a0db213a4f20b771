/* Other clubs' services: codes, keys, and their end. A code is shown once by who makes it; who
 * enters it makes both keys, and sends them with the code. Each side stores the key with which it
 * asks, and the fingerprint of the one with which it is asked. */
#include "store/peers.h"

#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/log.h"
#include "store/club.h"
#include "store/confirmations.h"
#include "store/store.h"
#include "store/transaction.h"

#define SLICE 500                                    /* claims in a transaction */
#define CODE_KEPT_MS (INT64_C(90) * DATETIME_DAY_MS) /* after its end */

/* -- Who they are ------------------------------------------------------------------------------ */

static bool begins_with(struct text text, const char *prefix)
{
    size_t length = strlen(prefix);
    return text.length > length && memcmp(text.bytes, prefix, length) == 0;
}

const char *peers_read_address(struct text address)
{
    static const char *const schemes[] = {"https://", "http://127.", "http://localhost",
                                          "http://[::1]"};
    size_t i = 0;
    if (!address.bytes || address.length > PEER_NAME_MAX || text_has_control(address))
        return NULL;
    while (i < sizeof schemes / sizeof *schemes && !begins_with(address, schemes[i]))
        i++;
    for (size_t at = 0; at < address.length; at++)
        if (strchr(" #?@\\\"'<>%", address.bytes[at]))
            return NULL;
    if (i == sizeof schemes / sizeof *schemes || address.bytes[address.length - 1] == '/')
        return NULL;
    return address.bytes + strlen(i == 0 ? "https://" : "http://");
}

const char *peers_judge_address(struct text own, struct text *address)
{
    if (club_judge(CLUB_ADDRESS, address) || !peers_read_address(*address))
        return "is no address of another club, such as https://log.example.org";
    return own.bytes && text_equals(own, *address) ? "is the address of this service" : NULL;
}

static void read_peer(const struct statement *row, struct peer *peer)
{
    const void *fingerprint = database_read_blob(row, "fingerprint");
    *peer = (struct peer){
        .id = database_read_integer(row, "id"),
        .name = database_read_text(row, "name"),
        .address = database_read_text(row, "address"),
        .club = database_read_text(row, "club"),
        .added_at_ms = database_read_integer(row, "added_at"),
        .paired_at_ms = database_read_integer(row, "paired_at"),
        .ask_key = database_read_text(row, "ask_key"),
        .given_key = database_read_text(row, "given_key"),
        .asked_at_ms = database_read_integer(row, "asked_at"),
        .answered_at_ms = database_read_integer(row, "answered_at"),
        .failure = database_read_text(row, "failure"),
        .claims = database_read_integer(row, "claims"),
        .skipped = database_read_integer(row, "skipped"),
        .skipped_callsign = database_read_text(row, "skipped_callsign"),
    };
    memcpy(peer->code, database_read_blob(row, "code"), sizeof peer->code);
    if (fingerprint)
        memcpy(peer->fingerprint, fingerprint, sizeof peer->fingerprint);
}

enum store_result store_list_peers(struct store *store, peer_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ALL_PEERS);
    enum store_result result = STORE_DONE;
    struct peer peer;
    while (database_next(store->database, list, &result)) {
        read_peer(list, &peer);
        visit(context, &peer);
    }
    return result;
}

enum store_result store_count_confirmations(struct store *store, int64_t id, int64_t *count)
{
    struct statement *read =
        database_statement(store->database, STATEMENT_COUNT_PEER_CONFIRMATIONS);
    database_bind_integer(read, ":peer_id", id);
    return database_find_integer(store->database, read, "confirmations", count);
}

static struct text keep(struct arena *arena, struct text text)
{
    return text.bytes ? (struct text){arena_copy(arena, text.bytes, text.length), text.length}
                      : text;
}

struct search {
    struct arena *arena;
    struct text name;
    struct peer *out;
    bool found;
};

static void compare(void *context, const struct peer *peer)
{
    struct search *search = context;
    if (!text_equals(search->name, peer->name) && !text_equals(search->name, peer->address))
        return;
    struct peer *out = search->out;
    search->found = true;
    *out = *peer;
    out->name = keep(search->arena, peer->name);
    out->address = keep(search->arena, peer->address);
    out->club = keep(search->arena, peer->club);
    out->ask_key = keep(search->arena, peer->ask_key);
    out->given_key = keep(search->arena, peer->given_key);
    out->failure = keep(search->arena, peer->failure);
    out->skipped_callsign = keep(search->arena, peer->skipped_callsign);
}

enum store_result store_find_peer(struct store *store, struct arena *arena, struct text name,
                                  struct peer *out)
{
    struct search search = {.arena = arena, .name = name, .out = out};
    enum store_result result = store_list_peers(store, compare, &search);
    return result == STORE_DONE && !search.found ? STORE_NONE : result;
}

/* -- Pairing ----------------------------------------------------------------------------------- */

/* What is known of codes: those of the address end, those of long ago are removed. */
struct known_code {
    struct known_code *next;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    enum statement_name fate;
};

static enum store_result list_codes(struct transaction *transaction, struct arena *arena,
                                    struct text address, struct known_code **codes)
{
    struct database *database = transaction->store->database;
    struct statement *list = database_statement(database, STATEMENT_LIST_ALL_PEER_CODES);
    enum store_result result = STORE_DONE;
    *codes = NULL;
    while (database_next(database, list, &result)) {
        bool is_old =
            database_read_integer(list, "expires_at") + CODE_KEPT_MS < transaction->written_at_ms;
        if (!is_old && (!database_is_null(list, "used_at") ||
                        !text_equals(database_read_text(list, "address"), address)))
            continue;
        struct known_code *code = arena_allocate(arena, sizeof *code);
        *code = (struct known_code){
            .next = *codes, .fate = is_old ? STATEMENT_DELETE_PEER_CODE : STATEMENT_END_PEER_CODE};
        memcpy(code->fingerprint, database_read_blob(list, "fingerprint"),
               sizeof code->fingerprint);
        *codes = code;
    }
    return result;
}

static struct statement *prepare_code(struct transaction *transaction, enum statement_name name,
                                      const unsigned char *fingerprint)
{
    struct statement *statement = database_statement(transaction->store->database, name);
    database_bind_blob(statement, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    if (name == STATEMENT_END_PEER_CODE)
        database_bind_integer(statement, ":used_at", transaction->written_at_ms);
    return statement;
}

static enum store_result insert_code(struct transaction *transaction, struct arena *arena,
                                     const unsigned char *fingerprint, struct text address)
{
    struct database *database = transaction->store->database;
    struct known_code *codes;
    enum store_result result = list_codes(transaction, arena, address, &codes);
    for (; codes && result == STORE_DONE; codes = codes->next)
        result = database_run(database, prepare_code(transaction, codes->fate, codes->fingerprint));
    if (result != STORE_DONE)
        return result;
    struct statement *insert = prepare_code(transaction, STATEMENT_INSERT_PEER_CODE, fingerprint);
    database_bind_text(insert, ":address", address);
    database_bind_integer(insert, ":made_at", transaction->written_at_ms);
    database_bind_integer(insert, ":expires_at",
                          transaction->written_at_ms + PEER_CODE_DAYS * DATETIME_DAY_MS);
    result = database_run(database, insert);
    return result == STORE_DONE
               ? operator_log_note(transaction, "peer add", address, (struct text){0})
               : result;
}

static bool make_code(struct text own, unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                      char code[PEER_CODE_SIZE])
{
    char secret[API_KEY_COOKIE_LENGTH + 1];
    if (!api_key_make_cookie(secret))
        return false;
    api_key_fingerprint(text_of(secret), fingerprint);
    snprintf(code, PEER_CODE_SIZE, "%.*s%c%s", (int)own.length, own.bytes, PEER_CODE_MARK, secret);
    explicit_bzero(secret, sizeof secret);
    return true;
}

enum store_result store_add_peer_code(struct store *store, struct arena *arena, struct text own,
                                      struct text address, char code[PEER_CODE_SIZE])
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct transaction transaction;
    struct peer known;
    if (!make_code(own, fingerprint, code)) {
        log_line("the system has no random numbers");
        return STORE_BROKEN;
    }
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = store_find_peer(store, arena, address, &known);
    if (result == STORE_DONE && known.paired_at_ms)
        result = STORE_REFUSED;
    else if (result == STORE_DONE || result == STORE_NONE)
        result = insert_code(&transaction, arena, fingerprint, address);
    return store_finish(&transaction, result);
}

static enum store_result remove_row(struct transaction *transaction, int64_t id, const char *act)
{
    struct database *database = transaction->store->database;
    struct statement *remove = database_with(database, STATEMENT_REMOVE_PEER, BIND("id", id),
                                             BIND("removed_at", transaction->written_at_ms));
    enum store_result result = database_step(database, remove);
    if (act)
        THEN(result, operator_log_note(transaction, act, database_read_text(remove, "name"),
                                       (struct text){0}));
    sqlite3_reset(remove->handle);
    return result;
}

static enum store_result insert_peer(struct transaction *transaction, struct peer *peer,
                                     bool is_paired)
{
    struct database *database = transaction->store->database;
    struct statement *insert = database_statement(database, STATEMENT_INSERT_PEER);
    database_bind_text(insert, ":name", peer->name);
    database_bind_text(insert, ":address", peer->address);
    database_bind_text(insert, ":club", peer->club);
    database_bind_integer(insert, ":added_at", transaction->written_at_ms);
    database_bind_null(insert, ":paired_at");
    if (is_paired)
        database_bind_integer(insert, ":paired_at", transaction->written_at_ms);
    database_bind_blob(insert, ":code", peer->code, sizeof peer->code);
    database_bind_blob(insert, ":fingerprint", peer->fingerprint, sizeof peer->fingerprint);
    database_bind_text(insert, ":ask_key", peer->ask_key);
    database_bind_text(insert, ":given_key", peer->given_key);
    enum store_result result = database_run(database, insert);
    peer->id = sqlite3_last_insert_rowid(database->handle);
    return result;
}

/* The peer that has the address, if any: one that is not paired yet makes way. STORE_REFUSED: it is
 * paired. */
static enum store_result make_way(struct transaction *transaction, struct arena *arena,
                                  struct text address)
{
    struct peer known;
    enum store_result result = store_find_peer(transaction->store, arena, address, &known);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    return known.paired_at_ms ? STORE_REFUSED : remove_row(transaction, known.id, NULL);
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
    if (result != STORE_DONE)
        return result;
    result = store_find_peer(store, arena, peer->address, &known);
    if (result == STORE_DONE && !known.paired_at_ms && has_code(peer, &known)) {
        *peer = known;
        return store_finish(&transaction, STORE_DONE);
    }
    if (result == STORE_DONE || result == STORE_NONE)
        result = make_way(&transaction, arena, peer->address);
    if (result == STORE_DONE)
        result = insert_peer(&transaction, peer, false);
    return store_finish(&transaction, result);
}

enum store_result store_finish_peer(struct store *store, int64_t id, struct text name,
                                    struct text club)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *finish = database_statement(store->database, STATEMENT_FINISH_PEER);
    database_bind_integer(finish, ":id", id);
    database_bind_integer(finish, ":paired_at", transaction.written_at_ms);
    database_bind_text(finish, ":club", club);
    result = database_change(store->database, finish);
    if (result == STORE_DONE)
        result = operator_log_note(&transaction, "peer enter", name, club);
    return store_finish(&transaction, result);
}

/* STORE_NONE: the code is not open for the address. */
static enum store_result use_code(struct transaction *transaction, const struct peer *peer)
{
    struct database *database = transaction->store->database;
    struct statement *find = prepare_code(transaction, STATEMENT_FIND_PEER_CODE, peer->code);
    database_bind_integer(find, ":now", transaction->written_at_ms);
    enum store_result result = database_step(database, find);
    if (result != STORE_DONE)
        return result;
    bool is_meant = text_equals(database_read_text(find, "address"), peer->address);
    sqlite3_reset(find->handle);
    return is_meant ? database_run(database,
                                   prepare_code(transaction, STATEMENT_END_PEER_CODE, peer->code))
                    : STORE_NONE;
}

enum store_result store_pair_peer(struct store *store, struct arena *arena, struct peer *peer)
{
    struct transaction transaction;
    struct peer known;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = store_find_peer(store, arena, peer->address, &known);
    if (result == STORE_DONE && has_code(peer, &known) &&
        memcmp(peer->fingerprint, known.fingerprint, sizeof known.fingerprint) == 0 &&
        text_equals(peer->ask_key, known.ask_key))
        return store_finish(&transaction, STORE_DONE);
    if (result == STORE_DONE || result == STORE_NONE)
        result = use_code(&transaction, peer);
    if (result == STORE_DONE)
        result = make_way(&transaction, arena, peer->address);
    if (result == STORE_DONE)
        result = insert_peer(&transaction, peer, true);
    return store_finish(&transaction, result);
}

/* -- The end ----------------------------------------------------------------------------------- */

/* Removes the claims that a statement lists, at most SLICE, each after what it confirms has ended.
 */
static enum store_result remove_claims(struct transaction *transaction, struct statement *list,
                                       bool *last)
{
    struct database *database = transaction->store->database;
    int64_t ids[SLICE];
    int count = 0;
    enum store_result result = STORE_DONE;
    while (count < SLICE && database_next(database, list, &result))
        ids[count++] = database_read_integer(list, "id");
    sqlite3_reset(list->handle);
    *last = count < SLICE;
    for (int i = 0; i < count && result == STORE_DONE; i++) {
        result = claims_withdraw(transaction, ids[i]);
        struct statement *remove = database_statement(database, STATEMENT_DELETE_CLAIM);
        database_bind_integer(remove, ":id", ids[i]);
        if (result == STORE_DONE)
            result = database_run(database, remove);
    }
    return result;
}

static enum store_result clear_slice(struct store *store, int64_t id, bool *last)
{
    static const enum statement_name ends[] = {STATEMENT_DELETE_CLAIMED_OF_PEER,
                                               STATEMENT_DELETE_MEMBERS_OF_PEER};
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *list = database_statement(store->database, STATEMENT_LIST_CLAIMS_OF_PEER);
    database_bind_integer(list, ":peer_id", id);
    database_bind_integer(list, ":limit", SLICE);
    result = remove_claims(&transaction, list, last);
    for (int i = 0; i < 2 && result == STORE_DONE && *last; i++) {
        struct statement *end = database_statement(store->database, ends[i]);
        database_bind_integer(end, ":peer_id", id);
        result = database_run(store->database, end);
    }
    if (result == STORE_DONE && *last)
        result = database_run(store->database,
                              database_statement(store->database, STATEMENT_FORGET_SKIPPED));
    return store_finish(&transaction, result);
}

static enum store_result clear(struct store *store, int64_t id)
{
    enum store_result result = STORE_DONE;
    for (bool last = false; result == STORE_DONE && !last;)
        result = clear_slice(store, id, &last);
    return result;
}

enum store_result store_remove_peer(struct store *store, int64_t id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = store_finish(&transaction, remove_row(&transaction, id, "peer remove"));
    return result == STORE_DONE ? clear(store, id) : result;
}

enum store_result store_clear_removed_peers(struct store *store)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ALL_PEERS_TO_CLEAR);
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && database_next(store->database, list, &result)) {
        int64_t id = database_read_integer(list, "id");
        sqlite3_reset(list->handle);
        result = clear(store, id);
    }
    return result;
}

enum store_result peers_forget_callsign(struct transaction *transaction, struct text callsign,
                                        bool *last)
{
    struct statement *list =
        database_statement(transaction->store->database, STATEMENT_LIST_CLAIMS_ABOUT);
    database_bind_text(list, ":worked", callsign);
    database_bind_integer(list, ":limit", SLICE);
    return remove_claims(transaction, list, last);
}

enum store_result peers_forget_member(struct transaction *transaction, int64_t member_id,
                                      bool *last)
{
    struct statement *list =
        store_member_statement(transaction->store, STATEMENT_LIST_CLAIMS_ABOUT_MEMBER, member_id);
    database_bind_integer(list, ":limit", SLICE);
    return remove_claims(transaction, list, last);
}
