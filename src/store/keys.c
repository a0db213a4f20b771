/* API keys and upload tokens, of which only the fingerprint is kept. */
#include <string.h>

#include "store/database.h"

/* What differs between the two. */
static const struct kind {
    enum credential credential;
    size_t hint_length;
    bool has_scope;
    enum statement_name insert, list, revoke, find, note_use;
} api_keys = {CREDENTIAL_KEY,          API_KEY_HINT_LENGTH,           true,
              STATEMENT_INSERT_KEY,    STATEMENT_LIST_KEYS,           STATEMENT_REVOKE_KEY,
              STATEMENT_FIND_IDENTITY, STATEMENT_UPDATE_KEY_LAST_USED},
  upload_tokens = {CREDENTIAL_TOKEN,       API_KEY_TOKEN_HINT_LENGTH,       false,
                   STATEMENT_INSERT_TOKEN, STATEMENT_LIST_TOKENS,           STATEMENT_REVOKE_TOKEN,
                   STATEMENT_FIND_TOKEN,   STATEMENT_UPDATE_TOKEN_LAST_USED};

static enum scope scope_of(struct text name)
{
    return text_equals(name, text_of("WRITE")) ? SCOPE_WRITE : SCOPE_READ;
}

const char *store_scope_name(enum scope scope)
{
    return scope == SCOPE_WRITE ? "WRITE" : "READ";
}

static enum store_result add(struct store *store, const struct kind *kind, int64_t member_id,
                             struct text name, enum scope scope, const char *key, int64_t *number)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    int64_t stamp_ms;
    if (!api_key_fingerprint(text_of(key), fingerprint))
        return STORE_BROKEN;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    struct text hint = {key, kind->hint_length};
    struct statement *insert = database_statement(store, kind->insert);
    database_bind_integer(insert, ":member_id", member_id);
    database_bind_text(insert, ":name", name);
    if (kind->has_scope)
        database_bind_text(insert, ":scope", text_of(store_scope_name(scope)));
    database_bind_blob(insert, ":fingerprint", fingerprint, sizeof fingerprint);
    database_bind_text(insert, ":hint", hint);
    database_bind_integer(insert, ":created_at", store->written_at_ms);
    result = database_run(store, insert);
    int64_t inserted = sqlite3_last_insert_rowid(store->database);
    result = store_finish(store, result);
    if (result == STORE_DONE)
        *number = inserted;
    return result;
}

enum store_result store_add_key(struct store *store, int64_t member_id, struct text name,
                                enum scope scope, const char *key, int64_t *number)
{
    return add(store, &api_keys, member_id, name, scope, key, number);
}

enum store_result store_add_token(struct store *store, int64_t member_id, struct text name,
                                  const char *token, int64_t *number)
{
    return add(store, &upload_tokens, member_id, name, SCOPE_NONE, token, number);
}

enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out)
{
    struct statement *find = database_statement(store, STATEMENT_FIND_KEY_STATE);
    database_bind_blob(find, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    enum store_result result = database_step(store, find);
    if (result == STORE_DONE)
        *out = (struct key_state){
            .callsign = database_keep_text(find, "callsign", arena),
            .revoked_at_ms = database_read_integer(find, "revoked_at"),
            .member_is_active = database_read_integer(find, "active") != 0,
        };
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result visit_keys(struct store *store, struct statement *list,
                                    void (*visit)(void *context, const struct key *key),
                                    void *context)
{
    enum store_result result = STORE_DONE;
    while (database_next(store, list, &result)) {
        struct key key = {
            .number = database_read_integer(list, "id"),
            .member = database_read_text(list, "callsign"),
            .name = database_read_text(list, "name"),
            .scope = scope_of(database_read_text(list, "scope")),
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
                                        int64_t member_id,
                                        void (*visit)(void *context, const struct key *key),
                                        void *context)
{
    struct statement *list = database_statement(store, kind->list);
    database_bind_integer(list, ":member_id", member_id);
    return visit_keys(store, list, visit, context);
}

enum store_result store_list_keys(struct store *store, int64_t member_id,
                                  void (*visit)(void *context, const struct key *key),
                                  void *context)
{
    return list_of_member(store, &api_keys, member_id, visit, context);
}

enum store_result store_list_tokens(struct store *store, int64_t member_id,
                                    void (*visit)(void *context, const struct key *key),
                                    void *context)
{
    return list_of_member(store, &upload_tokens, member_id, visit, context);
}

enum store_result store_list_all_keys(struct store *store,
                                      void (*visit)(void *context, const struct key *key),
                                      void *context)
{
    return visit_keys(store, database_statement(store, STATEMENT_LIST_ALL_KEYS), visit, context);
}

static enum store_result revoke(struct store *store, const struct kind *kind, int64_t member_id,
                                int64_t number)
{
    int64_t stamp_ms;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store, kind->revoke);
    database_bind_integer(update, ":member_id", member_id);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":revoked_at", store->written_at_ms);
    result = database_run(store, update);
    if (result == STORE_DONE && sqlite3_changes(store->database) == 0)
        result = STORE_NONE;
    return store_finish(store, result);
}

enum store_result store_revoke_key(struct store *store, int64_t member_id, int64_t number)
{
    return revoke(store, &api_keys, member_id, number);
}

enum store_result store_revoke_token(struct store *store, int64_t member_id, int64_t number)
{
    return revoke(store, &upload_tokens, member_id, number);
}

static enum store_result find(struct store *store, const struct kind *kind, struct arena *arena,
                              const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                              struct identity *out)
{
    struct statement *row = database_statement(store, kind->find);
    database_bind_blob(row, ":fingerprint", fingerprint, API_KEY_FINGERPRINT_BYTES);
    enum store_result result = database_step(store, row);
    if (result != STORE_DONE)
        return result;
    *out = (struct identity){
        .credential = kind->credential,
        .key_number = database_read_integer(row, "id"),
        .scope = scope_of(database_read_text(row, "scope")),
        .member_id = database_read_integer(row, "member_id"),
        .callsign = database_keep_text(row, "callsign", arena),
        .locator = database_keep_text(row, "locator", arena),
        .log_revision = database_read_integer(row, "log_revision"),
        .log_epoch = database_read_integer(row, "log_epoch"),
        .last_stamp_ms = database_read_integer(row, "last_stamp"),
        .restored_ms = database_read_integer(row, "restored_at"),
        .last_used_day = database_read_integer_or(row, "last_used_day", -1),
    };
    memcpy(out->fingerprint, database_read_blob(row, "fingerprint"), API_KEY_FINGERPRINT_BYTES);
    sqlite3_reset(row->handle);
    return STORE_DONE;
}

enum store_result store_find_identity(struct store *store, struct arena *arena,
                                      const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                      struct identity *out)
{
    return find(store, &api_keys, arena, fingerprint, out);
}

enum store_result store_find_token(struct store *store, struct arena *arena,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   struct identity *out)
{
    return find(store, &upload_tokens, arena, fingerprint, out);
}

/* The login name still belongs to the same, active member. */
static enum store_result renew_login(struct store *store, struct arena *arena,
                                     struct identity *identity)
{
    struct member member;
    enum store_result result = store_find_login(store, arena, identity->login, &member);
    if (result != STORE_DONE)
        return result;
    identity->callsign = member.callsign;
    identity->locator = member.locator;
    return member.id == identity->member_id ? STORE_DONE : STORE_NONE;
}

static enum store_result renew(struct store *store)
{
    struct identity *writer = store->writer;
    switch (writer->credential) {
    case CREDENTIAL_KEY:
        return find(store, &api_keys, store->writer_arena, writer->fingerprint, writer);
    case CREDENTIAL_TOKEN:
        return find(store, &upload_tokens, store->writer_arena, writer->fingerprint, writer);
    case CREDENTIAL_LOGIN:
        return renew_login(store, store->writer_arena, writer);
    case CREDENTIAL_NONE:
        break;
    }
    return STORE_DONE;
}

void store_write_as(struct store *store, struct arena *arena, struct identity *identity)
{
    store->renew_writer = renew;
    store->writer = identity;
    store->writer_arena = arena;
}

enum store_result store_begin_write_as(struct store *store, struct arena *arena,
                                       struct identity *identity, int64_t *stamp_ms)
{
    store_write_as(store, arena, identity);
    enum store_result result = store_begin_write(store, stamp_ms);
    store_write_as(store, NULL, NULL);
    return result;
}

static void note_use(struct store *store, const struct kind *kind, int64_t number, int64_t day)
{
    int64_t stamp_ms;
    if (store_try_begin_write(store, &stamp_ms) != STORE_DONE)
        return;
    struct statement *update = database_statement(store, kind->note_use);
    database_bind_integer(update, ":id", number);
    database_bind_integer(update, ":last_used_day", day);
    store_finish(store, database_run(store, update));
}

void store_note_key_use(struct store *store, int64_t key_number, int64_t day)
{
    note_use(store, &api_keys, key_number, day);
}

void store_note_token_use(struct store *store, int64_t token_number, int64_t day)
{
    note_use(store, &upload_tokens, token_number, day);
}
