/* The member's browsers that are signed in: GET /profile/data/devices lists them, DELETE signs one
 * out, or all others, and POST /profile/data/devices/link makes a link that signs in another
 * device, once and soon. A session's secret is never shown; it is known by a number. */
#include <string.h>

#include "base/api_key.h"
#include "base/password.h"
#include "json/write.h"
#include "site/address.h"
#include "site/guesses.h"
#include "site/html.h"
#include "site/profile.h"
#include "site/session.h"
#include "store/sessions.h"

static const struct error *answer_list(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    buffer_append(body, "{", 1);
    enum store_result result = session_write_items(exchange, exchange->member.id);
    json_write_integer(body, "max", SESSION_MAX);
    buffer_append(body, "}", 1);
    return profile_store_error(result);
}

static const struct error *answer_end_one(struct exchange *exchange)
{
    const struct error *error = profile_store_error(
        store_end_session(exchange->store, exchange->member.id, exchange->number));
    if (!error && exchange->number == exchange->identity.key_number)
        session_end_cookie(exchange);
    return error;
}

static const struct error *answer_end_others(struct exchange *exchange)
{
    return profile_store_error(
        store_end_sessions(exchange->store, exchange->member.id, exchange->identity.key_number));
}

/* -- Another device ---------------------------------------------------------------------------- */

static void write_link(struct exchange *exchange, const char *secret)
{
    struct buffer *body = &exchange->response->body;
    const char *link =
        arena_print(exchange->arena, "%s/welcome/#%s", address_of_service(exchange), secret);
    buffer_append(body, "{", 1);
    json_write_text(body, "link", text_of(link));
    json_write_integer(body, "validSeconds", DEVICE_LINK_MS / 1000);
    qr_write(body, "qr", link);
    buffer_append(body, "}", 1);
}

static const struct error *answer_link(struct exchange *exchange)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    char secret[API_KEY_LINK_LENGTH + 1];
    if (!api_key_make_link(secret))
        return &error_internal;
    api_key_fingerprint(text_of(secret), fingerprint);
    const struct error *error = profile_store_error(store_add_link(
        exchange->store, exchange->member.id, LINK_DEVICE, fingerprint, DEVICE_LINK_MS));
    if (!error)
        write_link(exchange, secret);
    explicit_bzero(secret, sizeof secret);
    return error;
}

PROFILE_ROUTE(profile_devices, METHOD_GET, "devices", USES_SNAPSHOT, 200, answer_list);
PROFILE_ROUTE(profile_end_device, METHOD_DELETE, "devices/{number}", USES_STORE, 204,
              answer_end_one);
PROFILE_ROUTE(profile_end_devices, METHOD_DELETE, "devices", USES_STORE, 204, answer_end_others);
PROFILE_ROUTE(profile_link_device, METHOD_POST, "devices/link", USES_STORE, 200, answer_link);

/* POST /profile/data/password: the member's own choice, in place of the former password, which has
 * to be given unless an invitation has opened the session. It ends all other sessions. POST
 * /profile/data/prove: the password given once more, for the operator's page. What a password has
 * to be is left to base/password.c. */

/* NULL if this is the member's password; *sign_in is filled then. */
static const struct error *verify(struct exchange *exchange, const char *field,
                                  struct text password, struct sign_in *sign_in)
{
    struct guess guess;
    if (!password.bytes)
        return profile_refuse(exchange, field, "is required");
    const struct guess_target target = {
        .name = exchange->member.callsign,
        .member_id = exchange->member.id,
        .is_signed_in = true,
    };
    const struct error *error = guess_begin(&guess, exchange->request, &target);
    if (error)
        return error;
    error = profile_store_error(
        store_find_member_sign_in(exchange->store, exchange->arena, exchange->member.id, sign_in));
    bool is_right = !error && password_verify(password, sign_in->password_hash);
    guess_end(&guess, !error && !is_right);
    return error || is_right ? error : profile_refuse(exchange, field, "is wrong");
}

static const struct error *set_password(struct exchange *exchange, struct text password)
{
    char hash[PASSWORD_HASH_BYTES];
    if (!password_hash(password, hash))
        return &error_internal;
    enum store_result result = store_set_password(exchange->store, exchange->member.id, hash,
                                                  exchange->identity.key_number);
    explicit_bzero(hash, sizeof hash);
    return profile_store_error(result);
}

static const struct error *answer_password(struct exchange *exchange)
{
    struct sign_in sign_in;
    const struct error *error = NULL;
    struct text password = json_read_text(exchange->sent, "password");
    if (!password.bytes)
        return profile_refuse(exchange, "password", "is required");
    const char *fault = password_judge(password, exchange->member.callsign);
    if (fault)
        return profile_refuse(exchange, "password", fault);
    if (!exchange->identity.may_set_password)
        error = verify(exchange, "current", json_read_text(exchange->sent, "current"), &sign_in);
    return error ? error : set_password(exchange, password);
}

static const struct error *answer_prove(struct exchange *exchange)
{
    struct sign_in sign_in;
    const struct error *error =
        verify(exchange, "password", json_read_text(exchange->sent, "password"), &sign_in);
    return error ? error
                 : profile_store_error(store_prove_session(exchange->store, &sign_in,
                                                           exchange->identity.key_number));
}

PROFILE_ROUTE(profile_password, METHOD_POST, "password", USES_STORE, 204, answer_password);
PROFILE_ROUTE(profile_prove, METHOD_POST, "prove", USES_STORE, 204, answer_prove);
