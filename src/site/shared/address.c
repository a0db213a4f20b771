/* Creates the addresses that members enter into their programs, from the operator's setting or,
 * without a setting, from the address in the request. Each page decides which addresses it shows.
 */
#include "site/shared/address.h"

#include <ctype.h>
#include <string.h>

#include "base/format.h"
#include "http/address.h"
#include "qso/match_callsign.h"
#include "site/shared/club.h"

static int is_of_path(int byte)
{
    return isalnum(byte) || (byte && strchr(".-_~%/", byte));
}

static const char *address_of_request(const struct request *request)
{
    const struct text prefix = request->base_path;
    const char *origin = address_find_origin(request);
    const bool is_path = text_count_leading(prefix, is_of_path) == prefix.length;
    return arena_print(request->arena, "%s%.*s", origin ? origin : "http://localhost",
                       is_path ? (int)prefix.length : 0, prefix.bytes ? prefix.bytes : "");
}

/* Removes the API's path from the address in the club's details, because operators may have set the
 * API's address there. */
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

const char *address_of_log_page(struct arena *arena, struct text callsign)
{
    struct match_callsign normal;
    char *path = arena_allocate(arena, sizeof "/log/" + 3 * MATCH_CALLSIGN_BYTES), *end = path;
    match_normalise_callsign(callsign, &normal);
    end += format_cut(end, sizeof "/log/", "/log/");
    for (size_t i = 0; i < normal.length; i++) {
        unsigned char byte = (unsigned char)normal.bytes[i];
        if (byte == '/')
            *end++ = '-';
        else
            end += format_cut(end, sizeof "%XX", isalnum(byte) ? "%c" : "%%%02X", byte);
    }
    *end = '\0';
    return path;
}

const char *address_make_link(struct exchange *exchange,
                              unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES])
{
    char *secret = arena_allocate(exchange->arena, API_KEY_LINK_LENGTH + 1);
    api_key_make(API_KEY_LINK, secret);
    api_key_fingerprint(text_of(secret), fingerprint);
    return arena_print(exchange->arena, "%s/welcome/#%s", address_of_service(exchange), secret);
}
