/* Writes fields and elements with their commas. The last byte in the buffer that is not white space
 * shows whether a comma is needed, so nothing is counted. */
#include "json/write.h"

#include "base/datetime.h"
#include "json/append.h"

#define DAY_LENGTH 10 /* YYYY-MM-DD */

/* Appends the time as ISO 8601 in quotes, or null for 0. */
static void append_time(struct buffer *out, int64_t ms)
{
    if (ms == 0) {
        buffer_append(out, "null", 4);
        return;
    }
    char *at = buffer_reserve(out, DATETIME_TEXT_LENGTH + 2);
    at[0] = '"';
    datetime_format(ms, at + 1);
    at[DATETIME_TEXT_LENGTH + 1] = '"';
    out->length += DATETIME_TEXT_LENGTH + 2;
}

void json_write_element(struct buffer *out)
{
    size_t length = out->length;
    while (length > 0 && (out->bytes[length - 1] == '\n' || out->bytes[length - 1] == ' '))
        length--;
    char last = length > 0 ? out->bytes[length - 1] : '[';
    if (last != '[' && last != '{' && last != ':' && last != ',')
        buffer_append(out, ",", 1);
}

void json_begin_item(struct buffer *out)
{
    json_write_element(out);
    buffer_append(out, "{", 1);
}

void json_begin_object(struct buffer *out, const char *name)
{
    json_write_name(out, name);
    buffer_append(out, "{", 1);
}

void json_begin_array(struct buffer *out, const char *name)
{
    json_write_name(out, name);
    buffer_append(out, "[", 1);
}

void json_write_line(struct buffer *out)
{
    json_write_element(out);
    buffer_append(out, "\n ", 2);
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
    json_append_string(out, text.bytes, text.length);
}

void json_write_integer(struct buffer *out, const char *name, int64_t value)
{
    json_write_name(out, name);
    buffer_append_integer(out, value);
}

void json_write_number_text(struct buffer *out, const char *name, int64_t value)
{
    json_write_name(out, name);
    buffer_print(out, "\"%lld\"", (long long)value);
}

void json_write_flag(struct buffer *out, const char *name, int64_t flag)
{
    json_write_name(out, name);
    buffer_append_string(out, flag ? "true" : "false");
}

void json_write_time(struct buffer *out, const char *name, int64_t ms)
{
    json_write_name(out, name);
    append_time(out, ms);
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

void json_write_degrees(struct buffer *out, const char *name, double degrees)
{
    json_write_name(out, name);
    json_append_degrees(out, degrees);
}
