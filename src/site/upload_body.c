/* Three ways to read one body, the strict one first. Only the upload door accepts so much: its
 * clients exist, and will not change. */
#include "site/upload_body.h"

#include <string.h>

#include "json/read.h"

static bool fill(const struct json_members *body, struct upload_body *out)
{
    if (!body)
        return false;
    *out = (struct upload_body){json_read_text(body, "key"), json_read_text(body, "type"),
                                json_read_text(body, "string")};
    return true;
}

/* Control characters in strings become escapes. */
static struct text escape_controls(struct text body, struct arena *arena)
{
    static const char digits[] = "0123456789abcdef";
    char *out = arena_allocate(arena, body.length * 6 + 1);
    size_t length = 0;
    bool in_string = false;
    for (size_t i = 0; i < body.length; i++) {
        unsigned char byte = (unsigned char)body.bytes[i];
        if (in_string && byte < 0x20) {
            memcpy(out + length, "\\u00", 4);
            out[length + 4] = digits[byte >> 4];
            out[length + 5] = digits[byte & 15];
            length += 6;
            continue;
        }
        out[length++] = (char)byte;
        if (byte == '"')
            in_string = !in_string;
        else if (byte == '\\' && in_string && i + 1 < body.length &&
                 (unsigned char)body.bytes[i + 1] >= 0x20)
            out[length++] = body.bytes[++i];
    }
    return (struct text){out, length};
}

/* Where the value of the member "string" begins, after its quote; NULL: nowhere. */
static const char *find_pasted(struct text body)
{
    static const char name[] = "\"string\"";
    const char *end = body.bytes + body.length;
    const char *at = memmem(body.bytes, body.length, name, sizeof name - 1);
    if (!at)
        return NULL;
    at += sizeof name - 1;
    while (at < end && memchr(" \t\r\n:", *at, 5))
        at++;
    return at < end && *at == '"' ? at + 1 : NULL;
}

/* The bytes of a field's tag and value, from its < on; 0: not a field with a length. */
static size_t field_length(const char *at, const char *end)
{
    const char *colon = at + 1, *digit;
    size_t length = 0;
    while (colon < end && *colon != ':' && *colon != '>' && *colon != '<')
        colon++;
    if (colon == end || *colon != ':')
        return 0;
    for (digit = colon + 1; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
        if (length > (size_t)(end - at))
            return 0;
        length = length * 10 + (size_t)(*digit - '0');
    }
    const char *close = memchr(digit, '>', (size_t)(end - digit));
    if (digit == colon + 1 || !close || close - digit > 2 || length > (size_t)(end - close) - 1)
        return 0;
    return (size_t)(close - at) + 1 + length;
}

/* Where the pasted ADIF ends: at the first quote that is in no field. */
static const char *find_end(const char *at, const char *end)
{
    while (at < end && *at != '"') {
        size_t length = *at == '<' ? field_length(at, end) : 0;
        at += length ? length : 1;
    }
    return at < end ? at : NULL;
}

static bool parse_pasted(struct text body, struct arena *arena, struct upload_body *out,
                         const char **message)
{
    const char *end = body.bytes + body.length;
    const char *start = find_pasted(body);
    const char *close = start ? find_end(start, end) : NULL;
    if (!close)
        return false;
    size_t before = (size_t)(start - body.bytes), after = (size_t)(end - close);
    char *rest = arena_allocate(arena, before + after);
    memcpy(rest, body.bytes, before);
    memcpy(rest + before, close, after);
    if (!fill(json_read_object((struct text){rest, before + after}, arena, message), out))
        return false;
    out->adif = (struct text){start, (size_t)(close - start)};
    return true;
}

bool upload_body_parse(struct text body, struct arena *arena, struct upload_body *out,
                       const char **message)
{
    const char *ignored;
    return fill(json_read_object(body, arena, message), out) ||
           fill(json_read_object(escape_controls(body, arena), arena, &ignored), out) ||
           parse_pasted(body, arena, out, &ignored);
}
