/* API keys and upload tokens: made, listed, revoked, and what was refused to a key last. Only the
 * fingerprint is kept, so that nobody who reads the logbook can use one. How a key looks is decided
 * in src/base/api_key.c; looking one up is credentials.c. */
#include "store/keys.h"

#include "base/clock.h"
#include "store/store.h"
#include "store/transaction.h"

/* What differs between them. */
static const struct kind {
    size_t hint_length;
    const char *act_add, *act_revoke;
    enum statement_name insert, list, revoke, note_use;
} kinds[] = {
    [CREDENTIAL_KEY] = {API_KEY_HINT_LENGTH, "key add", "key revoke", STATEMENT_INSERT_KEY,
                        STATEMENT_LIST_KEYS, STATEMENT_REVOKE_KEY, STATEMENT_UPDATE_KEY_LAST_USED},
    [CREDENTIAL_TOKEN] = {API_KEY_TOKEN_HINT_LENGTH, "upload-token add", "upload-token revoke",
                          STATEMENT_INSERT_TOKEN, STATEMENT_LIST_TOKENS, STATEMENT_REVOKE_TOKEN,
                          STATEMENT_UPDATE_TOKEN_LAST_USED},
    [CREDENTIAL_SESSION] = {.note_use = STATEMENT_UPDATE_SESSION_LAST_USED},
};

static enum store_result insert_key(struct transaction *transaction, int64_t member_id,
                                    const struct key *key, struct text secret)
{
    struct store *store = transaction->store;
    const struct kind *kind = &kinds[key->scope ? CREDENTIAL_KEY : CREDENTIAL_TOKEN];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct statement *insert = store_member_statement(store, kind->insert, member_id);
    api_key_fingerprint(secret, fingerprint);
    database_bind_text(insert, ":name", key->name);
    if (key->scope) {
        database_bind_text(insert, ":scope", text_of(store_scope_name(key->scope)));
    } else {
        database_bind_integer(insert, ":may_read", key->may_read);
        database_bind_integer(insert, ":is_polo", api_key_is(API_KEY_POLO, secret));
    }
    database_bind_blob(insert, ":fingerprint", fingerprint, sizeof fingerprint);
    database_bind_text(insert, ":hint", (struct text){secret.bytes, kind->hint_length});
    database_bind_integer(insert, ":created_at", transaction->written_at_ms);
    database_bind_integer_or_null(insert, ":made_by",
                                  store->writer ? store->writer->operator_id : 0);
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
    if (result != STORE_DONE)
        return result;
    result = insert_key(&transaction, member_id, key, text_of(secret));
    *number = sqlite3_last_insert_rowid(store->database->handle);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, kind->act_add, member_id, "%lld %.*s%s%s",
                                          (long long)*number, (int)key->name.length,
                                          key->name.bytes, *may ? ", " : "", may);
    return store_finish(&transaction, result);
}

static enum store_result visit_keys(struct store *store, struct statement *list, bool has_scope,
                                    key_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":now", clock_wall_ms());
    while (database_next(store->database, list, &result)) {
        struct key key = {
            .number = database_read_integer(list, "id"),
            .member = database_read_text(list, "callsign"),
            .name = database_read_text(list, "name"),
            .maker = database_read_text(list, "operator"),
            .scope =
                has_scope ? credentials_read_scope(database_read_text(list, "scope")) : SCOPE_NONE,
            .may_read = !has_scope && database_read_integer(list, "may_read") != 0,
            .is_polo = !has_scope && database_read_integer(list, "is_polo") != 0,
            .hint = database_read_text(list, "hint"),
            .created_at_ms = database_read_integer(list, "created_at"),
            .last_used_day = database_read_integer_or(list, "last_used_day", -1),
            .revoked_at_ms = database_read_integer(list, "revoked_at"),
        };
        visit(context, &key);
    }
    return result;
}

enum store_result store_list_keys(struct store *store, enum credential kind, int64_t member_id,
                                  key_visitor *visit, void *context)
{
    return visit_keys(store, store_member_statement(store, kinds[kind].list, member_id),
                      kind == CREDENTIAL_KEY, visit, context);
}

enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context)
{
    return visit_keys(store, database_statement(store->database, STATEMENT_LIST_ALL_KEYS), true,
                      visit, context);
}

enum store_result store_revoke_key(struct store *store, enum credential kind, int64_t member_id,
                                   int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update = store_member_statement(store, kinds[kind].revoke, member_id);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":revoked_at", transaction.written_at_ms);
    result = database_change(store->database, update);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, kinds[kind].act_revoke, member_id, "%lld",
                                          (long long)number);
    return store_finish(&transaction, result);
}

void store_note_use(struct store *store, enum credential kind, int64_t number, int64_t day)
{
    struct transaction transaction;
    if (store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    struct statement *update = database_statement(store->database, kinds[kind].note_use);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":last_used_day", day);
    store_finish(&transaction, database_run(store->database, update));
}

/* -- Refusals ---------------------------------------------------------------------------------- */

/* Its owner sees them on the profile page. A busy logbook is not waited for. How often each code
 * occurs is counted in logbook.c. */

void store_note_key_refusal(struct store *store, int64_t key_number, const struct refusal *refusal)
{
    struct transaction transaction;
    if (store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    struct statement *write = database_statement(store->database, STATEMENT_WRITE_KEY_REFUSAL);
    database_bind_integer(write, ":key_id", key_number);
    database_bind_integer(write, ":refused_at", refusal->refused_at_ms);
    database_bind_text(write, ":code", refusal->code);
    database_bind_text(write, ":field", refusal->field);
    database_bind_integer(write, ":entries", refusal->entries);
    store_finish(&transaction, database_run(store->database, write));
}

/* The texts are valid until the statement moves. */
static struct refusal read_refusal(const struct statement *row)
{
    return (struct refusal){
        .refused_at_ms = database_read_integer(row, "refused_at"),
        .code = database_read_text(row, "code"),
        .field = database_read_text(row, "field"),
        .entries = database_read_integer(row, "entries"),
    };
}

enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_KEY_REFUSAL);
    database_bind_integer(find, ":key_id", key_number);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = read_refusal(find);
    out->code = database_keep_text(find, "code", arena);
    out->field = database_keep_text(find, "field", arena);
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result store_list_key_refusals(struct store *store, int64_t limit,
                                          void (*visit)(void *context, struct text callsign,
                                                        struct text key_name,
                                                        const struct refusal *refusal),
                                          void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ALL_KEY_REFUSALS);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        const struct refusal refusal = read_refusal(list);
        visit(context, database_read_text(list, "callsign"), database_read_text(list, "name"),
              &refusal);
    }
    return result;
}
