/* Writes JSON into a buffer: values, fields and elements with their commas. The last byte of the
 * buffer that is not white space shows whether a comma is needed, so nothing needs counting. The
 * caller decides what to write. */
#include "json/write.h"

#include <math.h>
#include <string.h>

#include "base/datetime.h"
#include "base/uuid.h"

#define DAY_LENGTH 10    /* YYYY-MM-DD */
#define DEGREE_PARTS 1e6 /* degrees have six decimals */

/* -- Values ------------------------------------------------------------------------------------ */

size_t json_count_plain(const char *bytes, size_t length)
{
    size_t count = 0;
    while (count < length && (unsigned char)bytes[count] >= 0x20 && bytes[count] != '"' &&
           bytes[count] != '\\')
        count++;
    return count;
}

static void append_escape(struct buffer *buffer, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    if (byte >= 0x20)
        buffer_append(buffer, (char[]){'\\', (char)byte}, 2);
    else if (letters[byte] != '\0')
        buffer_append(buffer, (char[]){'\\', letters[byte]}, 2);
    else
        buffer_append(buffer, (char[]){'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]}, 6);
}

void json_append_string(struct buffer *buffer, const char *bytes, size_t length)
{
    size_t done = 0;
    buffer_append(buffer, "\"", 1);
    while (done < length) {
        size_t clean = json_count_plain(bytes + done, length - done);
        buffer_append(buffer, bytes + done, clean);
        done += clean;
        if (done < length)
            append_escape(buffer, (unsigned char)bytes[done++]);
    }
    buffer_append(buffer, "\"", 1);
}

/* The ISO 8601 text of a time with its quotes, or null for 0. */
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

void json_append_uuid(struct buffer *out, const unsigned char *uuid)
{
    if (!uuid) {
        buffer_append(out, "null", 4);
        return;
    }
    char *at = buffer_reserve(out, UUID_TEXT_LENGTH + 2);
    at[0] = '"';
    uuid_format_text(uuid, at + 1);
    at[UUID_TEXT_LENGTH + 1] = '"';
    out->length += UUID_TEXT_LENGTH + 2;
}

void json_append_degrees(struct buffer *out, double degrees)
{
    buffer_append_real(out, round(degrees * DEGREE_PARTS) / DEGREE_PARTS);
}

/* -- Members and elements ---------------------------------------------------------------------- */

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

/* -- Objects in one statement ------------------------------------------------------------------ */

void json_write_list(struct buffer *out, const struct json_field *fields)
{
    for (; fields->name; fields++)
        if (fields->write)
            fields->write(out, fields->name, fields->value);
        else
            json_write_text(out, fields->name, fields->text);
}

void json_write_item_of(struct buffer *out, const struct json_field *fields)
{
    json_begin_item(out);
    json_write_list(out, fields);
    buffer_append(out, "}", 1);
}

void json_write_object_of(struct buffer *out, const char *name, const struct json_field *fields)
{
    json_write_name(out, name);
    json_write_item_of(out, fields);
}
