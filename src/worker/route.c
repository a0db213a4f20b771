/* Checks the table of a program's routes before the program serves a request, and prints the table.
 * router.c and body.c, which use the table for each request, interpret its rows. */
#include "worker/route.h"

#include <stdio.h>

#include "base/log.h"

static const char *const methods[] = {
    [METHOD_OTHER] = "OTHER",    [METHOD_GET] = "GET", [METHOD_HEAD] = "HEAD",
    [METHOD_POST] = "POST",      [METHOD_PUT] = "PUT", [METHOD_DELETE] = "DELETE",
    [METHOD_OPTIONS] = "OPTIONS"};

static const char *const accesses[] = {
    [ACCESS_PUBLIC] = "public",       [ACCESS_READ_KEY] = "read key",
    [ACCESS_WRITE_KEY] = "write key", [ACCESS_UPLOADS] = "token",
    [ACCESS_MEMBER] = "member",       [ACCESS_LOG] = "log",
    [ACCESS_OPERATOR] = "operator",   [ACCESS_PEER] = "peer"};

/* Returns a description of the fault in a row, or NULL if the row is valid. */
static const char *find_fault(const struct route *route)
{
    const bool takes_body = route->method == METHOD_POST || route->method == METHOD_PUT;
    const struct route_body *body = route->body;
    if (takes_body != (body != NULL))
        return takes_body ? "does not limit its bodies" : "must not have a body";
    if (!body || body->bytes_max == 0)
        return NULL;
    if (route->use == USES_SNAPSHOT)
        return "must not read a body inside a transaction";
    if (body->bytes_max > REQUEST_BODY_MAX_BYTES || body->json.items_max > JSON_ITEMS_MAX)
        return "accepts larger bodies than the limit for all routes";
    return route->access == ACCESS_PUBLIC && body->bytes_max > BODY_UNKNOWN_MAX_BYTES
               ? "accepts larger bodies than the limit for public routes"
               : NULL;
}

bool routes_check(const struct route *const *routes)
{
    for (; *routes; routes++) {
        const char *fault = find_fault(*routes);
        if (fault) {
            log_line("the route %s %s %s", methods[(*routes)->method], (*routes)->path, fault);
            return false;
        }
    }
    return true;
}

void routes_print(const struct route *const *routes)
{
    static const struct route_body none;
    for (; *routes; routes++) {
        const struct route_body *body = (*routes)->body ? (*routes)->body : &none;
        printf("%s\t%s\t%s\t%zu\t%zu\t%zu\n", methods[(*routes)->method], (*routes)->path,
               accesses[(*routes)->access], body->bytes_max, body->json.items_max,
               body->json.elements_max);
    }
}
