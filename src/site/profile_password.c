/* POST /profile/data/password: a new password, which is shown in this answer only; the former one
 * stops working. It is made and not chosen, as by the operator's command. The store keeps the hash,
 * and the front server checks it. */
#include <string.h>

#include "base/password.h"
#include "json/write.h"
#include "site/profile.h"
#include "store/logins.h"

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *out = &exchange->response->body;
    char password[PASSWORD_LENGTH + 1], hash[PASSWORD_HASH_BYTES];
    const struct json_fields *body;
    const struct error *error = profile_read_body(exchange, &body);
    if (error)
        return error;
    if (!password_make(password) || !password_hash_made(password, hash))
        error = &error_internal;
    if (!error) {
        enum store_result result =
            store_set_login_password(exchange->store, exchange->member.login, hash);
        error = result == STORE_REFUSED ? &error_internal : profile_store_error(result);
    }
    if (!error) {
        buffer_append(out, "{", 1);
        json_write_text(out, "login", exchange->member.login);
        json_write_text(out, "password", text_of(password));
        buffer_append(out, "}", 1);
    }
    explicit_bzero(password, sizeof password);
    return error;
}

PROFILE_ROUTE(profile_password, METHOD_POST, "password", USES_STORE, 200, answer);
