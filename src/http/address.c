/* Finds the address that the client requested, in the front server's variables. */
#include "http/address.h"

#include <string.h>

bool address_find_host(const struct request *request, struct host *out)
{
    return host_read(text_of(request_variable(request, "HTTP_HOST")), out);
}

bool address_is_encrypted(const struct request *request)
{
    return strcmp(request_variable(request, "REQUEST_SCHEME"), "https") == 0 ||
           strcmp(request_variable(request, "HTTPS"), "on") == 0;
}

const char *address_find_origin(const struct request *request)
{
    const char *name = request_variable(request, "HTTP_HOST");
    struct host host;
    if (!host_read(text_of(name), &host))
        name = request_variable(request, "SERVER_NAME");
    if (!host_read(text_of(name), &host))
        return NULL;
    return arena_print(request->arena, "%s://%s", address_is_encrypted(request) ? "https" : "http",
                       name);
}
