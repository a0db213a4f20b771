/* Folds texts with utf8proc's tables. Most texts are ASCII, which needs no table. */
#include "qso/fold.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/text_utf8.h"

void fold_text(struct text text, struct buffer *out)
{
    utf8proc_uint8_t *folded = NULL;
    size_t whole = 0, step;
    buffer_clear(out);
    if (text_count_leading(text, isascii) == text.length) {
        char *at = buffer_reserve(out, text.length);
        for (size_t i = 0; i < text.length; i++)
            at[i] = (char)tolower((unsigned char)text.bytes[i]);
        out->length = text.length;
        return;
    }
    while (whole < text.length && (step = text_first_length(text_skip(text, whole))) > 0)
        whole += step;
    utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)text.bytes, (utf8proc_ssize_t)whole, &folded,
                     UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK);
    if (length > 0)
        buffer_append(out, folded, (size_t)length);
    free(folded);
}

bool fold_holds(const struct buffer *folded, struct text part)
{
    return folded->length >= part.length &&
           memmem(folded->bytes, folded->length, part.bytes, part.length) != NULL;
}
