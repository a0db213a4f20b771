/* Encodes and decodes base64 with libcrypto, and base64url, which uses two different characters and
 * no padding. */
#include "base/base64.h"

#include <openssl/evp.h>
#include <string.h>

struct text base64_encode(const void *bytes, size_t length, struct arena *arena)
{
    char *out = arena_allocate(arena, (length + 2) / 3 * 4 + 1);
    return (struct text){out, (size_t)EVP_EncodeBlock((unsigned char *)out, bytes, (int)length)};
}

/* Replaces the digits of base64 with those of base64url, or the reverse. */
static void translate(struct text text, const char *from, const char *to, char *out)
{
    for (size_t i = 0; i < text.length; i++) {
        const char *found = text.bytes[i] ? strchr(from, text.bytes[i]) : NULL;
        out[i] = found ? to[found - from] : text.bytes[i];
    }
}

struct text base64url_encode(const void *bytes, size_t length, struct arena *arena)
{
    struct text padded = base64_encode(bytes, length, arena);
    char *out = arena_copy(arena, padded.bytes, padded.length);
    translate(padded, "+/", "-_", out);
    return (struct text){out, (length * 4 + 2) / 3};
}

/* Accepts only one spelling of each value: encoding the result must return the same text. */
struct text base64url_decode(struct text encoded, struct arena *arena)
{
    size_t padded = (encoded.length + 3) / 4 * 4;
    char *text = arena_allocate(arena, padded), *out = arena_allocate(arena, padded);
    memset(text, '=', padded);
    translate(encoded, "-_", "+/", text);
    struct text decoded = {out, encoded.length * 3 / 4};
    if (!encoded.bytes ||
        EVP_DecodeBlock((unsigned char *)out, (const unsigned char *)text, (int)padded) < 0)
        return (struct text){0};
    return text_equals(base64url_encode(out, decoded.length, arena), encoded) ? decoded
                                                                              : (struct text){0};
}
