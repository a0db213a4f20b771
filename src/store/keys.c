/* API keys and upload tokens: made, listed, revoked. Only the fingerprint is kept, so that nobody
 * who reads the logbook can use one. How a key looks is decided in src/base/api_key.c; looking one
 * up is credentials.c. */
#include "store/keys.h"

#include "base/clock.h"
#include "store/logbook.h"
#include "store/operator_log.h"
#include "store/store.h"
#include "store/transaction.h"

/* What differs between the two. */
static const struct kind {
    size_t hint_length;
    bool has_scope;
    const char *act_add, *act_revoke;
    enum statement_name insert, list, revoke, note_use;
} api_keys = {API_KEY_HINT_LENGTH,
              true,
              "key add",
              "key revoke",
              STATEMENT_INSERT_KEY,
              STATEMENT_LIST_KEYS,
              STATEMENT_REVOKE_KEY,
              STATEMENT_UPDATE_KEY_LAST_USED},
  upload_tokens = {API_KEY_TOKEN_HINT_LENGTH, false,
                   "upload-token add",        "upload-token revoke",
                   STATEMENT_INSERT_TOKEN,    STATEMENT_LIST_TOKENS,
                   STATEMENT_REVOKE_TOKEN,    STATEMENT_UPDATE_TOKEN_LAST_USED};

static enum store_result add(struct store *store, const struct kind *kind, int64_t member_id,
                             struct text name, enum scope scope, bool may_read, const char *key,
                             int64_t *number)
{
    const bool is_polo = api_key_is_polo(text_of(key));
    const char *may = kind->has_scope ? store_scope_name(scope)
                      : is_polo       ? "PoLo"
                      : may_read      ? "may read"
                                      : "";
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct transaction transaction;
    api_key_fingerprint(text_of(key), fingerprint);
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct text hint = {key, kind->hint_length};
    struct statement *insert = database_statement(store->database, kind->insert);
    database_bind_integer(insert, ":member_id", member_id);
    database_bind_text(insert, ":name", name);
    if (kind->has_scope) {
        database_bind_text(insert, ":scope", text_of(store_scope_name(scope)));
    } else {
        database_bind_integer(insert, ":may_read", may_read);
        database_bind_integer(insert, ":is_polo", is_polo);
    }
    database_bind_blob(insert, ":fingerprint", fingerprint, sizeof fingerprint);
    database_bind_text(insert, ":hint", hint);
    database_bind_integer(insert, ":created_at", transaction.written_at_ms);
    if (store->writer && store->writer->operator_id)
        database_bind_integer(insert, ":made_by", store->writer->operator_id);
    else
        database_bind_null(insert, ":made_by");
    result = database_run(store->database, insert);
    int64_t inserted = sqlite3_last_insert_rowid(store->database->handle);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, kind->act_add, member_id, "%lld %.*s%s%s",
                                          (long long)inserted, (int)name.length, name.bytes,
                                          *may ? ", " : "", may);
    result = store_finish(&transaction, result);
    if (result == STORE_DONE)
        *number = inserted;
    return result;
}

enum store_result store_add_key(struct store *store, int64_t member_id, struct text name,
                                enum scope scope, const char *key, int64_t *number)
{
    return add(store, &api_keys, member_id, name, scope, false, key, number);
}

enum store_result store_add_token(struct store *store, int64_t member_id, struct text name,
                                  bool may_read, const char *token, int64_t *number)
{
    return add(store, &upload_tokens, member_id, name, SCOPE_NONE, may_read, token, number);
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

static enum store_result list_of_member(struct store *store, const struct kind *kind,
                                        int64_t member_id, key_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, kind->list);
    database_bind_integer(list, ":member_id", member_id);
    return visit_keys(store, list, kind->has_scope, visit, context);
}

enum store_result store_list_keys(struct store *store, int64_t member_id, key_visitor *visit,
                                  void *context)
{
    return list_of_member(store, &api_keys, member_id, visit, context);
}

enum store_result store_list_tokens(struct store *store, int64_t member_id, key_visitor *visit,
                                    void *context)
{
    return list_of_member(store, &upload_tokens, member_id, visit, context);
}

enum store_result store_list_all_keys(struct store *store, key_visitor *visit, void *context)
{
    return visit_keys(store, database_statement(store->database, STATEMENT_LIST_ALL_KEYS), true,
                      visit, context);
}

static enum store_result revoke(struct store *store, const struct kind *kind, int64_t member_id,
                                int64_t number)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store->database, kind->revoke);
    database_bind_integer(update, ":member_id", member_id);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":revoked_at", transaction.written_at_ms);
    result = database_change(store->database, update);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, kind->act_revoke, member_id, "%lld",
                                          (long long)number);
    return store_finish(&transaction, result);
}

enum store_result store_revoke_key(struct store *store, int64_t member_id, int64_t number)
{
    return revoke(store, &api_keys, member_id, number);
}

enum store_result store_revoke_token(struct store *store, int64_t member_id, int64_t number)
{
    return revoke(store, &upload_tokens, member_id, number);
}

static void note_use(struct store *store, const struct kind *kind, int64_t number, int64_t day)
{
    struct transaction transaction;
    if (store_try_begin_write(store, &transaction) != STORE_DONE)
        return;
    struct statement *update = database_statement(store->database, kind->note_use);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":last_used_day", day);
    store_finish(&transaction, database_run(store->database, update));
}

void store_note_key_use(struct store *store, int64_t key_number, int64_t day)
{
    note_use(store, &api_keys, key_number, day);
}

void store_note_token_use(struct store *store, int64_t token_number, int64_t day)
{
    note_use(store, &upload_tokens, token_number, day);
}

/* -- Whether uploads are on -------------------------------------------------------------------- */

/* The operator decides it for the whole logbook. The stamp of that decision is kept, because a
 * restore lets the later one count. */

enum store_result store_read_uploads(struct store *store, bool *on)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_UPLOADS);
    enum store_result result = database_step(store->database, read);
    if (result != STORE_DONE)
        return result;
    *on = database_read_integer(read, "uploads") != 0;
    sqlite3_reset(read->handle);
    return STORE_DONE;
}

enum store_result store_set_uploads(struct store *store, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_UPLOADS);
    database_bind_integer(update, ":uploads", on);
    database_bind_integer(update, ":uploads_set_at", transaction.stamp_ms);
    result = database_run(store->database, update);
    if (result == STORE_DONE)
        result = operator_log_note(&transaction, on ? "uploads on" : "uploads off",
                                   (struct text){0}, (struct text){0});
    return store_finish(&transaction, result);
}
