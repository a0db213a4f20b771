/* GET and POST /welcome/: a link signs a member in, once. The secret is the part of the address
 * after the #, which the page's script sends. A person can also paste the whole link. */
#include <string.h>

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

static const struct error *use_link(struct exchange *exchange)
{
    struct text values[SUBMISSION_FIELDS_MAX] = {{0}};
    TRY(browser_check(exchange));
    TRY(submission_read(exchange, fields, values));
    if (!values[0].bytes)
        return input_refuse(exchange, fields[0], "is required");
    struct text pasted = text_trim(values[0]);
    const char *mark = memrchr(pasted.bytes, '#', pasted.length); /* the "#" in a whole link */
    if (mark)
        pasted = text_skip(pasted, (size_t)(mark + 1 - pasted.bytes));
    const struct error *error = browser_open_by_link(exchange, pasted);
    return error == &site_error_link_unknown ? attempt_note_failure(exchange, error) : error;
}

static const struct error *answer_welcome(struct exchange *exchange)
{
    const struct outcome outcome = {.form = &outcome_welcome, .error = use_link(exchange)};
    return outcome_conclude(exchange, &outcome, "../profile/");
}

PUBLIC_ROUTE(welcome_page, METHOD_GET, "/welcome/", USES_NOTHING, 200, answer_welcome_page);
PUBLIC_ROUTE(welcome, METHOD_POST, "/welcome/", USES_STORE, 204, answer_welcome,
             .body = &submission_body);
