/* GET /openapi.json: the API described by the tables that the worker itself runs on (API
 * section 4.6).
 *
 * Paths, parameters, statuses and errors come from the endpoint rows, the QSO from the field table;
 * only the shapes that no table holds are written out here. */
#include <string.h>

#include "endpoints/endpoint.h"
#include "qso/schema.h"

static void append_quoted(struct buffer *out, const char *text)
{
    buffer_append_json_string(out, text, strlen(text));
}

static const char *method_name(enum method method)
{
    switch (method) {
    case METHOD_POST:
        return "post";
    case METHOD_DELETE:
        return "delete";
    default:
        return "get";
    }
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
    if (endpoint->entity_tag)
        append_header(out, "ETag");
    if (endpoint->tells_log_epoch)
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
    buffer_print(out, ",\"responses\":{\"%d\":{\"description\":", endpoint->status);
    append_quoted(out, endpoint->success);
    append_success_headers(out, endpoint);
    if (endpoint->response_schema)
        append_content(out, endpoint->response_schema);
    buffer_append_string(out, "}");
    if (endpoint->entity_tag) {
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
    buffer_print(out, "\"%s\":{\"operationId\":\"%s\",\"tags\":[\"%s\"],\"summary\":",
                 method_name(endpoint->method), endpoint->operation_id,
                 endpoint->scope == SCOPE_NONE ? "Description" : "Log");
    append_quoted(out, endpoint->summary);
    buffer_append_string(out, ",\"description\":");
    append_quoted(out, endpoint->description);
    if (endpoint->scope == SCOPE_NONE)
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

static void append_paths(struct buffer *out, const struct endpoint *const *endpoints)
{
    for (int i = 0; endpoints[i]; i++) {
        bool first_of_path = i == 0 || strcmp(endpoints[i - 1]->path, endpoints[i]->path) != 0;
        if (first_of_path)
            buffer_print(out, "%s\"%s\":{", i ? "}," : "", endpoints[i]->path);
        else
            buffer_append_string(out, ",");
        append_operation(out, endpoints[i]);
    }
    buffer_append_string(out, "}");
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

static void append_error_responses(struct buffer *out)
{
    for (size_t i = 0; errors[i]; i++) {
        buffer_append_string(out, i ? "," : "");
        append_error_response(out, errors[i]);
    }
}

#define SCHEMA_REF(name) "{\"$ref\":\"#/components/schemas/" name "\"}"
#define TIME_OR_NULL "{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"}"

static const char other_schemas[] =
    "\"Member\":{\"type\":\"object\",\"description\":\"The member a key belongs to.\","
    "\"required\":[\"callsign\",\"locator\",\"scope\"],\"properties\":{"
    "\"callsign\":{\"type\":\"string\",\"description\":\"The member's callsign.\"},"
    "\"locator\":{\"type\":\"string\",\"description\":\"The member's Maidenhead locator.\"},"
    "\"scope\":{\"type\":\"string\",\"enum\":[\"READ\",\"WRITE\"],"
    "\"description\":\"What the key allows.\"}},"
    "\"examples\":[{\"callsign\":\"21SD333\",\"locator\":\"JO59jw\",\"scope\":\"WRITE\"}]},"
    "\"Page\":{\"type\":\"object\",\"description\":\"A page of the log.\","
    "\"required\":[\"items\",\"nextCursor\",\"serverTime\"],\"properties\":{"
    "\"items\":{\"type\":\"array\",\"items\":" SCHEMA_REF(
        "Qso") "},"
               "\"nextCursor\":{\"type\":[\"string\",\"null\"],"
               "\"description\":\"The cursor of the next page; null on the last one.\"},"
               "\"serverTime\":{\"type\":\"string\",\"format\":\"date-time\","
               "\"description\":\"Time of the service when the request began; the next "
               "updatedSince.\"}}},"
               "\"IdList\":{\"type\":\"object\",\"description\":\"Every QSO of the log.\","
               "\"required\":[\"items\"],\"properties\":{\"items\":{\"type\":\"array\",\"items\":{"
               "\"type\":\"object\",\"required\":[\"id\",\"clientId\"],\"properties\":{"
               "\"id\":{\"type\":\"string\",\"description\":\"The service's id.\"},"
               "\"clientId\":{\"type\":[\"string\",\"null\"],\"format\":\"uuid\","
               "\"description\":\"Null for QSOs older than synchronisation.\"}}}}}},"
               "\"Batch\":{\"type\":\"object\",\"description\":\"QSOs to "
               "save.\",\"required\":[\"entries\"],"
               "\"properties\":{\"entries\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":200,"
               "\"items\":" SCHEMA_REF(
                   "QsoEntry") "}}},"
                               "\"BatchResults\":{\"type\":\"object\",\"description\":\"A result "
                               "for each entry.\","
                               "\"required\":[\"results\"],\"properties\":{\"results\":{\"type\":"
                               "\"array\","
                               "\"items\":" SCHEMA_REF(
                                   "BatchResult") "}}},"
                                                  "\"BatchResult\":{\"type\":\"object\","
                                                  "\"description\":\"What became of one entry.\","
                                                  "\"required\":[\"clientId\",\"id\"],"
                                                  "\"properties\":{"
                                                  "\"clientId\":{\"type\":[\"string\",\"null\"],"
                                                  "\"description\":\"As it was sent; null where it "
                                                  "was no string.\"},"
                                                  "\"id\":{\"type\":[\"string\",\"null\"],"
                                                  "\"description\":\"Null: rejected.\"},"
                                                  "\"spottedAt\":" TIME_OR_NULL ","
                                                  "\"error\":{\"type\":\"string\",\"description\":"
                                                  "\"Why it was rejected: one of x-codes, or a "
                                                  "sentence that begins with the field's "
                                                  "name.\",\"x-codes\":[";

static const char last_schemas[] =
    "]},\"permanent\":{\"type\":\"boolean\",\"const\":true,\"description\":\"The QSO itself is "
    "wrong; "
    "sending it again unchanged is useless.\"}},\"examples\":["
    "{\"clientId\":\"2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20\",\"id\":\"1042\",\"spottedAt\":null},"
    "{\"clientId\":\"not-a-uuid\",\"id\":null,\"error\":\"CLIENT_ID_INVALID\","
    "\"permanent\":true}]},"
    "\"Error\":{\"type\":\"object\",\"description\":\"Why a request failed.\","
    "\"required\":[\"error\"],\"properties\":{\"error\":{\"type\":\"object\","
    "\"required\":[\"code\"],\"properties\":{"
    "\"code\":{\"type\":\"string\",\"description\":\"Stable, never translated.\"},"
    "\"details\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"required\":[\"field\",\"message\"],\"properties\":{\"field\":{\"type\":\"string\"},"
    "\"message\":{\"type\":\"string\"}}}}}}}},"
    "\"Description\":{\"type\":\"object\",\"description\":\"An OpenAPI 3.1 document.\"}";

static const char headers[] =
    "\"X-Request-Id\":{\"description\":\"Names this request in the operator's log.\","
    "\"schema\":{\"type\":\"string\"}},"
    "\"RateLimit-Limit\":{\"description\":\"Requests an address may make in a minute.\","
    "\"schema\":{\"type\":\"integer\"}},"
    "\"RateLimit-Remaining\":{\"description\":\"Requests left now.\","
    "\"schema\":{\"type\":\"integer\"}},"
    "\"RateLimit-Reset\":{\"description\":\"Seconds until a request is possible again.\","
    "\"schema\":{\"type\":\"integer\"}},"
    "\"Retry-After\":{\"description\":\"Whole seconds to wait.\","
    "\"schema\":{\"type\":\"integer\",\"minimum\":0}},"
    "\"WWW-Authenticate\":{\"description\":\"Bearer.\",\"schema\":{\"type\":\"string\"}},"
    "\"ETag\":{\"description\":\"Stands for this state of the log; send it as If-None-Match.\","
    "\"schema\":{\"type\":\"string\"}},"
    "\"X-Log-Epoch\":{\"description\":\"Changes when the operator restored an older logbook: then "
    "download everything and delete nothing locally.\",\"schema\":{\"type\":\"integer\"}}";

static void append_components(struct buffer *out)
{
    buffer_append_string(out,
                         "\"components\":{\"securitySchemes\":{"
                         "\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\","
                         "\"description\":\"The API key as a bearer token.\"},"
                         "\"apiKey\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-API-Key\","
                         "\"description\":\"The API key in a header of its own.\"}},\"headers\":{");
    buffer_append_string(out, headers);
    buffer_append_string(out, "},\"responses\":{");
    append_error_responses(out);
    buffer_append_string(out, "},\"schemas\":{");
    schema_append_qso_schemas(out);
    buffer_append_string(out, ",");
    buffer_append_string(out, other_schemas);
    schema_append_rejection_codes(out);
    buffer_append_string(out, last_schemas);
    buffer_append_string(out, "}}");
}

static void append_document(struct buffer *out, const struct exchange *exchange)
{
    buffer_append_string(
        out,
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"QSOsync\",\"version\":\"1\","
        "\"summary\":\"Logbook synchronisation for radio clubs\",\"description\":\"Members keep "
        "their contact log in sync with other programs. Times are ISO 8601; answers give them "
        "in UTC with milliseconds.\",\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},"
        "\"servers\":[{\"url\":");
    buffer_append_json_string(out, exchange->request->base_path.bytes,
                              exchange->request->base_path.length);
    buffer_append_string(out, "}],\"security\":[{\"bearer\":[]},{\"apiKey\":[]}],"
                              "\"tags\":[{\"name\":\"Log\",\"description\":\"A member's log.\"},"
                              "{\"name\":\"Description\",\"description\":\"The API itself.\"}],"
                              "\"paths\":{");
    append_paths(out, exchange->endpoints);
    buffer_append_string(out, "},");
    append_components(out);
    buffer_append_string(out, "}");
}

static const struct error *answer(struct exchange *exchange)
{
    append_document(&exchange->response->body, exchange);
    return NULL;
}

static const char *entity_tag(struct exchange *exchange)
{
    struct buffer document = {0};
    append_document(&document, exchange);
    uint64_t hash = text_hash(TEXT_HASH_START, document.bytes, document.length);
    buffer_free(&document);
    return arena_print(exchange->arena, "\"%016llx\"", (unsigned long long)hash);
}

const struct endpoint endpoint_openapi = {
    .method = METHOD_GET,
    .path = "/openapi.json",
    .scope = SCOPE_NONE,
    .use = USES_NOTHING,
    .max_age_s = 3600,
    .entity_tag = entity_tag,
    .answer = answer,
    .operation_id = "getDescription",
    .summary = "This description",
    .description = "Public; needs no key.",
    .status = 200,
    .success = "The API described in OpenAPI 3.1.",
    .response_schema = "Description",
    .errors = {&error_rate_limited},
};
