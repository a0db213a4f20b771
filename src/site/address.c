/* Makes the addresses that members type into their programs, of the front server's variables. The
 * client sends the Host header, so it is used only where it has the form of a host. Which pages
 * show an address is left to them. */
#include "site/address.h"

#include <string.h>

#include "worker/worker.h"

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

const char *address_of_api(const struct request *request)
{
    const char *setting = worker_setting_text(request, SETTING_ADDRESS);
    if (*setting)
        return setting;
    bool is_encrypted = strcmp(variable(request, "REQUEST_SCHEME"), "https") == 0 ||
                        strcmp(variable(request, "HTTPS"), "on") == 0;
    const char *prefix =
        arena_copy(request->arena, request->base_path.bytes, request->base_path.length);
    return arena_print(request->arena, "%s://%s%s/api/v1", is_encrypted ? "https" : "http",
                       host_of(request), is_made_of(prefix, path_characters) ? prefix : "");
}

const char *address_of_uploads(const struct request *request)
{
    static const char api[] = "/api/v1";
    const char *address = address_of_api(request);
    size_t length = strlen(address), end = sizeof api - 1;
    if (length >= end && strcmp(address + length - end, api) == 0)
        length -= end;
    return arena_print(request->arena, "%.*s/cloudlog", (int)length, address);
}
