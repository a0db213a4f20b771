/* Reads a JSON object from outside (RFC 8259; UTF-8; the bounds of json/scan.h) with json-c.
 *
 *     const struct json_fields *sent = json_read_object(text, &bounds, arena, &message);
 *     if (!sent)
 *         ... reject the text with this message
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

/* Returns the object that the text contains, if the text is within these bounds. Returns NULL if
 * the text is rejected, with the reason for the client in *message. If memory runs out, the process
 * ends (base/arena.h). */
const struct json_fields *json_read_object(struct text json, const struct json_bounds *bounds,
                                           struct arena *arena, const char **message);

/* Returns the object in the field with this name; NULL if the field is missing or not an object. */
const struct json_fields *json_find_object(const struct json_fields *object, const char *name);

/* A function that visits a field of an object. json_each visits all fields in their order. */
typedef void json_visitor(void *context, struct text name, const struct json_value *value);
void json_each(const struct json_fields *object, json_visitor *visit, void *context);

/* Visits the items in an array field; the items have no names. Returns false if the field is
 * missing or is not an array. */
bool json_each_item(const struct json_fields *object, const char *name, json_visitor *visit,
                    void *context);

/* Returns the decoded text of a string field; no text if the field is missing or not a string. The
 * text can contain U+0000. */
struct text json_read_text(const struct json_fields *body, const char *name);

/* Reads a field that contains a non-negative integer, as a number or as a string, because programs
 * send both. Returns false if the field is missing or contains anything else. */
bool json_read_count(const struct json_fields *body, const char *name, int64_t *out);

/* Returns whether a field with this name exists, whatever its value. */
bool json_has(const struct json_fields *body, const char *name);

/* Returns whether a field with this name exists and is true or false. */
bool json_has_flag(const struct json_fields *body, const char *name);

/* Returns whether the field with this name is true. */
bool json_read_flag(const struct json_fields *body, const char *name);

#endif
