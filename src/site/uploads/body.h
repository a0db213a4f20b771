/* The bodies of upload programs: JSON that contains ADIF, and is not always well-formed. */
#ifndef QSOSYNC_SITE_UPLOAD_BODY_H
#define QSOSYNC_SITE_UPLOAD_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "json/scan.h"

struct upload_body {
    struct text key;  /* no text: the key is missing */
    struct text type; /* no text: the type is missing */
    struct text adif; /* no text: the ADIF is missing */
};

/* Finds the token before the rest of the body is examined. The token is the first value of a member
 * "key", anywhere in the text, that has the format of a token. If no member has such a value,
 * *token is empty. Returns whether the text contains any member "key". Reads the text in one pass.
 */
bool upload_body_find_token(struct text body, struct text *token);

/* Reads JSON within these bounds, even with unescaped control characters in its strings. Also reads
 * a member "string" that contains unescaped ADIF: quotes, backslashes, and text in any encoding.
 * The lengths of the ADIF fields show where the string ends. Returns false for anything else, with
 * the reason in *message, as in json/read.h. The texts are in the arena. */
bool upload_body_parse(struct text body, const struct json_bounds *bounds, struct arena *arena,
                       struct upload_body *out, const char **message);

#endif
