/* Looks at the last byte to know whether something stands before. */
#include "site/json_write.h"

#include <stdio.h>

#include "base/datetime.h"
#include "qso/render.h"

#define DAY_MS 86400000
#define DAY_LENGTH 10 /* YYYY-MM-DD */

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
    datetime_format(day * DAY_MS, text);
    json_write_text(out, name, (struct text){text, DAY_LENGTH});
}

/* Much quicker than the shortest text of any number: a map has thousands. */
void json_write_degrees(struct buffer *out, const char *name, double degrees)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%.6f", degrees);
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.')
        length--;
    json_write_name(out, name);
    buffer_append(out, text, (size_t)length);
}
