/* Writes JSON (RFC 8259): values, and fields and elements with the comma where it belongs. The one
 * place that knows how; what is in them is the caller's. */
#ifndef QSOSYNC_JSON_WRITE_H
#define QSOSYNC_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"

/* A string with its quotes. The bytes are UTF-8 already; only the quote, the backslash and
 * characters below U+0020 are escaped. */
void json_append_string(struct buffer *out, const char *bytes, size_t length);

/* The ISO 8601 text of a time with its quotes, or null for 0. */
void json_append_time(struct buffer *out, int64_t ms);

/* A UUID of 16 bytes with its quotes, or null for NULL. */
void json_append_uuid(struct buffer *out, const unsigned char *uuid);

/* Six decimals at most. */
void json_append_degrees(struct buffer *out, double degrees);

/* Begins an element of an array, or a field: a comma unless it is the first, then the name. What
 * follows is the caller's. */
void json_write_element(struct buffer *out);
void json_write_name(struct buffer *out, const char *name);

/* The same with the bracket: an object that is an element, an object or an array that is a field.
 * Who begins one appends its end. */
void json_begin_item(struct buffer *out);
void json_begin_object(struct buffer *out, const char *name);
void json_begin_array(struct buffer *out, const char *name);

/* Begins an element or a field on a line of its own, for people who look at long lists. It is
 * followed by what needs no comma of its own: a bracket or a value. */
void json_write_line(struct buffer *out);

/* Whole fields. No text: null. */
void json_write_text(struct buffer *out, const char *name, struct text text);
void json_write_integer(struct buffer *out, const char *name, int64_t value);
void json_write_number_text(struct buffer *out, const char *name, int64_t value);     /* "7" */
void json_write_integer_or_null(struct buffer *out, const char *name, int64_t value); /* 0: null */
void json_write_number_or_null(struct buffer *out, const char *name, int64_t value);  /* 0: null */
void json_write_flag(struct buffer *out, const char *name, bool flag);
void json_write_time(struct buffer *out, const char *name, int64_t ms);        /* 0: null */
void json_write_day(struct buffer *out, const char *name, int64_t day);        /* -1: null */
void json_write_degrees(struct buffer *out, const char *name, double degrees); /* 6 decimals */
void json_write_null(struct buffer *out, const char *name);

#endif
