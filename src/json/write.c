/* Writes JSON into a buffer: values, fields and elements with their commas. The last byte of the
 * buffer that is no white space shows whether a comma is needed, so that nobody has to keep count.
 * What is written is the caller's. */
#include "json/write.h"

#include <math.h>
#include <string.h>

#include "base/datetime.h"
#include "base/uuid.h"

#define DAY_LENGTH 10 /* YYYY-MM-DD */

#define DEGREE_DIGITS 6
#define DEGREE_PARTS 1e6 /* 10 to the power of the digits */

/* -- Values ------------------------------------------------------------------------------------ */

static bool needs_escape(unsigned char byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\';
}

/* True if one of eight bytes needs an escape. Subtracting n from every byte borrows into the top
 * bit of those below n, which only counts if that bit was clear before; a byte that equals c
 * becomes zero, and so below 1, by exclusive or with c. A borrow can carry into the next byte and
 * mark it wrongly, but only above a byte that is marked rightly, so the answer as a whole is exact.
 */
static bool eight_need_escape(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t tops = UINT64_C(0x8080808080808080);
    uint64_t quote = word ^ (ones * '"');
    uint64_t backslash = word ^ (ones * '\\');
    uint64_t found = ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) |
                     ((backslash - ones) & ~backslash);
    return (found & tops) != 0;
}

/* Copies eight bytes, unless one of them needs an escape. */
static bool copy_eight(const char *bytes, char *out)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    if (eight_need_escape(word))
        return false;
    memcpy(out, &word, sizeof word);
    return true;
}

/* Copies what needs no escape at the start, and returns how many bytes that is. The last eight may
 * overlap with those before them. */
static size_t copy_clean(const char *bytes, size_t length, char *out)
{
    size_t count = 0;
    while (length - count >= 8 && copy_eight(bytes + count, out + count))
        count += 8;
    if (count > 0 && length - count < 8 && copy_eight(bytes + length - 8, out + length - 8))
        return length;
    for (; count < length && !needs_escape((unsigned char)bytes[count]); count++)
        out[count] = bytes[count];
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
    *buffer_reserve(buffer, length + 2) = '"';
    buffer->length++;
    while (done < length) {
        size_t rest = length - done;
        size_t clean = copy_clean(bytes + done, rest, buffer_reserve(buffer, rest));
        buffer->length += clean;
        done += clean;
        if (clean < rest)
            append_escape(buffer, (unsigned char)bytes[done++]);
    }
    buffer_append(buffer, "\"", 1);
}

static void append_datetime(struct buffer *out, int64_t ms)
{
    char *at = buffer_reserve(out, DATETIME_TEXT_LENGTH + 2);
    at[0] = '"';
    datetime_format(ms, at + 1);
    at[DATETIME_TEXT_LENGTH + 1] = '"';
    out->length += DATETIME_TEXT_LENGTH + 2;
}

void json_append_time(struct buffer *out, int64_t ms)
{
    if (ms == 0)
        buffer_append(out, "null", 4);
    else
        append_datetime(out, ms);
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

/* -- Members and elements ---------------------------------------------------------------------- */

void json_write_element(struct buffer *out)
{
    size_t length = out->length;
    while (length > 0 && (out->bytes[length - 1] == '\n' || out->bytes[length - 1] == ' '))
        length--;
    char last = length > 0 ? out->bytes[length - 1] : '[';
    if (last != '[' && last != '{' && last != ':')
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
    buffer_append(out, "\"", 1);
    buffer_append_integer(out, value);
    buffer_append(out, "\"", 1);
}

void json_write_integer_or_null(struct buffer *out, const char *name, int64_t value)
{
    if (value)
        json_write_integer(out, name, value);
    else
        json_write_null(out, name);
}

void json_write_number_or_null(struct buffer *out, const char *name, int64_t value)
{
    if (value)
        json_write_number_text(out, name, value);
    else
        json_write_null(out, name);
}

void json_write_flag(struct buffer *out, const char *name, bool flag)
{
    json_write_name(out, name);
    buffer_append_string(out, flag ? "true" : "false");
}

void json_write_time(struct buffer *out, const char *name, int64_t ms)
{
    json_write_name(out, name);
    json_append_time(out, ms);
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
