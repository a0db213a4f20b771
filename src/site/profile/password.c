/* POST /profile/data/password: sets a new password. The old password is required unless an
 * invitation opened the session. All other sessions end. POST /profile/data/prove: checks the
 * password once more, for the operator's page. base/password_choice.c contains the rules for
 * passwords. */
#include "base/password.h"
#include "base/password_choice.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/session.h"
#include "site/sign_in/attempt.h"
#include "store/people/passwords.h"
#include "store/people/sessions.h"

/* Verifies that the field contains the member's password. Returns NULL and fills *sign_in, or
 * returns the error to answer with. */
static const struct error *verify(struct exchange *exchange, const char *field,
                                  struct sign_in *sign_in)
{
    struct attempt attempt;
    struct text password = json_read_text(exchange->sent, field);
    if (!password.bytes)
        return input_refuse(exchange, field, "is required");
    const struct attempted attempted = {.name = exchange->member.callsign,
                                        .member_id = exchange->member.id,
                                        .device = session_cookie(exchange)};
    TRY(attempt_begin(&attempt, exchange, &attempted));
    const struct error *error = profile_store_error(
        store_find_member_sign_in(exchange->store, exchange->arena, exchange->member.id, sign_in));
    bool is_right = !error && password_verify(password, sign_in->password_hash);
    attempt_end(&attempt, !error && !is_right);
    return error || is_right ? error : input_refuse(exchange, field, "is not valid");
}

static const struct error *answer_password(struct exchange *exchange)
{
    char *hash = arena_allocate(exchange->arena, PASSWORD_HASH_BYTES);
    struct sign_in sign_in;
    struct text password = json_read_text(exchange->sent, "password");
    const char *fault =
        password.bytes ? password_find_fault(password, exchange->member.callsign) : "is required";
    if (fault)
        return input_refuse(exchange, "password", fault);
    if (!exchange->identity.may_set_password)
        TRY(verify(exchange, "current", &sign_in));
    if (!password_hash(password, hash))
        return &error_internal;
    return profile_store_error(store_set_password(exchange->store, exchange->member.id, hash,
                                                  exchange->identity.key_number));
}

static const struct error *answer_prove(struct exchange *exchange)
{
    struct sign_in sign_in;
    TRY(verify(exchange, "password", &sign_in));
    return profile_store_error(
        store_prove_session(exchange->store, &sign_in, exchange->identity.key_number));
}

PROFILE_ROUTE(profile_password, METHOD_POST, "password", 204, answer_password,
              .body = &body_small_object);
PROFILE_ROUTE(profile_prove, METHOD_POST, "prove", 204, answer_prove, .body = &body_small_object);
