/* What a form of HTML sends: application/x-www-form-urlencoded. */
#ifndef QSOSYNC_HTTP_FORM_H
#define QSOSYNC_HTTP_FORM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"
#include "http/response.h"

/* Decodes a body in the arena: a table of texts. Returns NULL, or for the client why it is refused:
 * a malformed escape, text that is not UTF-8, U+0000, a name given twice, too many fields. */
const char *form_read(struct text body, size_t fields_max, struct arena *arena, struct table *out);

/* The value of a field; no text: it is missing. */
struct text form_find(const struct table *form, const char *name);

/* Cookies (RFC 6265): the one of a name that a browser sends, and those that an answer sets. */

/* The value of the cookie in the header Cookie as it came; a view into it. No text if there is
 * none of the name, or several with different values: nobody can tell then which one is ours. The
 * header may be NULL and hold any byte. */
struct text cookie_find(const char *header, const char *name);

/* Adds a header that sets the cookie for max_age_s seconds, for all paths, for requests of the same
 * site alone, and out of reach of scripts; 0 seconds end it. One whose name begins with "__Host-"
 * goes over TLS alone, as browsers demand of such names. The value holds nothing but letters and
 * digits. */
void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s);

/* -- How browsers call themselves -------------------------------------------------------------- */

/* Browser and system in words, in the arena: "Firefox on Linux"; "A browser" if neither is
 * known. The header User-Agent (NULL: none) decides between words that stand here, and nothing of
 * it is kept. */
struct text device_name(struct arena *arena, const char *user_agent);

#endif
