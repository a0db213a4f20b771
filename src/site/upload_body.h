/* Reads what upload programs send: JSON with ADIF in it, not always well-formed. */
#ifndef QSOSYNC_SITE_UPLOAD_BODY_H
#define QSOSYNC_SITE_UPLOAD_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/credentials.h"

struct upload_body {
    struct text key;  /* no text: missing */
    struct text type; /* no text: missing */
    struct text adif; /* no text: missing */
};

/* Finds the token before anything else is looked at: the value of the first member "key" that has
 * the form of one, wherever such a member stands in the text; no text: there is none. Returns
 * whether there is any member "key". Takes one pass over the text. */
bool upload_body_find_token(struct text body, struct text *token);

/* Understands JSON; JSON with unescaped control characters in its strings; and JSON whose member
 * "string" holds ADIF without any escapes, with quotes, backslashes and in any encoding; the
 * lengths of the ADIF's fields show where it ends. Returns false for anything else, and *message
 * says why, as json/read.h does. Texts live in the arena. */
bool upload_body_parse(struct text body, struct arena *arena, struct upload_body *out,
                       const char **message);

#endif
