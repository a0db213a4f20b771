/* Reads the Cookie header, which can contain any bytes, in one pass, and writes Set-Cookie. The
 * site's program interprets the cookies' values. The API's program needs no cookies, and is built
 * without this code. */
#include "http/cookie.h"

#include <string.h>

#include "base/buffer.h"

struct text cookie_find(const char *header, const char *name)
{
    struct text rest = text_of(header), found = {0};
    while (rest.length > 0) {
        struct text value = text_split_next(&rest, ';');
        if (!text_equals(text_trim(text_split_next(&value, '=')), text_of(name)) || !value.bytes)
            continue;
        value = text_trim(value);
        if (found.bytes && !text_equals(value, found))
            return (struct text){0};
        found = value;
    }
    return found;
}

void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s)
{
    static const char tls_prefix[] = "__Host-";
    bool wants_tls = strncmp(name, tls_prefix, sizeof tls_prefix - 1) == 0;
    buffer_print(&response->head,
                 "Set-Cookie: %s=%.*s; Max-Age=%lld; Path=/; HttpOnly; SameSite=Strict%s\r\n", name,
                 (int)value.length, value.bytes ? value.bytes : "", (long long)max_age_s,
                 wants_tls ? "; Secure" : "");
}
