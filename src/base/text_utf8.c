/* Checks, measures and writes UTF-8 (RFC 3629), without Unicode tables. */
#include "base/text_utf8.h"

static bool is_between(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/* The bounds of the second byte exclude overlong forms (E0, F0), surrogates (ED) and code points
 * above U+10FFFF (F4), as in RFC 3629, section 4. */
size_t text_first_length(struct text text)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    unsigned char first = bytes[0];
    if (first < 0x80)
        return 1;
    size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (!is_between(first, 0xC2, 0xF4) || length > text.length)
        return 0;
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (!is_between(bytes[1], low, high))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_between(bytes[i], 0x80, 0xBF))
            return 0;
    return length;
}

size_t text_put_code_point(unsigned code, char *out)
{
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    out[0] = (char)(length == 1 ? code : length == 2 ? 0xC0 | code >> 6 : 0xE0 | code >> 12);
    for (size_t i = 1; i < length; i++)
        out[i] = (char)(0x80 | (code >> 6 * (length - 1 - i) & 0x3F));
    return length;
}

bool text_is_utf8(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t step = text_first_length((struct text){bytes + at, length - at});
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}

unsigned text_from_windows_1252(unsigned char byte)
{
    static const unsigned short codes[] = {
        0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
    };
    return byte >= 0x80 && byte < 0xA0 ? codes[byte - 0x80] : byte;
}

size_t text_count_code_points(struct text text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += ((unsigned char)text.bytes[i] & 0xC0) != 0x80;
    return count;
}
