/* Creates, lists and revokes API keys and upload tokens. Only the fingerprint of a key is stored,
 * so nobody who reads the logbook can use the key. src/base/api_key.c decides the format of a key,
 * and store/credentials.c looks keys up. */
#include "store/people/keys.h"

#include "base/clock.h"
#include "store/operator_log.h"
#include "store/people/devices.h"
#include "store/store.h"
#include "store/transaction.h"

/* The differences between keys, tokens and sessions. */
static const struct kind {
    size_t hint_length;
    const char *act_add, *act_revoke;
    enum statement_name insert, list, revoke, has, has_name, note_use;
} kinds[] = {
    [CREDENTIAL_KEY] = {API_KEY_HINT_LENGTH, "key add", "key revoke", STATEMENT_INSERT_KEY,
                        STATEMENT_LIST_KEYS, STATEMENT_REVOKE_KEY, STATEMENT_HAS_ACTIVE_KEY,
                        STATEMENT_HAS_KEY_NAME, STATEMENT_UPDATE_KEY_LAST_USED},
    [CREDENTIAL_TOKEN] = {API_KEY_TOKEN_HINT_LENGTH, "upload-token add", "upload-token revoke",
                          STATEMENT_INSERT_TOKEN, STATEMENT_LIST_TOKENS, STATEMENT_REVOKE_TOKEN,
                          STATEMENT_HAS_ACTIVE_TOKEN, STATEMENT_HAS_TOKEN_NAME,
                          STATEMENT_UPDATE_TOKEN_LAST_USED},
    [CREDENTIAL_SESSION] = {.note_use = STATEMENT_UPDATE_SESSION_LAST_USED},
};

/* Inserts a key. The key's name must be unused, because lists and undo identify keys by their
 * names. Keys from older releases can share a name. */
static enum store_result insert_key(struct transaction *transaction, int64_t member_id,
                                    const struct key *key, struct text secret)
{
    struct store *store = transaction->store;
    const struct kind *kind = &kinds[key->scope ? CREDENTIAL_KEY : CREDENTIAL_TOKEN];
    const int64_t maker = store->writer ? store->writer->operator_id : 0;
    bool is_taken;
    enum store_result result =
        store_has(store, &is_taken, kind->has_name, BIND("member_id", member_id),
                  BIND_OR_NULL("made_by", maker), BIND("name", key->name));
    if (result != STORE_DONE || is_taken)
        return result == STORE_DONE ? STORE_CONFLICT : result;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(secret, fingerprint);
    struct statement *insert =
        store_with(store, kind->insert, BIND("member_id", member_id), BIND("name", key->name),
                   BIND_BLOB("fingerprint", fingerprint, sizeof fingerprint),
                   BIND("hint", ((struct text){secret.bytes, kind->hint_length})),
                   BIND("created_at", transaction->written_at_ms), BIND_OR_NULL("made_by", maker));
    if (key->scope)
        database_bind(insert, BOUND(BIND("scope", text_of(store_scope_name(key->scope))),
                                    BIND_IF(key->is_app, "session_id", key->session)));
    else
        database_bind(insert, BOUND(BIND("may_read", key->may_read),
                                    BIND("is_polo", api_key_is(API_KEY_POLO, secret))));
    return database_run(store->database, insert);
}

enum store_result store_add_key(struct store *store, int64_t member_id, const struct key *key,
                                const char *secret, int64_t *number)
{
    const char *may = key->scope                                  ? store_scope_name(key->scope)
                      : api_key_is(API_KEY_POLO, text_of(secret)) ? "PoLo"
                      : key->may_read                             ? "may read"
                                                                  : "";
    const struct kind *kind = &kinds[key->scope ? CREDENTIAL_KEY : CREDENTIAL_TOKEN];
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, insert_key(&transaction, member_id, key, text_of(secret)));
    *number = sqlite3_last_insert_rowid(store->database->handle);
    THEN(result, operator_log_note_member(&transaction, kind->act_add, member_id, "%lld %.*s%s%s",
                                          (long long)*number, (int)key->name.length,
                                          key->name.bytes, *may ? ", " : "", may));
    return store_finish(&transaction, result);
}

