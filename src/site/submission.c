/* Reads small bodies in either of two forms. A form of HTML works without JavaScript; JSON is what
 * scripts send. Other fields, such as those that an extension of a browser adds, are ignored: where
 * a request comes from is judged by its headers (access.h). */
#include "site/submission.h"

#include <string.h>
#include <strings.h>

#include "http/form.h"
#include "json/read.h"

static const char *variable(const struct request *request, const char *name)
{
    const char *value = gateway_variable(request->gateway, name);
    return value ? value : "";
}

static bool is_form(const struct request *request)
{
    return form_is_announced(variable(request, "CONTENT_TYPE"));
}

bool submission_wants_page(const struct request *request)
{
    static const char json[] = "application/json";
    if (is_form(request))
        return true;
    return strncasecmp(variable(request, "CONTENT_TYPE"), json, sizeof json - 1) != 0 &&
           strstr(variable(request, "HTTP_ACCEPT"), "text/html") != NULL;
}

static const struct error *refuse(struct exchange *exchange, const char *message)
{
    return error_with_details(exchange->arena, &error_validation_failed, "body", message);
}

static const struct error *take_form(struct exchange *exchange, struct text body,
                                     const char *const *names, struct text *values)
{
    struct form form;
    const char *message = form_read(body, exchange->arena, &form);
    for (size_t i = 0; !message && names[i]; i++)
        values[i] = form_find(&form, names[i]);
    return message ? refuse(exchange, message) : NULL;
}

static const struct error *take_json(struct exchange *exchange, struct text body,
                                     const char *const *names, struct text *values)
{
    const char *message = NULL;
    const struct json_fields *fields = json_read_object(body, exchange->arena, &message);
    if (!fields && !message)
        return &error_internal;
    for (size_t i = 0; !message && names[i]; i++) {
        values[i] = json_read_text(fields, names[i]);
        if (text_has_nul(values[i]))
            message = "must not contain U+0000";
    }
    return message ? refuse(exchange, message) : NULL;
}

const struct error *submission_read(struct exchange *exchange, const char *const *names,
                                    struct text values[SUBMISSION_FIELDS_MAX])
{
    struct request *request = exchange->request;
    struct text body;
    request->body_max_bytes = SUBMISSION_MAX_BYTES;
    const struct error *error = is_form(request) ? request_read_any_body(request, &body)
                                                 : request_read_body(request, &body);
    if (error)
        return error;
    return is_form(request) ? take_form(exchange, body, names, values)
                            : take_json(exchange, body, names, values);
}
