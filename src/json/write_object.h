/* Writes several fields of an object in one statement:
 *
 *     json_write_item(out, json_text("callsign", callsign), json_time("createdAt", created_ms));
 *
 * A field is a call to json_text, json_integer or another function below. */
#ifndef QSOSYNC_JSON_WRITE_OBJECT_H
#define QSOSYNC_JSON_WRITE_OBJECT_H

#include "json/write.h"

/* A field. `write` is the function in write.h that writes the value, or NULL if the value is a
 * text. */
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
/* Returns an integer field; 0 is written as null. */
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

/* The first macro writes the fields in their order, without braces. The second macro writes an
 * object that is an element or the whole text. The third macro writes an object that is a field. */
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
