/* The member's API keys and upload tokens: lists, creates and revokes them. A secret appears only
 * in the answer that created it. The store defines the rules, such as the maximum number of keys
 * and tokens. */
#include "base/api_key.h"
#include "json/write.h"
#include "json/write_object.h"
#include "links/setup_link.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/address.h"
#include "site/shared/qr.h"
#include "site/shared/site_error.h"
#include "store/log/polo_list.h"
#include "store/people/keys.h"
#include "store/people/sessions.h"

static void write_refusal(struct exchange *exchange, int64_t number)
{
    struct refusal refusal;
    if (store_find_key_refusal(exchange->store, exchange->arena, number, &refusal) != STORE_DONE)
        json_write_null(exchange->body, "lastRefusal");
    else
        json_write_object(exchange->body, "lastRefusal", json_time("at", refusal.refused_at_ms),
                          json_text("code", refusal.code), json_text("field", refusal.field),
                          json_integer("count", refusal.entries));
}

static void visit_key(void *context, const struct key *key)
{
    struct exchange *exchange = context;
    if (key->revoked_at_ms)
        return;
    json_begin_item(exchange->body);
    json_write_fields(exchange->body, json_number("number", key->number),
                      json_text("name", key->name), json_text("hint", key->hint),
                      json_text("madeBy", key->maker), json_time("createdAt", key->created_at_ms),
                      json_day("lastUsedOn", key->last_used_day),
                      json_text("lastUsedBy", key->program));
    if (key->scope) {
        json_write_flag(exchange->body, "isApp", key->is_app);
        json_write_text(exchange->body, "scope", text_of(store_scope_name(key->scope)));
        write_refusal(exchange, key->number);
    } else {
        json_write_fields(exchange->body, json_flag("mayRead", key->may_read),
                          json_flag("isPolo", key->is_polo));
    }
    buffer_append(exchange->body, "}", 1);
}

static void visit_reason(void *context, struct text reason, int64_t records)
{
    json_write_item(context, json_text("reason", reason), json_integer("count", records));
}

/* Answers with the keys or the tokens. The answer about tokens also contains the reasons why QSOs
 * from PoLo were not added to the log, because PoLo cannot show these reasons. */
static const struct error *answer_credentials(struct exchange *exchange)
{
    const bool are_keys = exchange->route == &route_profile_keys;
    enum store_result result = STORE_DONE;
    if (!are_keys) {
        json_begin_array(exchange->body, "poloRejections");
        result = store_polo_list_reasons(exchange->store, exchange->member.id, visit_reason,
                                         exchange->body);
        buffer_append(exchange->body, "]", 1);
    }
    json_begin_array(exchange->body, "items");
    THEN(result, store_list_keys(exchange->store, are_keys ? CREDENTIAL_KEY : CREDENTIAL_TOKEN,
                                 exchange->member.id, visit_key, exchange));
    buffer_append(exchange->body, "]", 1);
    json_write_integer(exchange->body, "max", KEY_ACTIVE_MAX);
    return profile_store_error(result);
}

static const struct error *read_scope(struct exchange *exchange, enum scope *scope)
{
    struct text text = json_read_text(exchange->sent, "scope");
    for (*scope = SCOPE_READ; *scope <= SCOPE_WRITE; (*scope)++)
        if (text_equals(text, text_of(store_scope_name(*scope))))
            return NULL;
    return input_refuse(exchange, "scope", "must be READ or WRITE");
}

/* Reads whether the key is for the service's own app, in this browser or on another device. */
static const struct error *read_app(struct exchange *exchange, struct key *wanted)
{
    struct text app = json_read_text(exchange->sent, "app");
    const bool is_here = text_equals(app, text_of("here"));
    wanted->is_app = app.bytes != NULL;
    wanted->session = is_here ? exchange->identity.key_number : 0;
    return !wanted->is_app || is_here || text_equals(app, text_of("elsewhere"))
               ? NULL
               : input_refuse(exchange, "app", "must be here or elsewhere");
}

