/* Trims, splits and compares text, and reads integers.
 *
 * Handles ASCII letters and the White_Space property without other Unicode tables: letters outside
 * ASCII keep their case. Allocates nothing, and does not need a NUL at the end of a text. */
#include "base/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct text text_of(const char *string)
{
    return (struct text){string, string == NULL ? 0 : strlen(string)};
}

static bool is_between(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/* Returns whether these bytes are exactly one White_Space character (Unicode, PropList.txt) or
 * U+FEFF. */
static bool is_space(const char *bytes, size_t length)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    if (length == 1)
        return byte[0] == ' ' || is_between(byte[0], '\t', '\r');
    if (length == 2)
        return byte[0] == 0xC2 && (byte[1] == 0x85 || byte[1] == 0xA0);
    if (!is_between(byte[0], 0xE1, 0xEF) || !is_between(byte[1], 0x80, 0xBF) ||
        !is_between(byte[2], 0x80, 0xBF))
        return false;
    uint32_t code_point = (byte[0] & 0x0FU) << 12 | (byte[1] & 0x3FU) << 6 | (byte[2] & 0x3FU);
    return (code_point > 0x1FFF && code_point <= 0x200A) || code_point == 0x1680 ||
           code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202F ||
           code_point == 0x205F || code_point == 0x3000 || code_point == 0xFEFF;
}

/* Returns the length of the space character at the beginning or at the end of the text, or 0 if
 * there is no space. */
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

bool text_has_form(struct text text, const char *form)
{
    if (text.length != strlen(form))
        return false;
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.bytes[i];
        if (form[i] == '0' ? !isdigit(byte) : form[i] == 'A' ? !isalpha(byte) : byte != form[i])
            return false;
    }
    return true;
}

int text_compare(struct text a, struct text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.bytes, b.bytes, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

bool text_has_nul(struct text text)
{
    return text.length > 0 && memchr(text.bytes, '\0', text.length) != NULL;
}

void text_to_upper(struct text text, char *out)
{
    for (size_t i = 0; i < text.length; i++) {
        const char byte = text.bytes[i];
        out[i] = (char)(byte - (byte >= 'a' && byte <= 'z' ? 'a' - 'A' : 0));
    }
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
