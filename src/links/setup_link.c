/* Makes the links that set up a member's program with its address and its key. The address is
 * percent-encoded; a key has no character that would have to be. Whoever sees a link has the key:
 * showing it once is left to the callers. */
#include "links/setup_link.h"

#include <stdio.h>
#include <string.h>

char *setup_link_make(struct arena *arena, const char *address, const char *key)
{
    static const char unreserved[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789-._~";
    char *encoded = arena_allocate(arena, strlen(address) * 3 + 1), *out = encoded;
    for (; *address; address++)
        if (strchr(unreserved, *address))
            *out++ = *address;
        else
            out += sprintf(out, "%%%02X", (unsigned char)*address);
    *out = '\0';
    return arena_print(arena, "qsosync://config?v=1&url=%s&key=%s", encoded, key);
}

char *setup_link_make_app(struct arena *arena, const char *service, const char *key)
{
    return arena_print(arena, "%s/app/#key=%s", service, key);
}
