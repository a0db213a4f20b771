/* The body that an HTML form sends: application/x-www-form-urlencoded. */
#ifndef QSOSYNC_HTTP_FORM_H
#define QSOSYNC_HTTP_FORM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"
#include "http/response.h"

/* Decodes a body in the arena into a table of texts. Returns NULL, or the reason for the client: a
 * malformed escape, text that is not UTF-8, U+0000, a name given twice, too many fields. */
const char *form_read(struct text body, size_t fields_max, struct arena *arena, struct table *out);

/* The value of a field; no text: the form lacks it. */
struct text form_find(const struct table *form, const char *name);

/* Cookies (RFC 6265): the cookie of a name in a request, and cookies that an answer sets. */

/* The value of the cookie in the Cookie header; a view into it. No text if no cookie has the name,
 * or if several have different values, because we cannot tell which is ours. The header may be NULL
 * and contain any byte. */
struct text cookie_find(const char *header, const char *name);

/* Adds a header that sets the cookie for max_age_s seconds, for all paths, only for same-site
 * requests, and out of reach of scripts. 0 seconds delete the cookie. A cookie named "__Host-..."
 * is sent only over TLS, as browsers require. The value must contain only letters and digits. */
void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s);

/* -- Names of browsers ------------------------------------------------------------------------- */

/* Browser and system in words, in the arena: "Firefox on Linux"; "A browser" if neither is known.
 * The User-Agent header (NULL: none) only selects among fixed words; no part of it is copied. */
struct text device_name(struct arena *arena, const char *user_agent);

#endif
