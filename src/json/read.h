/* Reads an object of JSON from outside (RFC 8259; UTF-8; the bounds of json/scan.h) with json-c.
 *
 *     const struct json_fields *sent = json_read_object(text, &bounds, arena, &message);
 *     if (!sent)
 *         ... refuse it with the words of the message
 *     struct text name = json_read_text(sent, "name");
 *     json_list_of(sent, &plan, arena, &list);
 *
 * All results are in the arena, which also owns the memory that json-c allocates: nothing is freed
 * separately. If a name occurs twice, its last value counts. Do not assume that a text is free of
 * U+0000, or that a field has the kind that its name suggests. */
#ifndef QSOSYNC_JSON_READ_H
#define QSOSYNC_JSON_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "json/scan.h"
#include "json/value.h"

struct json_fields;

/* Returns the object of a text within these bounds. Returns NULL if the text is rejected, with the
 * reason for the client in *message. If memory runs out, the process ends (base/arena.h). */
const struct json_fields *json_read_object(struct text json, const struct json_bounds *bounds,
                                           struct arena *arena, const char **message);

/* Returns the field with this name, which must be an object; NULL if it is missing or something
 * else. */
const struct json_fields *json_find_object(const struct json_fields *object, const char *name);

/* Visits the object's fields, in their order. */
typedef void json_visitor(void *context, struct text name, const struct json_value *value);
void json_each(const struct json_fields *object, json_visitor *visit, void *context);

/* Visits the items of an array field, without names. Returns false if the field is missing or is
 * not an array. */
bool json_each_item(const struct json_fields *object, const char *name, json_visitor *visit,
                    void *context);

/* Returns a field that is a string, decoded; no text: the field is missing or not a string. The
 * text can contain U+0000. */
struct text json_read_text(const struct json_fields *body, const char *name);

/* Reads a field that is a non-negative integer, or a string that contains such an integer, since
 * programs send both. Returns false if the field is missing or something else. */
bool json_read_count(const struct json_fields *body, const char *name, int64_t *out);

/* Returns whether a field with this name exists, whatever its value. */
bool json_has(const struct json_fields *body, const char *name);

/* Returns whether a field exists, and is true or false. */
bool json_has_flag(const struct json_fields *body, const char *name);

/* Returns whether a field is true. */
bool json_read_flag(const struct json_fields *body, const char *name);

#endif
