/* Cookies (RFC 6265): the one of a name that a browser sends, and those that an answer sets. */
#ifndef QSOSYNC_HTTP_COOKIE_H
#define QSOSYNC_HTTP_COOKIE_H

#include "base/text.h"
#include "http/response.h"

/* The value of the cookie in the header Cookie as it came; a view into it. No text where there is
 * none of the name, or several with different values: nobody can tell then which one is ours. The
 * header may be NULL and hold any byte. */
struct text cookie_find(const char *header, const char *name);

/* Adds a header that sets the cookie for max_age_s seconds, for all paths, for requests of the same
 * site alone, and out of reach of scripts; 0 seconds end it. One whose name begins with "__Host-"
 * goes over TLS alone, as browsers demand of such names. The value holds nothing but letters and
 * digits. */
void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s);

#endif
