/* Reads an upload program's body, which is JSON that contains ADIF. Tries three methods, the strict
 * method first. Only uploads accept malformed bodies, because their clients already exist and will
 * not change. cloudlog_qso.c saves the data and answers. */
#include "site/uploads/body.h"

#include <string.h>

#include "adif/lengths.h"
#include "base/api_key.h"
#include "base/format.h"
#include "json/read.h"

/* The maximum number of bytes in the value of "key", including spaces and the closing quote. */
#define KEY_MAX 256

static bool read_json(struct text json, const struct json_bounds *bounds, struct arena *arena,
                      struct upload_body *out, const char **message)
{
    const struct json_fields *body = json_read_object(json, bounds, arena, message);
    if (!body)
        return false;
    *out = (struct upload_body){json_read_text(body, "key"), json_read_text(body, "type"),
                                json_read_text(body, "string")};
    return true;
}

#define ESCAPE_BYTES (sizeof "\\u001F" - 1)

/* Replaces control characters in strings with escapes. A backslash before a control character is
 * doubled; otherwise the backslash would turn the escape into text. */
static struct text escape_controls(struct text body, struct arena *arena)
{
    char *out = arena_allocate(arena, body.length * ESCAPE_BYTES + 1);
    size_t length = 0;
    bool in_string = false;
    for (size_t i = 0; i < body.length; i++) {
        unsigned char byte = (unsigned char)body.bytes[i];
        if (in_string && byte < 0x20) {
            length += format_cut(out + length, ESCAPE_BYTES + 1, "\\u%04x", byte);
            continue;
        }
        out[length++] = (char)byte;
        if (byte == '"')
            in_string = !in_string;
        else if (byte == '\\' && in_string && i + 1 < body.length)
            out[length++] = (unsigned char)body.bytes[i + 1] < 0x20 ? '\\' : body.bytes[++i];
    }
    return (struct text){out, length};
}

/* Finds the next member with this quoted name at or after `at`. Returns the position after the
 * opening quote of the member's value, or NULL if the value is not a string. The search continues
 * at *next, which is NULL if no further member has this name. */
static const char *find_string(const char *at, const char *end, const char *name, const char **next)
{
    at = memmem(at, (size_t)(end - at), name, strlen(name));
    *next = at;
    if (!at)
        return NULL;
    at += strlen(name);
    while (at < end && memchr(" \t\r\n:", *at, 5))
        at++;
    *next = at;
    return at < end && *at == '"' ? at + 1 : NULL;
}

/* Returns the number of bytes in a field's tag and value, from the tag's "<", or 0 if no field with
 * a length begins here. */
static size_t field_length(struct text pasted, size_t at)
{
    struct tag tag = tag_read(pasted, at);
    bool fits = tag.kind == TAG_FIELD && tag.length < pasted.length - tag.end;
    return fits ? tag.end - at + tag.length : 0;
}

/* Returns the end of the pasted ADIF: the first quote outside a field. */
static const char *find_end(struct text pasted)
{
    size_t at = 0;
    while (at < pasted.length && pasted.bytes[at] != '"') {
        size_t length = pasted.bytes[at] == '<' ? field_length(pasted, at) : 0;
        at += length ? length : 1;
    }
    return at < pasted.length ? pasted.bytes + at : NULL;
}

static bool parse_pasted(struct text body, const struct json_bounds *bounds, struct arena *arena,
                         struct upload_body *out, const char **message)
{
    const char *end = body.bytes + body.length;
    const char *next, *start = find_string(body.bytes, end, "\"string\"", &next);
    const char *close = start ? find_end((struct text){start, (size_t)(end - start)}) : NULL;
    if (!close)
        return false;
    size_t before = (size_t)(start - body.bytes), after = (size_t)(end - close);
    char *rest = arena_allocate(arena, before + after);
    memcpy(rest, body.bytes, before);
    memcpy(rest + before, close, after);
    if (!read_json((struct text){rest, before + after}, bounds, arena, out, message))
        return false;
    out->adif = (struct text){start, (size_t)(close - start)};
    return true;
}

bool upload_body_find_token(struct text body, struct text *token)
{
    const char *at = body.bytes, *end = body.bytes + body.length;
    bool has_key = false;
    *token = (struct text){0};
    while (!token->bytes && at < end) {
        const char *value = find_string(at, end, "\"key\"", &at);
        if (!at)
            break;
        has_key = true;
        size_t left = value ? (size_t)(end - value) : 0;
        const char *close = value ? memchr(value, '"', left < KEY_MAX ? left : KEY_MAX) : NULL;
        struct text text = {value, close ? (size_t)(close - value) : 0};
        if (close && api_key_is(API_KEY_TOKEN, text_trim(text)))
            *token = text_trim(text);
    }
    return has_key;
}

bool upload_body_parse(struct text body, const struct json_bounds *bounds, struct arena *arena,
                       struct upload_body *out, const char **message)
{
    const char *ignored;
    return read_json(body, bounds, arena, out, message) ||
           read_json(escape_controls(body, arena), bounds, arena, out, &ignored) ||
           parse_pasted(body, bounds, arena, out, &ignored);
}
