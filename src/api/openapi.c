/* GET /openapi.json: the API described by the tables that the worker itself runs on (API
 * section 4.6).
 *
 * Paths, parameters, statuses and errors come from the endpoint rows. What is in no table is in
 * schema/openapi/document.json, with markers for the parts that come from tables; those of the QSO
 * have been filled in when the program was built (src/build/fields). */
#include <assert.h>
#include <string.h>

#include "api/endpoint.h"
#include "json/write.h"
#include "qso/fields.h"
#include "transfer/batch.h"

/* One string for each line of the JSON file, made when the program is built. */
static const char document[] =
#include "schema/openapi/document.inc"
    ;

static void append_quoted(struct buffer *out, const char *text)
{
    json_append_string(out, text, strlen(text));
}

static void append_parameters(struct buffer *out, const struct endpoint *endpoint)
{
    buffer_append_string(out, ",\"parameters\":[");
    for (int i = 0; i < ENDPOINT_PARAMETERS_MAX && endpoint->parameters[i].name; i++) {
        const struct parameter *parameter = &endpoint->parameters[i];
        buffer_print(out, "%s{\"name\":\"%s\",\"in\":\"%s\",\"required\":%s,\"schema\":%s",
                     i ? "," : "", parameter->name, parameter->in,
                     strcmp(parameter->in, "path") == 0 ? "true" : "false", parameter->schema);
        buffer_append_string(out, ",\"description\":");
        append_quoted(out, parameter->description);
        buffer_append_string(out, "}");
    }
    buffer_append_string(out, "]");
}

static void append_header(struct buffer *out, const char *name)
{
    buffer_print(out, ",\"%s\":{\"$ref\":\"#/components/headers/%s\"}", name, name);
}

static void append_common_headers(struct buffer *out)
{
    static const char *const names[] = {"RateLimit-Limit", "RateLimit-Remaining",
                                        "RateLimit-Reset"};
    buffer_append_string(out, ",\"headers\":{\"X-Request-Id\":{\"$ref\":"
                              "\"#/components/headers/X-Request-Id\"}");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        append_header(out, names[i]);
}

static void append_success_headers(struct buffer *out, const struct endpoint *endpoint)
{
    append_common_headers(out);
    if (endpoint->route.entity_tag)
        append_header(out, "ETag");
    if (endpoint->route.sends_log_epoch)
        append_header(out, "X-Log-Epoch");
    buffer_append_string(out, "}");
}

static void append_content(struct buffer *out, const char *schema)
{
    buffer_print(out,
                 ",\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
                 "\"#/components/schemas/%s\"}}}",
                 schema);
}

static void append_error_reference(struct buffer *out, const struct error *error)
{
    buffer_print(out, ",\"%d\":{\"$ref\":\"#/components/responses/Error%d\"}", error->status,
                 error->status);
}

static void append_responses(struct buffer *out, const struct endpoint *endpoint)
{
    buffer_print(out, ",\"responses\":{\"%d\":{\"description\":", endpoint->route.status);
    append_quoted(out, endpoint->success);
    append_success_headers(out, endpoint);
    if (endpoint->response_schema)
        append_content(out, endpoint->response_schema);
    buffer_append_string(out, "}");
    if (endpoint->route.entity_tag) {
        buffer_append_string(out, ",\"304\":{\"description\":\"Nothing changed since the answer "
                                  "with this ETag.\"");
        append_success_headers(out, endpoint);
        buffer_append_string(out, "}");
    }
    for (int i = 0; i < ENDPOINT_ERRORS_MAX && endpoint->errors[i]; i++)
        append_error_reference(out, endpoint->errors[i]);
    append_error_reference(out, &error_internal);
    buffer_append_string(out, "}");
}

static void append_operation(struct buffer *out, const struct endpoint *endpoint)
{
    static const char *const methods[] = {
        [METHOD_GET] = "get", [METHOD_POST] = "post", [METHOD_DELETE] = "delete"};
    buffer_print(out, "\"%s\":{\"operationId\":\"%s\",\"tags\":[\"%s\"],\"summary\":",
                 methods[endpoint->route.method], endpoint->operation_id,
                 endpoint->route.access == ACCESS_PUBLIC ? "Description" : "Log");
    append_quoted(out, endpoint->summary);
    buffer_append_string(out, ",\"description\":");
    append_quoted(out, endpoint->description);
    if (endpoint->route.access == ACCESS_PUBLIC)
        buffer_append_string(out, ",\"security\":[]");
    append_parameters(out, endpoint);
    if (endpoint->request_schema) {
        buffer_append_string(out, ",\"requestBody\":{\"required\":true");
        append_content(out, endpoint->request_schema);
        buffer_append_string(out, "}");
    }
    append_responses(out, endpoint);
    buffer_append_string(out, "}");
}

