/* GET and POST /sign-in/passkey: a passkey signs a member in. profile/passkeys.c has the routes for
 * managing passkeys. */
#include "site/shared/submission.h"
#include "site/sign_in/browser.h"
#include "site/sign_in/routes.h"
#include "site/sign_in/signed.h"

static const struct error *answer_challenge(struct exchange *exchange)
{
    exchange->is_private = true;
    return signed_write_challenge(exchange, NULL);
}

static const struct error *answer_sign_in(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    struct passkey_use use = {0};
    TRY(browser_check(exchange));
    TRY(submission_read(exchange, signed_fields, values));
    const struct error *error = signed_read_use(exchange, values, &use);
    return signed_count_failure(exchange, error ? error : browser_open_by_passkey(exchange, &use));
}

PUBLIC_OBJECT_ROUTE(sign_in_challenge, METHOD_GET, "/sign-in/passkey", USES_SNAPSHOT,
                    answer_challenge);
PUBLIC_ROUTE(sign_in_by_passkey, METHOD_POST, "/sign-in/passkey", USES_STORE, 204, answer_sign_in,
             .body = &submission_body);
