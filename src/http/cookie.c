/* Reads the header Cookie, which anybody may have filled with anything, in one pass, and writes
 * Set-Cookie. What a cookie means is left to the site's program; the API's program has no use for
 * any, and is built without this. */
#include "http/cookie.h"

#include <string.h>

/* Blanks and tabs alone: a cookie's octets are ASCII (RFC 6265, section 4.1.1). */
static struct text trim(struct text text)
{
    while (text.length > 0 && strchr(" \t", text.bytes[0])) {
        text.bytes++;
        text.length--;
    }
    while (text.length > 0 && strchr(" \t", text.bytes[text.length - 1]))
        text.length--;
    return text;
}

/* The value of "name=value"; no text where the pair has another name. */
static struct text value_of(struct text pair, struct text name)
{
    const char *equals = memchr(pair.bytes, '=', pair.length);
    if (!equals ||
        !text_equals(trim((struct text){pair.bytes, (size_t)(equals - pair.bytes)}), name))
        return (struct text){0};
    return trim((struct text){equals + 1, pair.length - (size_t)(equals + 1 - pair.bytes)});
}

struct text cookie_find(const char *header, const char *name)
{
    struct text found = {0}, wanted = text_of(name);
    for (const char *at = header; at && *at;) {
        struct text pair = {at, strcspn(at, ";")};
        struct text value = value_of(pair, wanted);
        if (value.bytes && found.bytes && !text_equals(value, found))
            return (struct text){0};
        if (value.bytes)
            found = value;
        at += pair.length;
        at += *at == ';';
    }
    return found;
}

void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s)
{
    static const char tls_prefix[] = "__Host-";
    bool wants_tls = strncmp(name, tls_prefix, sizeof tls_prefix - 1) == 0;
    struct buffer *head = &response->head;
    buffer_print(head, "Set-Cookie: %s=", name);
    if (value.bytes)
        buffer_append(head, value.bytes, value.length);
    buffer_print(head, "; Max-Age=%lld; Path=/; HttpOnly; SameSite=Strict%s\r\n",
                 (long long)max_age_s, wants_tls ? "; Secure" : "");
}
