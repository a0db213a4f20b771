/* Reads bodies for all routes, within the bounds in the rows of the routes. http/request.c receives
 * a body from the front server, json/read.c reads JSON, and the programs identify the caller. */
#include "worker/body.h"

#include "worker/input.h"

#define SMALL_ITEMS_MAX 64

const struct route_body body_unread = {.type = BODY_OF_ANY_TYPE};
const struct route_body body_small_object = {.bytes_max = BODY_UNKNOWN_MAX_BYTES,
                                             .json = {.items_max = SMALL_ITEMS_MAX}};

static bool has_type(const struct exchange *exchange)
{
    const enum body_type type = exchange->route->body->type;
    const char *sent = request_variable(exchange->request, "CONTENT_TYPE");
    return type == BODY_OF_ANY_TYPE || content_type_is(sent, "application/json") ||
           (type == BODY_JSON_OR_FORM &&
            content_type_is(sent, "application/x-www-form-urlencoded"));
}

const struct error *body_read(struct exchange *exchange, struct text *text)
{
    const bool is_known = exchange->identity.credential != CREDENTIAL_NONE;
    const struct route_body *body = exchange->route->body;
    if (!has_type(exchange))
        return input_refuse(exchange, "Content-Type", "must be application/json");
    return request_read_body(exchange->request, body->bytes_max,
                             is_known ? SIZE_MAX : BODY_UNKNOWN_MAX_BYTES, text);
}

static const struct error *refuse_list(struct exchange *exchange)
{
    const struct json_bounds *bounds = &exchange->route->body->json;
    if (bounds->lists[1])
        return input_refuse(exchange, "body", "has a list that is too long");
    const char *message = arena_print(exchange->arena, "must be a list of at most %zu %s",
                                      bounds->elements_max, bounds->lists[0]);
    return input_refuse(exchange, bounds->lists[0], message);
}

const struct error *body_read_object(struct exchange *exchange, const struct json_fields **object)
{
    struct text text;
    const char *message;
    TRY(body_read(exchange, &text));
    *object = json_read_object(text, &exchange->route->body->json, exchange->arena, &message);
    if (*object)
        return NULL;
    if (message == json_list_too_long)
        return refuse_list(exchange);
    return input_refuse(exchange, "body", message);
}
