/* Members and elements of JSON, appended one after the other: the comma is put where it belongs. */
#ifndef QSOSYNC_SITE_JSON_WRITE_H
#define QSOSYNC_SITE_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"

/* Begins an element of an array, or a member: a comma unless it is the first, then the name. What
 * follows is the caller's. */
void json_write_element(struct buffer *out);
void json_write_name(struct buffer *out, const char *name);

/* Whole members. No text: null. */
void json_write_text(struct buffer *out, const char *name, struct text text);
void json_write_integer(struct buffer *out, const char *name, int64_t value);
void json_write_number_text(struct buffer *out, const char *name, int64_t value); /* "7" */
void json_write_flag(struct buffer *out, const char *name, bool flag);
void json_write_time(struct buffer *out, const char *name, int64_t ms);        /* 0: null */
void json_write_day(struct buffer *out, const char *name, int64_t day);        /* -1: null */
void json_write_degrees(struct buffer *out, const char *name, double degrees); /* 6 decimals */
void json_append_degrees(struct buffer *out, double degrees);                  /* without name */
void json_write_null(struct buffer *out, const char *name);

#endif
