/* Reads one value of JSON text: its kind, its number or its string. Strings are used as they stand
 * in the text; only those with escapes are copied. The caller has checked that the text is
 * well-formed (scan.c). */
#include "json/value.h"

#include <stdlib.h>
#include <string.h>

enum json_kind json_value_kind(char first)
{
    switch (first) {
    case '"':
        return JSON_STRING;
    case '{':
    case '[':
        return JSON_NESTED;
    case 'n':
        return JSON_NULL;
    case 't':
        return JSON_TRUE;
    case 'f':
        return JSON_FALSE;
    default:
        return JSON_NUMBER;
    }
}

int json_value_code_unit(const char *at, const char *end)
{
    unsigned char unit[2];
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u' ||
        !text_parse_hex((struct text){at + 2, 4}, unit))
        return -1;
    return unit[0] << 8 | unit[1];
}

int json_value_measure_escape(const char *at, const char *end, int *code_point)
{
    int unit = json_value_code_unit(at, end), low;
    *code_point = unit;
    if (unit < 0xD800 || unit > 0xDFFF)
        return 6;
    low = unit <= 0xDBFF ? json_value_code_unit(at + 6, end) : -1;
    bool is_pair = low >= 0xDC00 && low <= 0xDFFF;
    *code_point = is_pair ? 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00) : 0;
    return is_pair ? 12 : 6;
}

static size_t write_utf8(int code_point, char *out)
{
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    size_t length = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code_point >>= 6)
        out[i] = (char)(0x80 | (code_point & 0x3F));
    out[0] = (char)(0xF00 >> length | code_point);
    return length;
}

/* Writes the character that the escape at `at` stands for, and returns the length of the escape. */
static size_t decode_escape(const char *at, const char *end, char **out)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    if (at[1] != 'u') {
        const char *letter = strchr(letters, at[1]);
        *(*out)++ = letter ? values[letter - letters] : at[1];
        return 2;
    }
    int code_point;
    int length = json_value_measure_escape(at, end, &code_point);
    *out += write_utf8(code_point, *out);
    return (size_t)length;
}

/* An escape is never shorter than its character. */
struct text json_value_text(const struct json_value *value, struct arena *arena)
{
    if (value->kind != JSON_STRING)
        return (struct text){0};
    if (!value->has_escape)
        return value->text;
    const char *at = value->text.bytes, *end = at + value->text.length;
    char *decoded = arena_allocate(arena, value->text.length + 1), *out = decoded;
    while (at < end)
        if (*at == '\\')
            at += decode_escape(at, end, &out);
        else
            *out++ = *at++;
    *out = '\0';
    return (struct text){decoded, (size_t)(out - decoded)};
}

/* A number ends at the first character that no number contains. */
double json_value_number(const struct json_value *value)
{
    return strtod(value->text.bytes, NULL);
}
