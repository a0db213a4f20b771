/* Replaces the names in braces, and escapes the values. */
#include "alerts/template.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"

static void append_escaped(struct buffer *out, struct text value, enum template_place place)
{
    for (size_t i = 0; i < value.length; i++) {
        const unsigned char byte = (unsigned char)value.bytes[i];
        if (place == TEMPLATE_JSON && (byte == '"' || byte == '\\'))
            buffer_print(out, "\\%c", byte);
        else if (place == TEMPLATE_JSON && byte < ' ')
            buffer_print(out, "\\u%04x", byte);
        else if (place == TEMPLATE_URL && !isalnum(byte) && !strchr("-._~", byte))
            buffer_print(out, "%%%02X", byte);
        else if (place == TEMPLATE_HEADER && (byte < ' ' || byte > '~'))
            buffer_append(out, "?", (byte & 0xC0) != 0x80); /* one for each character */
        else
            buffer_append(out, &value.bytes[i], 1);
    }
}

/* Returns the value with the name in braces at the beginning of the text, and its length with the
 * braces. Returns NULL if no such name begins there. */
static const struct text *find_value(struct text text, const struct template_values *values,
                                     size_t *length)
{
    const struct {
        const char *name;
        const struct text *value;
    } known[] = {{"{title}", &values->title},
                 {"{text}", &values->text},
                 {"{link}", &values->link},
                 {"{id}", &values->id}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *length = strlen(known[i].name);
        if (text.length >= *length && memcmp(text.bytes, known[i].name, *length) == 0)
            return known[i].value;
    }
    return NULL;
}

struct text template_fill(struct text pattern, const struct template_values *values,
                          enum template_place place, struct arena *arena)
{
    struct buffer out = {0};
    size_t length;
    for (size_t at = 0; at < pattern.length;) {
        const struct text *value = find_value(text_skip(pattern, at), values, &length);
        if (value)
            append_escaped(&out, *value, place);
        else
            buffer_append(&out, pattern.bytes + at, length = 1);
        at += length;
    }
    const struct text filled = {arena_copy(arena, out.bytes ? out.bytes : "", out.length),
                                out.length};
    buffer_free(&out);
    return filled;
}
