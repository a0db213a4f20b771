/* Makes the addresses that members type into their programs, of what the operator has said of
 * the service, or else of the front server's variables. The client sends the Host header, so it is
 * used only if it has the form of a host. Which pages show an address is left to them. */
#include "site/address.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "worker/worker.h"

#define HOST_MAX 255 /* bytes of a name (RFC 1035, section 2.3.4) */

static int is_of_host(int byte)
{
    return isalnum(byte) || (byte && strchr(".-_", byte));
}

static int is_of_path(int byte)
{
    return is_of_host(byte) || (byte && strchr("~%/", byte));
}

/* -- Hosts ------------------------------------------------------------------------------------- */

static bool is_ip(int family, struct text text, struct in6_addr *out)
{
    char string[INET6_ADDRSTRLEN];
    if (text.length >= sizeof string)
        return false;
    memcpy(string, text.bytes, text.length);
    string[text.length] = '\0';
    return inet_pton(family, string, out) == 1;
}

static size_t measure_name(struct text text)
{
    struct in6_addr address;
    const char *end;
    if (text.length > 0 && text.bytes[0] == '[') {
        end = memchr(text.bytes, ']', text.length);
        size_t length = end ? (size_t)(end - text.bytes) + 1 : 0;
        return length && is_ip(AF_INET6, (struct text){text.bytes + 1, length - 2}, &address)
                   ? length
                   : 0;
    }
    size_t length = text_count_leading(text, is_of_host);
    return length <= HOST_MAX ? length : 0;
}

bool address_read_host(struct text text, struct host *out)
{
    size_t length = measure_name(text);
    *out = (struct host){.name = {text.bytes, length}, .port = -1};
    if (length == 0 || length == text.length)
        return length > 0;
    struct text port = {text.bytes + length + 1, text.length - length - 1};
    return text.bytes[length] == ':' && port.length > 0 && port.bytes[0] != '-' &&
           text_parse_integer(port, 0, 65535, &out->port);
}

bool address_host_of(const char *address, struct host *out)
{
    const char *authority = strstr(address, "://");
    return authority &&
           address_read_host((struct text){authority + 3, strcspn(authority + 3, "/")}, out);
}

bool address_is_same_name(const struct host *one, const struct host *other)
{
    return one->name.length == other->name.length &&
           strncasecmp(one->name.bytes, other->name.bytes, one->name.length) == 0;
}

bool address_find_host(const struct request *request, struct host *out)
{
    return address_read_host(text_of(request_variable(request, "HTTP_HOST")), out);
}

bool address_is_loopback(const struct host *host)
{
    struct in6_addr address;
    return text_equals_ignoring_case(host->name, "localhost") ||
           text_equals(host->name, text_of("[::1]")) ||
           (is_ip(AF_INET, host->name, &address) && address.s6_addr[0] == 127);
}

/* -- The service's own ------------------------------------------------------------------------- */

bool address_is_encrypted(const struct request *request)
{
    return strcmp(request_variable(request, "REQUEST_SCHEME"), "https") == 0 ||
           strcmp(request_variable(request, "HTTPS"), "on") == 0;
}

static const char *address_of_request(const struct request *request)
{
    struct text prefix = request->base_path, name = text_of(request_variable(request, "HTTP_HOST"));
    struct host host;
    bool is_path = text_count_leading(prefix, is_of_path) == prefix.length;
    if (!address_read_host(name, &host))
        name = text_of(request_variable(request, "SERVER_NAME"));
    return arena_print(request->arena, "%s://%s%.*s",
                       address_is_encrypted(request) ? "https" : "http",
                       address_read_host(name, &host) ? name.bytes : "localhost",
                       is_path ? (int)prefix.length : 0, prefix.bytes ? prefix.bytes : "");
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

const char *address_below(struct exchange *exchange, const char *path)
{
    return arena_print(exchange->arena, "%s%s", address_of_service(exchange), path);
}

const char *address_make_link(struct exchange *exchange,
                              unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES])
{
    char *secret = arena_allocate(exchange->arena, API_KEY_LINK_LENGTH + 1);
    api_key_make(API_KEY_LINK, secret);
    api_key_fingerprint(text_of(secret), fingerprint);
    return arena_print(exchange->arena, "%s/welcome/#%s", address_of_service(exchange), secret);
}

/* -- Another name of the service ------------------------------------------------------------- */

/* Names of this machine alone, and numbers, are what somebody uses who works on the service, or a
 * proxy. */
static bool is_public_name(struct text name)
{
    struct in6_addr address;
    return name.bytes[0] != '[' && memchr(name.bytes, '.', name.length) &&
           !is_ip(AF_INET, name, &address);
}

const char *address_at_own_name(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    const char *path = request_variable(request, "REQUEST_URI");
    const char *address = address_of_service(exchange);
    size_t prefix = request->base_path.length;
    struct host asked, own;
    if (!club_of(exchange)->values[CLUB_ADDRESS].bytes || !strstr(address, "://") ||
        !address_find_host(request, &asked) || !is_public_name(asked.name) ||
        (address_host_of(address, &own) && address_is_same_name(&own, &asked)) ||
        strlen(path) <= prefix || path[prefix] != '/')
        return NULL;
    return arena_print(exchange->arena, "%s%s", address, path + prefix);
}

/* -- What the club says of itself -------------------------------------------------------------- */

/* Puts together what the club says of itself: what its operators said last, by the command or the
 * operator's page, stands in the logbook, and what the service was set up with in its settings. How
 * it is shown is left to the pages. */

static void take_setting(struct exchange *exchange, struct text *value, enum setting_index setting)
{
    const char *text = worker_setting_text(exchange->request, setting);
    if (!value->bytes && *text)
        *value = text_of(text);
}

const struct club *club_of(struct exchange *exchange)
{
    if (exchange->club)
        return exchange->club;
    struct club *club = arena_allocate(exchange->arena, sizeof *club);
    if (!exchange->store || store_read_club(exchange->store, exchange->arena, club) != STORE_DONE)
        *club = (struct club){0};
    take_setting(exchange, &club->values[CLUB_NAME], SETTING_CLUB);
    take_setting(exchange, &club->values[CLUB_TEXT], SETTING_CLUB_TEXT);
    take_setting(exchange, &club->values[CLUB_ADDRESS], SETTING_ADDRESS);
    exchange->club = club;
    return club;
}
