/* What clients of the upload door send: JSON with ADIF in it, put together with more or less care.
 */
#ifndef QSOSYNC_SITE_UPLOAD_BODY_H
#define QSOSYNC_SITE_UPLOAD_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct upload_body {
    struct text key;  /* no text: missing */
    struct text type; /* no text: missing */
    struct text adif; /* no text: missing */
};

/* Understands JSON; JSON with control characters as they are in its strings; and JSON into whose
 * member "string" ADIF was pasted as it is, quotes, backslashes and any encoding included, where
 * the lengths of the ADIF's own fields tell where it ends. Returns false, and *message says why in
 * words for the client, for anything else. Texts live in the arena. */
bool upload_body_parse(struct text body, struct arena *arena, struct upload_body *out,
                       const char **message);

#endif
