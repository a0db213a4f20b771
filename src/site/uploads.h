/* What upload programs send: JSON with ADIF in it, not always well-formed; and what their protocols
 * have in common: Cloudlog's under /cloudlog, LOG11DX's under /api/wsjtx, PoLo's under /lofi. */
#ifndef QSOSYNC_SITE_UPLOADS_H
#define QSOSYNC_SITE_UPLOADS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "json/scan.h"
#include "site/routes.h"
#include "store/credentials.h"
#include "transfer/report.h"

struct upload_body {
    struct text key;  /* no text: missing */
    struct text type; /* no text: missing */
    struct text adif; /* no text: missing */
};

/* Finds the token before anything else is looked at: the value of the first member "key" that has
 * the form of one, wherever such a member stands in the text; no text: there is none. Returns
 * whether there is any member "key". Takes one pass over the text. */
bool upload_body_find_token(struct text body, struct text *token);

/* Understands JSON within these bounds; JSON with unescaped control characters in its strings; and
 * JSON whose member "string" holds ADIF without any escapes, with quotes, backslashes and in any
 * encoding; the lengths of the ADIF's fields show where it ends. Returns false for anything else,
 * and *message says why, as json/read.h does. Texts live in the arena. */
bool upload_body_parse(struct text body, const struct json_bounds *bounds, struct arena *arena,
                       struct upload_body *out, const char **message);

/* -- Protocols --------------------------------------------------------------------------------- */

/* Clients write the path with or without /index.php (once or twice), with slashes doubled or at the
 * end. Takes all that out of a path below /cloudlog; leaves others alone. */
void uploads_simplify_path(struct request *request);

/* Fills the exchange's identity with the member of a token of this kind, and writes as that
 * identity from now on; STORE_NONE: the token is not valid. The day of its use is noted when the
 * request ends. */
enum store_result uploads_identify(struct exchange *exchange, struct text token,
                                   enum api_key_kind kind);

/* Brings records of ADIF into the log of the exchange's identity, in transactions of its own. The
 * report was begun. */
enum store_result uploads_import(struct exchange *exchange, struct text adif, bool dry_run,
                                 struct report *report);

#endif
