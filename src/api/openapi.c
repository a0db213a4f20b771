/* GET /openapi.json: a description of the API for programs (API section 4.6). The description is
 * schema/openapi/document.json; the build fills in the contents of tables (src/build/fields). This
 * file adds the base path that the client used. */
#include <string.h>

#include "api/endpoint.h"
#include "base/text_hash.h"
#include "json/append.h"

#define MARKER "\"@base_path\""

/* one string for each line of the JSON file, written by the build */
static const char document[] =
#include "schema/openapi/document.inc"
    ;

static const struct error *answer(struct exchange *exchange)
{
    const struct text base_path = exchange->request->base_path;
    const char *marker = strstr(document, MARKER);
    buffer_append(exchange->body, document, (size_t)(marker - document));
    json_append_string(exchange->body, base_path.bytes, base_path.length);
    buffer_append_string(exchange->body, marker + sizeof MARKER - 1);
    return NULL;
}

static const char *entity_tag(struct exchange *exchange)
{
    const struct text base_path = exchange->request->base_path;
    uint64_t hash = text_hash(TEXT_HASH_START, document, sizeof document);
    hash = text_hash(hash, base_path.bytes, base_path.length);
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
