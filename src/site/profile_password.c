/* POST /profile/data/password: the member's own choice, in place of the former password, which has
 * to be given unless an invitation has opened the session. It ends all other sessions. POST
 * /profile/data/prove: the password given once more, for the operator's page. What a password has
 * to be is left to base/password.c. */
#include "base/password.h"

#include <string.h>

#include "site/guesses.h"
#include "site/profile.h"
#include "store/sessions.h"

/* NULL where this is the member's password; *sign_in is filled then. */
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
    const struct json_fields *body;
    const struct error *error = profile_read_body(exchange, &body);
    if (error)
        return error;
    struct text password = json_read_text(body, "password");
    if (!password.bytes)
        return profile_refuse(exchange, "password", "is required");
    const char *fault = password_judge(password, exchange->member.callsign);
    if (fault)
        return profile_refuse(exchange, "password", fault);
    if (!exchange->identity.may_set_password)
        error = verify(exchange, "current", json_read_text(body, "current"), &sign_in);
    return error ? error : set_password(exchange, password);
}

static const struct error *answer_prove(struct exchange *exchange)
{
    struct sign_in sign_in;
    const struct json_fields *body;
    const struct error *error = profile_read_body(exchange, &body);
    if (!error)
        error = verify(exchange, "password", json_read_text(body, "password"), &sign_in);
    return error ? error
                 : profile_store_error(store_prove_session(exchange->store, &sign_in,
                                                           exchange->identity.key_number));
}

PROFILE_ROUTE(profile_password, METHOD_POST, "password", USES_STORE, 204, answer_password);
PROFILE_ROUTE(profile_prove, METHOD_POST, "prove", USES_STORE, 204, answer_prove);
