/* Reads the body of an HTML form: application/x-www-form-urlencoded. */
#ifndef QSOSYNC_HTTP_FORM_H
#define QSOSYNC_HTTP_FORM_H

#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"

/* Decodes a body into a table of texts, in the arena. Returns NULL, or the reason for the client: a
 * malformed escape, text that is not UTF-8, U+0000, a duplicate name, or too many fields. */
const char *form_read(struct text body, size_t fields_max, struct arena *arena, struct table *out);

/* Returns the field's value; no text if the form lacks the field. */
struct text form_find(const struct table *form, const char *name);

#endif
