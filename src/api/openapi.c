/* GET /openapi.json: a description of the API for programs (API section 4.6). The description is
 * schema/openapi/document.json; the build fills in the contents of tables (src/build/fields). This
 * file adds the address that the client used. */
#include <string.h>

#include "api/endpoint.h"
#include "base/text_hash.h"
#include "http/address.h"
#include "json/append.h"

#define MARKER "\"@server\""

/* one string for each line of the JSON file, written by the build */
static const char document[] =
#include "schema/openapi/document.inc"
    ;

/* Returns the address of the API, for the client's next requests. If the front server does not
 * report the scheme or the host, the address is the path, which is relative to the description. */
static struct text find_server(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    const bool has_scheme =
        *request_variable(request, "REQUEST_SCHEME") || *request_variable(request, "HTTPS");
    const char *origin = has_scheme ? address_find_origin(request) : NULL;
    return text_of(arena_print(exchange->arena, "%s%.*s", origin ? origin : "",
                               (int)request->base_path.length, request->base_path.bytes));
}

static const struct error *answer(struct exchange *exchange)
{
    const struct text server = find_server(exchange);
    const char *marker = strstr(document, MARKER);
    buffer_append(exchange->body, document, (size_t)(marker - document));
    json_append_string(exchange->body, server.bytes, server.length);
    buffer_append_string(exchange->body, marker + sizeof MARKER - 1);
    return NULL;
}

static const char *entity_tag(struct exchange *exchange)
{
    const struct text server = find_server(exchange);
    uint64_t hash = text_hash(TEXT_HASH_START, document, sizeof document);
    hash = text_hash(hash, server.bytes, server.length);
    return arena_print(exchange->arena, "\"%016llx\"", (unsigned long long)hash);
}

ROUTE(openapi) = {
    .method = METHOD_GET,
    .path = "/openapi.json",
    .access = ACCESS_PUBLIC,
    .use = USES_NOTHING,
    .status = 200,
    .max_age_s = 3600,
    .entity_tag = entity_tag,
    .answer = answer,
};
