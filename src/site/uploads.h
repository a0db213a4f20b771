/* Bodies of upload programs: JSON with ADIF in it, not always well-formed. And the common parts of
 * their protocols: Cloudlog's under /cloudlog, LOG11DX's under /api/wsjtx, PoLo's under /lofi. */
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

/* Finds the token before the rest is examined: the first value of a member "key" with the form of a
 * token, anywhere in the text. No text: not found. Returns whether there is any member "key". Takes
 * one pass over the text. */
bool upload_body_find_token(struct text body, struct text *token);

/* Reads JSON within these bounds, and JSON with unescaped control characters in its strings. It
 * also reads a member "string" with unescaped ADIF, with quotes, backslashes and in any encoding;
 * the lengths of the ADIF's fields show its end. Returns false for anything else; *message gives
 * the reason, as in json/read.h. Texts live in the arena. */
bool upload_body_parse(struct text body, const struct json_bounds *bounds, struct arena *arena,
                       struct upload_body *out, const char **message);

/* -- Protocols --------------------------------------------------------------------------------- */

/* Clients write the path with or without /index.php (once or twice), with doubled slashes or one at
 * the end. Removes all that from a path below /cloudlog; leaves others unchanged. */
void uploads_simplify_path(struct request *request);

/* Fills the exchange's identity with the member of a token of this kind, and writes as that
 * identity from now on; STORE_NONE: the token is not valid. The day of use is recorded at the end
 * of the request. */
enum store_result uploads_identify(struct exchange *exchange, struct text token,
                                   enum api_key_kind kind);

/* Saves records of ADIF in the log of the exchange's identity, in its own transactions. The caller
 * has begun the report. */
enum store_result uploads_import(struct exchange *exchange, struct text adif, bool dry_run,
                                 struct report *report);

#endif
