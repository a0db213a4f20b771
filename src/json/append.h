/* Appends JSON values (RFC 8259) to a buffer, without the names and commas around them. */
#ifndef QSOSYNC_JSON_APPEND_H
#define QSOSYNC_JSON_APPEND_H

#include "base/buffer.h"

/* Appends a string with its quotes. The bytes must be UTF-8; only the quote, the backslash and
 * characters below U+0020 are escaped. */
void json_append_string(struct buffer *out, const char *bytes, size_t length);

/* Appends a UUID of 16 bytes with its quotes, or null for NULL. */
void json_append_uuid(struct buffer *out, const unsigned char *uuid);

/* Appends degrees with at most six decimals. */
void json_append_degrees(struct buffer *out, double degrees);

#endif
