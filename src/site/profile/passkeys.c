/* Passkeys: GET and POST /sign-in/passkey sign a member in. Below /profile/data/ a member adds,
 * lists and removes passkeys, and uses one in place of the password. Adding requires a recent
 * password, invitation or other passkey, so that a browser left open does not become a way in. All
 * faults of a passkey have the same answer. */
#include <ctype.h>

#include "base/base64.h"
#include "base/passkey.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/awards.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/access.h"
#include "site/shared/address.h"
#include "site/shared/origin.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/sign_in.h"
#include "site/sign_in/sign_in_throttle.h"

/* The fields that a browser sends, each in base64url. */
enum { CREDENTIAL, CLIENT_DATA, AUTHENTICATOR_DATA, SIGNATURE };
static const char *const names[] = {"credential", "clientData", "authenticatorData", "signature",
                                    NULL};
_Static_assert(sizeof names / sizeof *names - 1 == SUBMISSION_FIELDS_MAX, "all fields are read");

/* -- What was signed --------------------------------------------------------------------------- */

/* The name under which authenticators store passkeys: the host of the service's own address. */
static struct text rp_id_of(struct exchange *exchange)
{
    struct web_address own = {0};
    host_read_address(text_of(address_of_service(exchange)), &own);
    char *id = arena_copy(exchange->arena, own.host.name.bytes, own.host.name.length);
    for (char *next = id; *next; next++)
        *next = (char)tolower((unsigned char)*next);
    return text_of(id);
}

static const struct error *decode(struct exchange *exchange, struct text values[], int first,
                                  int last)
{
    for (int i = first; i <= last; i++) {
        values[i] = base64url_decode(values[i], exchange->arena);
        if (!values[i].bytes)
            return input_refuse(exchange, names[i], "must be base64url");
    }
    return NULL;
}

/* The browser's data about the requesting page (section 5.8.1). */
static bool read_client_data(struct exchange *exchange, struct text json, const char *type,
                             struct answered *answered)
{
    static const struct json_bounds bounds = {.items_max = 64};
    const char *message;
    const struct json_fields *data = json_read_object(json, &bounds, exchange->arena, &message);
    struct text origin = data ? json_read_text(data, "origin") : (struct text){0};
    if (!origin.bytes || text_has_nul(origin) || json_read_flag(data, "crossOrigin") ||
        !text_equals(json_read_text(data, "type"), text_of(type)) ||
        !origin_is_own(exchange, arena_copy(exchange->arena, origin.bytes, origin.length)))
        return false;
    answered->challenge = base64url_decode(json_read_text(data, "challenge"), exchange->arena);
    return answered->challenge.bytes != NULL;
}

/* NULL if an active member's passkey has signed for our page; *use is filled except for the
 * session. */
static const struct error *read_use(struct exchange *exchange, struct text values[],
                                    struct passkey_use *use)
{
    struct passkey_data data;
    TRY(decode(exchange, values, CREDENTIAL, SIGNATURE));
    enum store_result result = store_find_passkey(exchange->store, values[CREDENTIAL], &use->owner);
    TRY(route_find_error(result, NULL));
    if (result == STORE_NONE ||
        !read_client_data(exchange, values[CLIENT_DATA], "webauthn.get", &use->answered) ||
        !passkey_read(values[AUTHENTICATOR_DATA], rp_id_of(exchange), false, &data) ||
        !passkey_verify(use->owner.point, values[AUTHENTICATOR_DATA], values[CLIENT_DATA],
                        values[SIGNATURE]))
        return &site_error_passkey_wrong;
    use->sign_count = data.sign_count;
    return NULL;
}

/* -- Challenges -------------------------------------------------------------------------------- */

static const struct error *write_challenge(struct exchange *exchange, const unsigned char *session)
{
    struct buffer *body = exchange->body;
    unsigned char challenge[CHALLENGE_BYTES];
    TRY(profile_store_error(
        store_make_challenge(exchange->store, exchange->request->arrived_ms, session, challenge)));
    json_write_fields(
        body,
        json_text("challenge", base64url_encode(challenge, sizeof challenge, exchange->arena)),
        json_text("rpId", rp_id_of(exchange)));
    return NULL;
}

static const struct error *answer_sign_in_challenge(struct exchange *exchange)
{
    exchange->is_private = true;
    return write_challenge(exchange, NULL);
}

