/* Text from outside: whether it is UTF-8, its length, and trimming.
 *
 * Handles ASCII letters and the White_Space property without other Unicode tables: letters outside
 * ASCII keep their case. Allocates nothing, and relies on no NUL at the end of a text. */
#include "base/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct text text_of(const char *string)
{
    return (struct text){string, string == NULL ? 0 : strlen(string)};
}

/* -- UTF-8 ------------------------------------------------------------------------------------- */

static bool is_between(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/* The bounds of the second byte exclude overlong forms (E0, F0), surrogates (ED) and code points
 * above U+10FFFF (F4): RFC 3629, section 4. */
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

/* -- Trimming ---------------------------------------------------------------------------------- */

/* True if these bytes are exactly one White_Space character (PropList.txt of Unicode) or U+FEFF. */
static bool is_space(const char *bytes, size_t length)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    if (length == 1)
        return byte[0] == ' ' || is_between(byte[0], '\t', '\r');
    if (length == 2)
        return byte[0] == 0xC2 && (byte[1] == 0x85 || byte[1] == 0xA0);
    if (!is_between(byte[0], 0xE1, 0xEF))
        return false;
    uint32_t code_point = (byte[0] & 0x0FU) << 12 | (byte[1] & 0x3FU) << 6 | (byte[2] & 0x3FU);
    return ((code_point > 0x1FFF && code_point <= 0x200A) || code_point == 0x1680 ||
            code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202F ||
            code_point == 0x205F || code_point == 0x3000 || code_point == 0xFEFF) &&
           text_first_length((struct text){bytes, 3}) == 3;
}

/* The length of the space character at the beginning or the end; 0: no space there. */
static size_t measure_space(struct text text, bool at_end)
{
    for (size_t length = 1; length <= 3 && length <= text.length; length++)
        if (is_space(text.bytes + (at_end ? text.length - length : 0), length))
            return length;
    return 0;
}

struct text text_trim(struct text text)
{
    size_t length;
    while ((length = measure_space(text, false)) > 0)
        text = text_skip(text, length);
    while ((length = measure_space(text, true)) > 0)
        text.length -= length;
    return text;
}

size_t text_count_leading(struct text text, int (*is_kind)(int byte))
{
    size_t count = 0;
    while (count < text.length && is_kind((unsigned char)text.bytes[count]))
        count++;
    return count;
}

struct text text_skip(struct text text, size_t bytes)
{
    return (struct text){text.bytes + bytes, text.length - bytes};
}

struct text text_split_next(struct text *rest, char separator)
{
    const char *end = rest->length > 0 ? memchr(rest->bytes, separator, rest->length) : NULL;
    struct text part = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->length};
    *rest = end ? (struct text){end + 1, rest->length - part.length - 1} : (struct text){0};
    return part;
}

/* -- Comparing and converting ------------------------------------------------------------------ */

bool text_equals(struct text a, struct text b)
{
    return !a.bytes == !b.bytes && a.length == b.length &&
           (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

bool text_equals_ignoring_case(struct text a, const char *string)
{
    const struct text b = text_of(string);
    return !a.bytes == !b.bytes && a.length == b.length &&
           (a.length == 0 || strncasecmp(a.bytes, b.bytes, a.length) == 0);
}

bool text_is_one_of(struct text text, const char *words)
{
    struct text rest = text_of(words);
    while (rest.length > 0) {
        const struct text word = text_split_next(&rest, ' ');
        if (word.length == text.length && strncasecmp(word.bytes, text.bytes, word.length) == 0)
            return true;
    }
    return false;
}

bool text_begins_ignoring_case(struct text text, const char *beginning)
{
    const size_t length = strlen(beginning);
    return text.length >= length && strncasecmp(text.bytes, beginning, length) == 0;
}

bool text_extends(struct text text, const char *beginning)
{
    const size_t length = strlen(beginning);
    return text.length > length && memcmp(text.bytes, beginning, length) == 0;
}

int text_compare(struct text a, struct text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.bytes, b.bytes, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
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

/* The length of the hidden character at the start of the text; 0: the first character is visible.
 */
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

/* Hides characters below U+0020, U+007F, and in UTF-8 the two bytes of U+0080 to U+009F. */
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

bool text_has_nul(struct text text)
{
    return text.length > 0 && memchr(text.bytes, '\0', text.length) != NULL;
}

void text_to_upper(struct text text, char *out)
{
    for (size_t i = 0; i < text.length; i++)
        out[i] = (char)toupper((unsigned char)text.bytes[i]);
}

/* The value of a hexadecimal digit, or -1. */
static int hex_value(char character)
{
    int letter = toupper((unsigned char)character);
    return isdigit(letter) ? letter - '0' : isxdigit(letter) ? letter - 'A' + 10 : -1;
}

bool text_percent_decode(struct text text, char *out, size_t *out_length)
{
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (byte == '%') {
            if (text.length - i < 3 || !text_parse_hex((struct text){text.bytes + i + 1, 2}, &byte))
                return false;
            i += 2;
        }
        out[length++] = byte;
    }
    *out_length = length;
    return true;
}

bool text_parse_integer(struct text text, int64_t minimum, int64_t maximum, int64_t *value)
{
    const bool is_negative = text.length > 0 && text.bytes[0] == '-';
    int64_t result = 0;
    text = text_skip(text, is_negative);
    if (text.length == 0 || text_count_leading(text, isdigit) < text.length)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        const int64_t digit = text.bytes[i] - '0';
        if (__builtin_mul_overflow(result, 10, &result) ||
            __builtin_add_overflow(result, is_negative ? -digit : digit, &result))
            return false;
    }
    if (result < minimum || result > maximum)
        return false;
    *value = result;
    return true;
}

bool text_search(const char *string, const char *pattern, int flags, size_t count,
                 regmatch_t found[])
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, flags | REG_EXTENDED) != 0)
        return false;
    const bool is_found = regexec(&compiled, string, count, found, 0) == 0;
    regfree(&compiled);
    return is_found;
}

uint64_t text_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * ((UINT64_C(1) << 40) + 0x1b3);
    return hash;
}

bool text_parse_hex(struct text text, void *out)
{
    unsigned char *byte = out;
    for (size_t i = 0; i + 1 < text.length; i += 2) {
        int high = hex_value(text.bytes[i]), low = hex_value(text.bytes[i + 1]);
        if (high < 0 || low < 0)
            return false;
        *byte++ = (unsigned char)(high << 4 | low);
    }
    return text.length % 2 == 0;
}

void text_format_hex(const void *bytes, size_t length, char *out)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++) {
        *out++ = digits[byte[i] >> 4];
        *out++ = digits[byte[i] & 15];
    }
}
