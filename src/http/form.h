/* What a form of HTML sends: application/x-www-form-urlencoded. */
#ifndef QSOSYNC_HTTP_FORM_H
#define QSOSYNC_HTTP_FORM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

#define FORM_FIELDS_MAX 16

struct form {
    size_t count;
    struct text names[FORM_FIELDS_MAX];
    struct text values[FORM_FIELDS_MAX];
};

/* Whether a header Content-Type says that the body is one. NULL is allowed. */
bool form_is_announced(const char *content_type);

/* Decodes a body in the arena. Returns NULL, or for the client why it is refused: a malformed
 * escape, text that is not UTF-8, U+0000, a name given twice, too many fields. */
const char *form_read(struct text body, struct arena *arena, struct form *out);

/* The value of a field; no text: it is missing. */
struct text form_find(const struct form *form, const char *name);

#endif
