/* What the pages for signing in send: a form, or JSON with fields of the same names. */
#ifndef QSOSYNC_SITE_SUBMISSION_H
#define QSOSYNC_SITE_SUBMISSION_H

#include "worker/route.h"

#define SUBMISSION_FIELDS_MAX 4
#define SUBMISSION_MAX_BYTES 8192

/* Reads the body. The texts of these names (the list ends with NULL) are written to values, in the
 * arena; no text: the field is missing. NULL, or the error to answer with: too large, of another
 * type, malformed, with a field of another name, with U+0000. */
const struct error *submission_read(struct exchange *exchange, const char *const *names,
                                    struct text values[SUBMISSION_FIELDS_MAX]);

/* Whether the answer is for a person, who sees a page, or for a program. */
bool submission_wants_page(const struct request *request);

#endif
