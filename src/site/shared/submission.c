/* Reads the data that the pages for signing in send: a form, which works without JavaScript, or
 * JSON with fields of the same names. */
#include "site/shared/submission.h"

#include <string.h>

#include "http/form.h"
#include "json/read.h"
#include "worker/body.h"
#include "worker/input.h"

static bool is_form(const struct request *request)
{
    return content_type_is(request_variable(request, "CONTENT_TYPE"),
                           "application/x-www-form-urlencoded");
}

bool submission_wants_page(const struct request *request)
{
    return is_form(request) ||
           (!content_type_is(request_variable(request, "CONTENT_TYPE"), "application/json") &&
            strstr(request_variable(request, "HTTP_ACCEPT"), "text/html") != NULL);
}

const struct route_body submission_body = {
    .type = BODY_JSON_OR_FORM, .bytes_max = 8192, .json = {.items_max = 16}};

const struct error *submission_read(struct exchange *exchange, const char *const *names,
                                    struct text values[SUBMISSION_FIELDS_MAX])
{
    const bool has_form = is_form(exchange->request);
    const struct json_fields *fields = NULL;
    const char *message = NULL;
    struct table form;
    struct text body;
    if (has_form) {
        TRY(body_read(exchange, &body));
        message = form_read(body, submission_body.json.items_max, exchange->arena, &form);
    } else {
        TRY(body_read_object(exchange, &fields));
    }
    for (size_t i = 0; !message && names[i]; i++) {
        values[i] = has_form ? form_find(&form, names[i]) : json_read_text(fields, names[i]);
        if (text_has_nul(values[i]))
            message = "must not contain U+0000";
    }
    return message ? input_refuse(exchange, "body", message) : NULL;
}