/* Creates a secret and stores its fingerprint. */
static const struct error *add(struct exchange *exchange, enum api_key_kind kind,
                               const struct key *wanted, char **secret, int64_t *number)
{
    *secret =
        /* No secret is longer than a peer's key. */
        arena_allocate(exchange->arena, API_KEY_PEER_LENGTH + 1);
    api_key_make(kind, *secret);
    enum store_result result =
        store_add_key(exchange->store, exchange->member.id, wanted, *secret, number);
    return result == STORE_CONFLICT ? &site_error_name_taken : profile_store_error(result);
}

/* Creates a key, and answers with the data for setting up a program. The service's own app needs a
 * key that may write, so the answer contains no QR code for the app if the key is read-only. */
static const struct error *answer_add_key(struct exchange *exchange)
{
    const char *address = address_below(exchange, "/api/v1");
    struct key wanted = {0};
    char *key;
    int64_t number;
    TRY(profile_read_name(exchange, &wanted.name));
    TRY(read_scope(exchange, &wanted.scope));
    TRY(read_app(exchange, &wanted));
    TRY(add(exchange, API_KEY_KEY, &wanted, &key, &number));
    json_write_fields(exchange->body, json_number("number", number), json_text("key", text_of(key)),
                      json_text("address", text_of(address)));
    qr_write(exchange->body, "qr", setup_link_make(exchange->arena, address, key));
    if (wanted.scope == SCOPE_WRITE)
        qr_write(exchange->body, "app",
                 setup_link_make_app(exchange->arena, address_of_service(exchange), key));
    else
        json_write_null(exchange->body, "app");
    return NULL;
}

/* Creates a token, and answers with the data for the program. PoLo needs only one address, which
 * contains the token. */
static const struct error *answer_add_token(struct exchange *exchange)
{
    struct key wanted = {0};
    char *token;
    int64_t number;
    bool is_polo;
    TRY(profile_read_name(exchange, &wanted.name));
    TRY(profile_read_optional_flag(exchange, "mayRead", &wanted.may_read));
    TRY(profile_read_optional_flag(exchange, "isPolo", &is_polo));
    TRY(add(exchange, is_polo ? API_KEY_POLO : API_KEY_TOKEN, &wanted, &token, &number));
    const char *address =
        is_polo ? arena_print(exchange->arena, "%s/lofi/%s", address_of_service(exchange), token)
                : address_below(exchange, "/cloudlog");
    json_write_fields(exchange->body, json_number("number", number),
                      json_text("token", text_of(token)), json_text("address", text_of(address)));
    if (is_polo)
        qr_write(exchange->body, "qr", address);
    return NULL;
}

static const struct error *answer_revoke(struct exchange *exchange)
{
    bool is_key = exchange->route == &route_profile_revoke_key;
    const enum store_result result =
        store_revoke_key(exchange->store, is_key ? CREDENTIAL_KEY : CREDENTIAL_TOKEN,
                         exchange->member.id, exchange->number);
    return result == STORE_REFUSED ? &site_error_made_by_other : profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_keys, METHOD_GET, "keys", 200, answer_credentials);
PROFILE_ROUTE_OF_LOG(profile_add_key, METHOD_POST, "keys", 201, answer_add_key,
                     .body = &body_small_object);
PROFILE_ROUTE_OF_LOG(profile_revoke_key, METHOD_POST, "keys/{number}/revoke", 204, answer_revoke,
                     .body = &body_small_object);
PROFILE_ROUTE_OF_LOG(profile_tokens, METHOD_GET, "tokens", 200, answer_credentials);
PROFILE_ROUTE_OF_LOG(profile_add_token, METHOD_POST, "tokens", 201, answer_add_token,
                     .body = &body_small_object);
PROFILE_ROUTE_OF_LOG(profile_revoke_token, METHOD_POST, "tokens/{number}/revoke", 204,
                     answer_revoke, .body = &body_small_object);