static void append_paths(struct buffer *out, const struct exchange *exchange)
{
    const struct route *const *routes = exchange->routes;
    buffer_append_string(out, "{");
    for (int i = 0; routes[i]; i++) {
        bool first_of_path = i == 0 || strcmp(routes[i - 1]->path, routes[i]->path) != 0;
        if (first_of_path)
            buffer_print(out, "%s\"%s\":{", i ? "}," : "", routes[i]->path);
        else
            buffer_append_string(out, ",");
        append_operation(out, endpoint_of(routes[i]));
    }
    buffer_append_string(out, "}}");
}

static void append_error_response(struct buffer *out, const struct error *error)
{
    buffer_print(out, "\"Error%d\":{\"description\":", error->status);
    append_quoted(out, error->summary);
    append_common_headers(out);
    if (error->header_name)
        append_header(out, error->header_name);
    buffer_print(out,
                 "},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/"
                 "Error\"},\"example\":{\"error\":{\"code\":\"%s\"",
                 error->code);
    if (error->field)
        buffer_print(out, ",\"details\":[{\"field\":\"%s\",\"message\":\"%s\"}]", error->field,
                     error->message);
    buffer_append_string(out, "}}}}}");
}

static void append_error_responses(struct buffer *out, const struct exchange *exchange)
{
    (void)exchange;
    for (size_t i = 0; errors[i]; i++) {
        buffer_append_string(out, i ? "," : "{");
        append_error_response(out, errors[i]);
    }
    buffer_append_string(out, "}");
}

/* 413 has the code of 400. */
static void append_error_codes(struct buffer *out, const struct exchange *exchange)
{
    (void)exchange;
    buffer_append_string(out, "[");
    for (size_t i = 0; errors[i]; i++)
        if (errors[i] != &error_body_too_large) {
            append_quoted(out, errors[i]->code);
            buffer_append_string(out, ",");
        }
    append_quoted(out, error_method_not_allowed.code);
    buffer_append_string(out, "]");
}

static void append_base_path(struct buffer *out, const struct exchange *exchange)
{
    json_append_string(out, exchange->request->base_path.bytes,
                       exchange->request->base_path.length);
}

static void append_rejection_codes(struct buffer *out, const struct exchange *exchange)
{
    (void)exchange;
    for (size_t i = 0; rejections[i]; i++)
        buffer_print(out, "%s\"%s\"", i ? "," : "[", rejections[i]->code);
    buffer_append_string(out, "]");
}

/* What takes the place of each marker, a JSON string that begins with @, in the document. */
static const struct marker {
    const char *name;
    void (*append)(struct buffer *out, const struct exchange *exchange);
    const char *text; /* without that function */
} markers[] = {
    {"base_path", .append = append_base_path},
    {"paths", .append = append_paths},
    {"error_responses", .append = append_error_responses},
    {"error_codes", .append = append_error_codes},
    {"rejection_codes", .append = append_rejection_codes},
    {"page_limit_max", .text = TEXT_OF(PAGE_LIMIT_MAX)},
    {"batch_entries_max", .text = TEXT_OF(BATCH_ENTRIES_MAX)},
};
#define MARKER_COUNT (sizeof markers / sizeof *markers)

static void append_document(struct buffer *out, const struct exchange *exchange)
{
    const char *at = document, *next;
    while ((next = strstr(at, "\"@"))) {
        const struct text name = {next + 2, strcspn(next + 2, "\"")};
        const struct marker *marker = markers;
        while (marker < markers + MARKER_COUNT && !text_equals(name, text_of(marker->name)))
            marker++;
        assert(marker < markers + MARKER_COUNT);
        buffer_append(out, at, (size_t)(next - at));
        if (marker->append)
            marker->append(out, exchange);
        else
            buffer_append_string(out, marker->text);
        at = name.bytes + name.length + 1;
    }
    buffer_append_string(out, at);
}

static const struct error *answer(struct exchange *exchange)
{
    append_document(&exchange->response->body, exchange);
    return NULL;
}

static const char *entity_tag(struct exchange *exchange)
{
    struct buffer text = {0};
    append_document(&text, exchange);
    uint64_t hash = text_hash(TEXT_HASH_START, text.bytes, text.length);
    buffer_free(&text);
    return arena_print(exchange->arena, "\"%016llx\"", (unsigned long long)hash);
}

ENDPOINT(openapi) = {
    .route.method = METHOD_GET,
    .route.path = "/openapi.json",
    .route.access = ACCESS_PUBLIC,
    .route.use = USES_NOTHING,
    .route.status = 200,
    .route.max_age_s = 3600,
    .route.entity_tag = entity_tag,
    .route.answer = answer,
    .operation_id = "getDescription",
    .summary = "This description",
    .description = "Public; needs no key.",
    .parameters = {ENDPOINT_IF_NONE_MATCH},
    .success = "The API described in OpenAPI 3.1.",
    .response_schema = "Description",
    .errors = {&error_rate_limited},
};
