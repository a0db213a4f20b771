/* Prints the API's description while QSOsync is built, for the page /docs/. It is compiled for the
 * machine that builds and holds the endpoints' rows and the field table alone: what an endpoint's
 * function would call is not linked, because only the description's own is called. */
#include <stdio.h>

#include "api/endpoint.h"

int main(void)
{
    static const struct route *const routes[] = {API_ENDPOINTS(ENDPOINT_ROUTE) NULL};
    struct request request = {.base_path = text_of("/api/v1")};
    struct response response = {0};
    struct exchange exchange = {.routes = routes, .request = &request, .response = &response};
    endpoint_openapi.route.answer(&exchange);
    const struct buffer *body = &response.body;
    return fwrite(body->bytes, 1, body->length, stdout) == body->length && fflush(stdout) == 0 ? 0
                                                                                               : 1;
}
