/* Writes JSON (RFC 8259): values, and fields and elements with commas where they belong. Only this
 * module knows the syntax; the caller supplies the contents. */
#ifndef QSOSYNC_JSON_WRITE_H
#define QSOSYNC_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"

/* The number of bytes at the start of a string that need no escape. */
size_t json_count_plain(const char *bytes, size_t length);

/* A string with its quotes. The bytes must be UTF-8; only the quote, the backslash and characters
 * below U+0020 are escaped. */
void json_append_string(struct buffer *out, const char *bytes, size_t length);

/* A UUID of 16 bytes with its quotes, or null for NULL. */
void json_append_uuid(struct buffer *out, const unsigned char *uuid);

/* At most six decimals. */
void json_append_degrees(struct buffer *out, double degrees);

/* Begins an element of an array, or a field: a comma unless it is the first, then the name. The
 * caller writes the value. */
void json_write_element(struct buffer *out);
void json_write_name(struct buffer *out, const char *name);

/* The same with an opening bracket: an object as an element, an object or an array as a field. The
 * caller appends the closing bracket. */
void json_begin_item(struct buffer *out);
void json_begin_object(struct buffer *out, const char *name);
void json_begin_array(struct buffer *out, const char *name);

/* Begins an element on a new line, for people who read long lists. */
void json_write_line(struct buffer *out);

/* Whole fields. No text: null. */
void json_write_text(struct buffer *out, const char *name, struct text text);
void json_write_integer(struct buffer *out, const char *name, int64_t value);
void json_write_number_text(struct buffer *out, const char *name, int64_t value); /* "7" */
void json_write_flag(struct buffer *out, const char *name, int64_t flag);         /* 0: false */
void json_write_time(struct buffer *out, const char *name, int64_t ms);           /* 0: null */
void json_write_day(struct buffer *out, const char *name, int64_t day);           /* -1: null */
void json_write_degrees(struct buffer *out, const char *name, double degrees);    /* 6 decimals */
void json_write_null(struct buffer *out, const char *name);

/* -- Objects in one statement ------------------------------------------------------------------ */

/* A field with the function above that writes it; NULL: it is a text. */
struct json_field {
    const char *name;
    struct text text;
    void (*write)(struct buffer *out, const char *name, int64_t value);
    int64_t value;
};
static inline struct json_field json_text(const char *name, struct text text)
{
    return (struct json_field){name, text, NULL, 0};
}
static inline struct json_field json_integer(const char *name, int64_t value)
{
    return (struct json_field){name, {0}, json_write_integer, value};
}
static inline struct json_field json_number(const char *name, int64_t value)
{
    return (struct json_field){name, {0}, json_write_number_text, value};
}
/* 0: null */
static inline struct json_field json_integer_or_null(const char *name, int64_t value)
{
    return value ? json_integer(name, value) : json_text(name, (struct text){0});
}
static inline struct json_field json_number_or_null(const char *name, int64_t value)
{
    return value ? json_number(name, value) : json_text(name, (struct text){0});
}
static inline struct json_field json_flag(const char *name, int64_t flag)
{
    return (struct json_field){name, {0}, json_write_flag, flag};
}
static inline struct json_field json_time(const char *name, int64_t ms)
{
    return (struct json_field){name, {0}, json_write_time, ms};
}
static inline struct json_field json_day(const char *name, int64_t day)
{
    return (struct json_field){name, {0}, json_write_day, day};
}

/* Writes these fields in this order: json_text("name", text), json_time("at", ms) and so on. The
 * second macro writes them as an object that is an element or the whole text, the third as an
 * object that is a field. */
#define json_write_fields(out, ...) json_write_list(out, JSON_LIST(__VA_ARGS__))
#define json_write_item(out, ...) json_write_item_of(out, JSON_LIST(__VA_ARGS__))
#define json_write_object(out, name, ...) json_write_object_of(out, name, JSON_LIST(__VA_ARGS__))
#define JSON_LIST(...)                                                                             \
    (const struct json_field[])                                                                    \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
void json_write_list(struct buffer *out, const struct json_field *fields);
void json_write_item_of(struct buffer *out, const struct json_field *fields);
void json_write_object_of(struct buffer *out, const char *name, const struct json_field *fields);

#endif
