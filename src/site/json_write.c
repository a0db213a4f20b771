/* The last byte of the buffer shows whether a comma is needed. */
#include "site/json_write.h"

#include <math.h>

#include "base/datetime.h"
#include "qso/render.h"

#define DAY_LENGTH 10 /* YYYY-MM-DD */

#define DEGREE_DIGITS 6
#define DEGREE_PARTS 1e6 /* 10 to the power of the digits */

void json_write_element(struct buffer *out)
{
    char last = out->length > 0 ? out->bytes[out->length - 1] : '[';
    if (last != '[' && last != '{' && last != ':')
        buffer_append(out, ",", 1);
}

void json_write_name(struct buffer *out, const char *name)
{
    json_write_element(out);
    buffer_append(out, "\"", 1);
    buffer_append_string(out, name);
    buffer_append(out, "\":", 2);
}

void json_write_null(struct buffer *out, const char *name)
{
    json_write_name(out, name);
    buffer_append(out, "null", 4);
}

void json_write_text(struct buffer *out, const char *name, struct text text)
{
    if (!text.bytes) {
        json_write_null(out, name);
        return;
    }
    json_write_name(out, name);
    buffer_append_json_string(out, text.bytes, text.length);
}

void json_write_integer(struct buffer *out, const char *name, int64_t value)
{
    json_write_name(out, name);
    buffer_append_integer(out, value);
}

void json_write_number_text(struct buffer *out, const char *name, int64_t value)
{
    json_write_name(out, name);
    buffer_append(out, "\"", 1);
    buffer_append_integer(out, value);
    buffer_append(out, "\"", 1);
}

void json_write_flag(struct buffer *out, const char *name, bool flag)
{
    json_write_name(out, name);
    buffer_append_string(out, flag ? "true" : "false");
}

void json_write_time(struct buffer *out, const char *name, int64_t ms)
{
    json_write_name(out, name);
    render_time(ms, out);
}

void json_write_day(struct buffer *out, const char *name, int64_t day)
{
    char text[DATETIME_TEXT_LENGTH];
    if (day < 0) {
        json_write_null(out, name);
        return;
    }
    datetime_format(day * DATETIME_DAY_MS, text);
    json_write_text(out, name, (struct text){text, DAY_LENGTH});
}

/* Much quicker than the shortest text of any number: a map has thousands. */
void json_append_degrees(struct buffer *out, double degrees)
{
    char text[DEGREE_DIGITS + 1], *end = text + sizeof text, *at = end;
    int64_t parts = llround(degrees * DEGREE_PARTS), left = parts < 0 ? -parts : parts;
    int digits = DEGREE_DIGITS;
    for (; digits > 0 && left % 10 == 0; digits--)
        left /= 10;
    for (int i = 0; i < digits; i++, left /= 10)
        *--at = (char)('0' + left % 10);
    if (digits > 0)
        *--at = '.';
    if (parts < 0)
        buffer_append(out, "-", 1);
    buffer_append_integer(out, left);
    buffer_append(out, at, (size_t)(end - at));
}

void json_write_degrees(struct buffer *out, const char *name, double degrees)
{
    json_write_name(out, name);
    json_append_degrees(out, degrees);
}
