/* Lists, adds, renames and removes a member's passkeys, and accepts a passkey in place of the
 * password. Adding requires a recent password, invitation or other passkey, so that a browser left
 * open does not give a stranger lasting access. */
#include "base/base64.h"
#include "base/passkey.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/signed.h"

static void write_known(void *context, const struct passkey *passkey)
{
    struct exchange *exchange = context;
    struct text id =
        base64url_encode(passkey->credential.bytes, passkey->credential.length, exchange->arena);
    json_write_element(exchange->body);
    json_append_string(exchange->body, id.bytes, id.length);
}

/* Answers with a challenge and the ids of the member's passkeys. For a proof, one of these passkeys
 * must sign. For a new passkey, the authenticator must not already have one of these passkeys. */
static const struct error *answer_challenge(struct exchange *exchange)
{
    struct buffer *body = exchange->body;
    unsigned char user[PASSKEY_USER_BYTES] = {0};
    if (exchange->route == &route_profile_new_passkey)
        TRY(access_check_proof(exchange));
    TRY(signed_write_challenge(exchange, exchange->identity.fingerprint));
    TRY(profile_store_error(store_read_passkey_user(exchange->store, exchange->member.id, user)));
    json_write_fields(body, json_text("user", base64url_encode(user, sizeof user, exchange->arena)),
                      json_text("callsign", exchange->member.callsign));
    json_begin_array(body, "known");
    TRY(profile_store_error(
        store_list_passkeys(exchange->store, exchange->member.id, write_known, exchange)));
    buffer_append(body, "]", 1);
    return NULL;
}

static void write_item(void *context, const struct passkey *passkey)
{
    json_write_item(context, json_number("number", passkey->number),
                    json_text("name", passkey->name),
                    json_time("createdAt", passkey->created_at_ms),
                    json_day("lastUsedOn", passkey->last_used_day),
                    json_time("copiedAt", passkey->copied_at_ms));
}

static const struct error *answer_list(struct exchange *exchange)
{
    json_begin_array(exchange->body, "items");
    enum store_result result =
        store_list_passkeys(exchange->store, exchange->member.id, write_item, exchange->body);
    buffer_append(exchange->body, "]", 1);
    json_write_integer(exchange->body, "max", PASSKEY_MAX);
    return profile_store_error(result);
}

static void read_values(const struct json_fields *body, struct text values[])
{
    for (int i = 0; signed_fields[i]; i++)
        values[i] = json_read_text(body, signed_fields[i]);
}

static const struct error *refuse(struct exchange *exchange)
{
    return input_refuse(exchange, "passkey", "is not valid");
}

static const struct error *answer_add(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX], name;
    struct passkey_data data;
    struct answered answered = {.session = exchange->identity.fingerprint};
    TRY(access_check_proof(exchange));
    TRY(profile_read_name(exchange, &name));
    read_values(exchange->sent, values);
    TRY(signed_decode(exchange, values, SIGNED_CLIENT_DATA, SIGNED_AUTHENTICATOR_DATA));
    if (!signed_read_client_data(exchange, values[SIGNED_CLIENT_DATA], "webauthn.create",
                                 &answered) ||
        !passkey_read(values[SIGNED_AUTHENTICATOR_DATA], signed_rp_id(exchange), true, &data))
        return refuse(exchange);
    enum store_result result =
        store_add_passkey(exchange->store, exchange->member.id, name, &answered, &data);
    return result == STORE_NONE ? refuse(exchange) : profile_store_error(result);
}

static const struct error *answer_remove(struct exchange *exchange)
{
    return profile_store_error(store_remove_passkey(
        exchange->store, exchange->member.id, exchange->number, exchange->identity.key_number));
}

static const struct error *answer_rename(struct exchange *exchange)
{
    struct text name;
    TRY(profile_read_name(exchange, &name));
    return profile_store_error(
        store_rename_passkey(exchange->store, exchange->member.id, exchange->number, name));
}

static const struct error *prove(struct exchange *exchange, struct text values[])
{
    struct passkey_use use = {.answered.session = exchange->identity.fingerprint};
    TRY(signed_read_use(exchange, values, &use));
    if (use.owner.member_id != exchange->member.id)
        return &site_error_passkey_wrong;
    enum store_result result =
        store_prove_by_passkey(exchange->store, &use, exchange->identity.key_number);
    return result == STORE_NONE      ? &site_error_passkey_wrong
           : result == STORE_REFUSED ? &site_error_passkey_copied
                                     : profile_store_error(result);
}

/* Answers a wrong passkey with 400, because 401 would mean that the session has ended. */
static const struct error *answer_prove(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX];
    read_values(exchange->sent, values);
    const struct error *error = signed_count_failure(exchange, prove(exchange, values));
    return error == &site_error_passkey_wrong ? refuse(exchange) : error;
}

PROFILE_ROUTE(profile_passkeys, METHOD_GET, "passkeys", 200, answer_list);
PROFILE_ROUTE(profile_new_passkey, METHOD_GET, "passkeys/new", 200, answer_challenge);
PROFILE_ROUTE(profile_passkey_challenge, METHOD_GET, "passkeys/challenge", 200, answer_challenge);
PROFILE_ROUTE(profile_add_passkey, METHOD_POST, "passkeys", 204, answer_add,
              .body = &body_small_object);
PROFILE_ROUTE(profile_remove_passkey, METHOD_DELETE, "passkeys/{number}", 204, answer_remove);
PROFILE_ROUTE(profile_rename_passkey, METHOD_POST, "passkeys/{number}/rename", 204, answer_rename,
              .body = &body_small_object);
PROFILE_ROUTE(profile_prove_by_passkey, METHOD_POST, "passkeys/prove", 204, answer_prove,
              .body = &body_small_object);
