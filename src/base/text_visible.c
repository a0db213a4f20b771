/* Recognises characters by their bytes, without Unicode tables. Allocates nothing, so that messages
 * can be cleaned even when memory has run out. */
#include "base/text_visible.h"

#include <string.h>

static bool is_between(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

bool text_has_control(struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        unsigned char before = i > 0 ? (unsigned char)text.bytes[i - 1] : 0;
        if (byte < 0x20 || byte == 0x7F || (before == 0xC2 && byte < 0xA0))
            return true;
    }
    return false;
}

/* Returns the length of the hidden character at the start of the text, or 0 if its first character
 * is visible. */
static size_t measure_hidden(struct text text)
{
    const unsigned char *at = (const unsigned char *)text.bytes;
    if (text.length >= 2 && at[0] == 0xD8 && at[1] == 0x9C)
        return 2;
    if (text.length < 3 || (at[0] != 0xE2 && at[0] != 0xEF))
        return 0;
    const bool is_hidden =
        at[0] == 0xEF ? at[1] == 0xBB && at[2] == 0xBF
                      : (at[1] == 0x80 && (at[2] == 0x8B || at[2] == 0x8E || at[2] == 0x8F ||
                                           is_between(at[2], 0xA8, 0xAE))) ||
                            (at[1] == 0x81 && is_between(at[2], 0xA0, 0xAF));
    return is_hidden ? 3 : 0;
}

bool text_has_invisible(struct text text)
{
    for (; text.length > 0; text = text_skip(text, 1))
        if (measure_hidden(text) > 0)
            return true;
    return false;
}

/* Replaces each control character (U+0000 to U+001F, U+007F, and U+0080 to U+009F in UTF-8) and
 * each invisible character with question marks, one per byte. */
void text_replace_control(char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        const unsigned char next = i + 1 < length ? (unsigned char)bytes[i + 1] : 0;
        const size_t hidden = byte < 0x20 || byte == 0x7F ? 1
                              : byte == 0xC2 && is_between(next, 0x80, 0x9F)
                                  ? 2
                                  : measure_hidden((struct text){bytes + i, length - i});
        memset(bytes + i, '?', hidden);
        i += hidden > 1 ? hidden - 1 : 0;
    }
}
