/* Makes the addresses that members type into their programs, of what the operator has said of
 * the service, or else of the front server's variables. The client sends the Host header, so it is
 * used only where it has the form of a host. Which pages show an address is left to them. */
#include "site/address.h"

#include <string.h>
#include <strings.h>

#include "site/club.h"

static const char host_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789.-:[]";
static const char path_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789.-_~%/";

static const char *variable(const struct request *request, const char *name)
{
    const char *value = gateway_variable(request->gateway, name);
    return value ? value : "";
}

static bool is_made_of(const char *text, const char *characters)
{
    return *text && text[strspn(text, characters)] == '\0';
}

static const char *host_of(const struct request *request)
{
    const char *host = variable(request, "HTTP_HOST");
    if (is_made_of(host, host_characters))
        return host;
    host = variable(request, "SERVER_NAME");
    return is_made_of(host, host_characters) ? host : "localhost";
}

bool address_is_encrypted(const struct request *request)
{
    return strcmp(variable(request, "REQUEST_SCHEME"), "https") == 0 ||
           strcmp(variable(request, "HTTPS"), "on") == 0;
}

static const char *address_of_request(const struct request *request)
{
    const char *prefix =
        arena_copy(request->arena, request->base_path.bytes, request->base_path.length);
    return arena_print(request->arena, "%s://%s%s",
                       address_is_encrypted(request) ? "https" : "http", host_of(request),
                       is_made_of(prefix, path_characters) ? prefix : "");
}

/* The setting may be the API's address, too. */
const char *address_of_service(struct exchange *exchange)
{
    static const char api[] = "/api/v1";
    struct text address = club_of(exchange)->values[CLUB_ADDRESS];
    size_t end = sizeof api - 1;
    if (!address.bytes)
        return address_of_request(exchange->request);
    while (address.length > 0 && address.bytes[address.length - 1] == '/')
        address.length--;
    if (address.length >= end && memcmp(address.bytes + address.length - end, api, end) == 0)
        address.length -= end;
    return arena_copy(exchange->arena, address.bytes, address.length);
}

const char *address_of_api(struct exchange *exchange)
{
    return arena_print(exchange->arena, "%s/api/v1", address_of_service(exchange));
}

const char *address_of_uploads(struct exchange *exchange)
{
    return arena_print(exchange->arena, "%s/cloudlog", address_of_service(exchange));
}

/* -- Another name of the service ------------------------------------------------------------- */

/* Names of this machine alone, and numbers, are what somebody uses who works on the service, or a
 * proxy. */
static bool is_public_name(const char *host, size_t length)
{
    return *host != '[' && memchr(host, '.', length) && strspn(host, "0123456789.") < length;
}

static bool is_at_another_name(struct exchange *exchange, const char *address)
{
    const char *host = variable(exchange->request, "HTTP_HOST"), *own = strstr(address, "://");
    size_t length = strcspn(host, ":");
    return own && is_made_of(host, host_characters) && is_public_name(host, length) &&
           (strcspn(own + 3, ":/") != length || strncasecmp(own + 3, host, length) != 0);
}

const char *address_at_own_name(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    const char *path = variable(request, "REQUEST_URI");
    const char *address = address_of_service(exchange);
    size_t prefix = request->base_path.length;
    if (!club_of(exchange)->values[CLUB_ADDRESS].bytes || !is_at_another_name(exchange, address) ||
        strlen(path) <= prefix || path[prefix] != '/')
        return NULL;
    return arena_print(exchange->arena, "%s%s", address, path + prefix);
}
