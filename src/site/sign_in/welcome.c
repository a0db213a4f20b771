/* GET and POST /welcome/: a link signs a member in, once. The secret is the part of the address
 * after the #, which the page's script sends. A person can also paste the whole link. POST
 * /welcome/look describes a link without using it: for whom, until when, and from whom. */
#include <string.h>

#include "json/write_object.h"
#include "site/shared/site_error.h"
#include "site/shared/submission.h"
#include "site/sign_in/attempt.h"
#include "site/sign_in/browser.h"
#include "site/sign_in/outcome.h"
#include "site/sign_in/routes.h"
#include "worker/input.h"

static const char *const fields[] = {"token", NULL};

static const struct error *answer_welcome_page(struct exchange *exchange)
{
    outcome_show(exchange, &(struct outcome){.form = &outcome_welcome});
    return NULL;
}

/* Reads the secret of the link. Returns NULL, or the error to answer with. */
static const struct error *read_secret(struct exchange *exchange, struct text *secret)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    TRY(browser_check(exchange));
    TRY(submission_read(exchange, fields, values));
    if (!values[0].bytes)
        return input_refuse(exchange, fields[0], "is required");
    *secret = text_trim(values[0]);
    const char *mark = memrchr(secret->bytes, '#', secret->length); /* the "#" in a whole link */
    if (mark)
        *secret = text_skip(*secret, (size_t)(mark + 1 - secret->bytes));
    return NULL;
}

static const struct error *count_unknown(struct exchange *exchange, const struct error *error)
{
    return error == &site_error_link_unknown ? attempt_note_failure(exchange, error) : error;
}

static const struct error *use_link(struct exchange *exchange)
{
    struct text secret;
    TRY(read_secret(exchange, &secret));
    return count_unknown(exchange, browser_open_by_link(exchange, secret));
}

static const struct error *answer_look(struct exchange *exchange)
{
    struct text secret;
    struct link_description link;
    exchange->is_private = true;
    TRY(read_secret(exchange, &secret));
    TRY(count_unknown(exchange, browser_describe_link(exchange, secret, &link)));
    json_write_fields(exchange->body, json_text("callsign", link.callsign),
                      json_text("sender", link.sender),
                      json_flag("isInvitation", link.kind == LINK_INVITATION),
                      json_time("expiresAt", link.expires_at_ms));
    return NULL;
}

static const struct error *answer_welcome(struct exchange *exchange)
{
    const struct outcome outcome = {.form = &outcome_welcome, .error = use_link(exchange)};
    return outcome_conclude(exchange, &outcome, "../profile/");
}

PUBLIC_ROUTE(welcome_page, METHOD_GET, "/welcome/", USES_NOTHING, 200, answer_welcome_page);
SITE_ROUTE(welcome_look, METHOD_POST, "/welcome/look", .use = USES_STORE, .status = 200,
           .is_object = true, .answer = answer_look, .body = &submission_body);
PUBLIC_ROUTE(welcome, METHOD_POST, "/welcome/", USES_STORE, 204, answer_welcome,
             .body = &submission_body);
