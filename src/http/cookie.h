/* Cookies (RFC 6265): the cookie of a name in a request, and cookies that an answer sets. */
#ifndef QSOSYNC_HTTP_COOKIE_H
#define QSOSYNC_HTTP_COOKIE_H

#include "base/arena.h"
#include "base/text.h"
#include "http/response.h"

/* The value of the cookie in the Cookie header; a view into it. No text if no cookie has the name,
 * or if several have different values, because we cannot tell which is ours. The header may be NULL
 * and contain any byte. */
struct text cookie_find(const char *header, const char *name);

/* Adds a header that sets the cookie for max_age_s seconds, for all paths, only for same-site
 * requests, and out of reach of scripts. 0 seconds delete the cookie. A cookie named "__Host-..."
 * is sent only over TLS, as browsers require. The value must contain only letters and digits. */
void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s);

#endif
