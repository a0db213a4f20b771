/* Appends the text of JSON values, with the escapes that RFC 8259 requires. */
#include "json/append.h"

#include <math.h>

#include "base/uuid.h"

#define DEGREE_PARTS 1e6 /* Degrees are written with at most six decimals. */

/* Returns the number of bytes at the beginning of the string that need no escape. */
static size_t count_plain(const char *bytes, size_t length)
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
        size_t clean = count_plain(bytes + done, length - done);
        buffer_append(buffer, bytes + done, clean);
        done += clean;
        if (done < length)
            append_escape(buffer, (unsigned char)bytes[done++]);
    }
    buffer_append(buffer, "\"", 1);
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
