/* Brings texts into the form in which a search compares them. The tables of letters are those of
 * utf8proc; most texts are ASCII and need none of them. Nothing is kept in this form, and which
 * texts are searched is left to others. */
#include "base/fold.h"

#include <string.h>
#include <utf8proc.h>

#define OPTIONS (UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK)
#define DECOMPOSED_MAX 32 /* more than any code point becomes */

/* What one code point becomes. */
static void append_code_point(struct buffer *out, utf8proc_int32_t code_point)
{
    utf8proc_int32_t parts[DECOMPOSED_MAX];
    utf8proc_uint8_t bytes[4];
    int boundary_class = 0;
    utf8proc_ssize_t count =
        utf8proc_decompose_char(code_point, parts, DECOMPOSED_MAX, OPTIONS, &boundary_class);
    for (utf8proc_ssize_t i = 0; i < count && i < DECOMPOSED_MAX; i++)
        buffer_append(out, (const char *)bytes, (size_t)utf8proc_encode_char(parts[i], bytes));
}

/* The ASCII at the beginning, in lower case; returns how many bytes that were. */
static size_t append_ascii(struct buffer *out, struct text text)
{
    char lower[256];
    size_t length = 0;
    while (length < text.length && length < sizeof lower &&
           (unsigned char)text.bytes[length] < 0x80) {
        char c = text.bytes[length];
        lower[length++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    if (length > 0)
        buffer_append(out, lower, length);
    return length;
}

void fold_text(struct text text, struct buffer *out)
{
    buffer_clear(out);
    while (text.length > 0) {
        utf8proc_int32_t code_point;
        size_t taken = append_ascii(out, text);
        if (taken == 0) {
            utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text.bytes,
                                                      (utf8proc_ssize_t)text.length, &code_point);
            if (bytes <= 0)
                return;
            append_code_point(out, code_point);
            taken = (size_t)bytes;
        }
        text.bytes += taken;
        text.length -= taken;
    }
}

bool fold_holds(const struct buffer *folded, struct text part)
{
    return folded->length >= part.length &&
           memmem(folded->bytes, folded->length, part.bytes, part.length) != NULL;
}