static void write_known(void *context, const struct passkey *passkey)
{
    struct exchange *exchange = context;
    struct text id =
        base64url_encode(passkey->credential.bytes, passkey->credential.length, exchange->arena);
    json_write_element(exchange->body);
    json_append_string(exchange->body, id.bytes, id.length);
}

/* Includes the ids of the member's passkeys: one of them must sign, or none of them may be created
 * again. */
static const struct error *answer_challenge(struct exchange *exchange)
{
    struct buffer *body = exchange->body;
    unsigned char user[PASSKEY_USER_BYTES] = {0};
    if (exchange->route == &route_profile_new_passkey)
        TRY(access_check_proof(exchange));
    TRY(write_challenge(exchange, exchange->identity.fingerprint));
    TRY(profile_store_error(store_read_passkey_user(exchange->store, exchange->member.id, user)));
    json_write_fields(body, json_text("user", base64url_encode(user, sizeof user, exchange->arena)),
                      json_text("callsign", exchange->member.callsign));
    json_begin_array(body, "known");
    TRY(profile_store_error(
        store_list_passkeys(exchange->store, exchange->member.id, write_known, exchange)));
    buffer_append(body, "]", 1);
    return NULL;
}

/* -- The member's list ------------------------------------------------------------------------- */

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
    for (int i = 0; names[i]; i++)
        values[i] = json_read_text(body, names[i]);
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
    TRY(decode(exchange, values, CLIENT_DATA, AUTHENTICATOR_DATA));
    if (!read_client_data(exchange, values[CLIENT_DATA], "webauthn.create", &answered) ||
        !passkey_read(values[AUTHENTICATOR_DATA], rp_id_of(exchange), true, &data))
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

/* -- Using one --------------------------------------------------------------------------------- */

static const struct error *count_failure(struct exchange *exchange, const struct error *error)
{
    const bool is_counted =
        error == &site_error_passkey_wrong || error == &site_error_passkey_copied;
    return is_counted ? attempt_note_failure(exchange, error) : error;
}

static const struct error *answer_sign_in(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    struct passkey_use use = {0};
    TRY(sign_in_check(exchange));
    TRY(submission_read(exchange, names, values));
    const struct error *error = read_use(exchange, values, &use);
    return count_failure(exchange, error ? error : sign_in_by_passkey(exchange, &use));
}

static const struct error *prove(struct exchange *exchange, struct text values[])
{
    struct passkey_use use = {.answered.session = exchange->identity.fingerprint};
    TRY(read_use(exchange, values, &use));
    if (use.owner.member_id != exchange->member.id)
        return &site_error_passkey_wrong;
    enum store_result result =
        store_prove_by_passkey(exchange->store, &use, exchange->identity.key_number);
    return result == STORE_NONE      ? &site_error_passkey_wrong
           : result == STORE_REFUSED ? &site_error_passkey_copied
                                     : profile_store_error(result);
}

/* 401 would mean that the session has ended. */
static const struct error *answer_prove(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX];
    read_values(exchange->sent, values);
    const struct error *error = count_failure(exchange, prove(exchange, values));
    return error == &site_error_passkey_wrong ? refuse(exchange) : error;
}

PUBLIC_OBJECT_ROUTE(sign_in_challenge, METHOD_GET, "/sign-in/passkey", USES_SNAPSHOT,
                    answer_sign_in_challenge);
PUBLIC_ROUTE(sign_in_by_passkey, METHOD_POST, "/sign-in/passkey", USES_STORE, 204, answer_sign_in,
             .body = &submission_body);
PROFILE_ROUTE(profile_passkeys, METHOD_GET, "passkeys", 200, answer_list);
PROFILE_ROUTE(profile_new_passkey, METHOD_GET, "passkeys/new", 200, answer_challenge);
PROFILE_ROUTE(profile_passkey_challenge, METHOD_GET, "passkeys/challenge", 200, answer_challenge);
PROFILE_ROUTE(profile_add_passkey, METHOD_POST, "passkeys", 204, answer_add,
              .body = &body_small_object);
PROFILE_ROUTE(profile_remove_passkey, METHOD_DELETE, "passkeys/{number}", 204, answer_remove);
PROFILE_ROUTE(profile_prove_by_passkey, METHOD_POST, "passkeys/prove", 204, answer_prove,
              .body = &body_small_object);