static const struct read_column key_columns[] = COLUMNS(
    COLUMN(key, number, "id"), COLUMN(key, member, "callsign"), COLUMN(key, name, "name"),
    COLUMN(key, maker, "operator"), COLUMN(key, hint, "hint"),
    COLUMN(key, created_at_ms, "created_at"), COLUMN_OR(key, last_used_day, "last_used_day", -1),
    COLUMN(key, program, "last_program"), COLUMN(key, revoked_at_ms, "revoked_at"),
    COLUMN_IF(key, may_read, "may_read"), COLUMN_IF(key, is_polo, "is_polo"),
    COLUMN_IF(key, is_app, "is_app"), COLUMN_IF(key, browser, "browser"));

ROW_READER(key_columns, STATEMENT_LIST_KEYS);
ROW_READER(key_columns, STATEMENT_LIST_ALL_KEYS);
ROW_READER(key_columns, STATEMENT_LIST_TOKENS);

static enum store_result visit_keys(struct store *store, struct statement *list, bool has_scope,
                                    key_visitor *visit, void *context)
{
    struct key key = {0};
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, key_columns, &key, &result)) {
        if (has_scope)
            key.scope = credentials_read_scope(database_read_text(list, "scope"));
        visit(context, &key);
    }
    return result;
}

enum store_result store_list_keys(struct store *store, enum credential kind, int64_t member_id,
                                  key_visitor *visit, void *context)
{
    return visit_keys(store,
                      store_with(store, kinds[kind].list, BIND("member_id", member_id),
                                 BIND("now", clock_wall_ms())),
                      kind == CREDENTIAL_KEY, visit, context);
}

enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context)
{
    return visit_keys(store,
                      store_with(store, STATEMENT_LIST_ALL_KEYS, BIND("now", clock_wall_ms())),
                      true, visit, context);
}

/* Revokes a key or token. A station's operators may revoke only the keys that they created. */
static enum store_result revoke(struct transaction *transaction, const struct kind *kind,
                                int64_t member_id, int64_t number)
{
    struct store *store = transaction->store;
    bool is_of_others = false;
    enum store_result result =
        store_change(store, kind->revoke, BIND("member_id", member_id), BIND("id", number),
                     BIND("revoked_at", transaction->written_at_ms),
                     BIND_OR_NULL("made_by", store->writer ? store->writer->operator_id : 0));
    if (result != STORE_NONE)
        return result;
    result = store_has(store, &is_of_others, kind->has, BIND("member_id", member_id),
                       BIND("id", number));
    return result != STORE_DONE ? result : is_of_others ? STORE_REFUSED : STORE_NONE;
}

enum store_result store_revoke_key(struct store *store, enum credential kind, int64_t member_id,
                                   int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, revoke(&transaction, &kinds[kind], member_id, number));
    if (kind == CREDENTIAL_KEY)
        THEN(result, devices_end_with_key(&transaction, member_id, number));
    THEN(result, operator_log_note_member(&transaction, kinds[kind].act_revoke, member_id, "%lld",
                                          (long long)number));
    return store_finish(&transaction, result);
}

enum store_result store_find_last_use(struct store *store, int64_t member_id, int64_t *day)
{
    return store_find_integer(store, "last_used_day", day, STATEMENT_FIND_LAST_USE,
                              BIND("member_id", member_id));
}

void store_record_use(struct store *store, enum credential kind, int64_t number, int64_t day,
                      const struct text *program)
{
    struct transaction transaction;
    enum store_result result = store_try_begin_write(store, &transaction);
    if (result == STORE_DONE) {
        struct statement *note =
            store_with(store, kinds[kind].note_use, BIND("id", number), BIND("last_used_day", day));
        if (program)
            database_bind(note, BOUND(BIND("last_program", *program)));
        result = database_run(store->database, note);
    }
    store_finish(&transaction, result);
}
