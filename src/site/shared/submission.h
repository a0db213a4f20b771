/* Small bodies that a page sends: a form, or JSON with fields of the same names. */
#ifndef QSOSYNC_SITE_SUBMISSION_H
#define QSOSYNC_SITE_SUBMISSION_H

#include "worker/route.h"

#define SUBMISSION_FIELDS_MAX 4

extern const struct route_body submission_body;

/* Reads the body, a submission_body. `names` ends with NULL. Writes the text of each name to
 * `values`, in the arena, or no text if the field is missing. Other fields are ignored. Returns
 * NULL, or the error to answer with. The body is refused if it is too large, malformed or of
 * another type, or if one of the texts contains U+0000. */
const struct error *submission_read(struct exchange *exchange, const char *const *names,
                                    struct text values[SUBMISSION_FIELDS_MAX]);

/* Returns whether the answer is for a person, who sees a page, rather than for a program. */
bool submission_wants_page(const struct request *request);

#endif
