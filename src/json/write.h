/* Writes fields and elements of JSON (RFC 8259) into a buffer, with the commas between them. */
#ifndef QSOSYNC_JSON_WRITE_H
#define QSOSYNC_JSON_WRITE_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"

/* Begin an array's element, or a field. Both write a comma, except before the first;
 * json_write_name also writes the field's name. The caller writes the value. */
void json_write_element(struct buffer *out);
void json_write_name(struct buffer *out, const char *name);

/* Begin an object that is an element, or an object or array that is a field, and write the opening
 * bracket. The caller appends the closing bracket. */
void json_begin_item(struct buffer *out);
void json_begin_object(struct buffer *out, const char *name);
void json_begin_array(struct buffer *out, const char *name);

/* Begins an element on a new line, so that people can read long lists. */
void json_write_line(struct buffer *out);

/* Write a whole field. No text (a `struct text` with NULL bytes) is written as null. */
void json_write_text(struct buffer *out, const char *name, struct text text);
void json_write_integer(struct buffer *out, const char *name, int64_t value);
void json_write_number_text(struct buffer *out, const char *name, int64_t value); /* "7" */
/* Writes a flag as true, or as false for 0. */
void json_write_flag(struct buffer *out, const char *name, int64_t flag);
/* Writes a time as text, or as null for 0. */
void json_write_time(struct buffer *out, const char *name, int64_t ms);
/* Writes a day (number of days since 1970-01-01) as text, or as null if negative. */
void json_write_day(struct buffer *out, const char *name, int64_t day);
/* Writes degrees with at most six decimals. */
void json_write_degrees(struct buffer *out, const char *name, double degrees);
void json_write_null(struct buffer *out, const char *name);

#endif
