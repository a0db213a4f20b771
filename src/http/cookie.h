/* Cookies (RFC 6265): finds a cookie in a request by name, and sets cookies in an answer. */
#ifndef QSOSYNC_HTTP_COOKIE_H
#define QSOSYNC_HTTP_COOKIE_H

#include "base/arena.h"
#include "base/text.h"
#include "http/response.h"

/* Returns the cookie's value, a view into the Cookie header. Returns no text if no cookie has the
 * name, or if several cookies with this name differ, because any of these cookies could be ours.
 * The header can be NULL, and can contain any byte. */
struct text cookie_find(const char *header, const char *name);

/* Adds a header that sets the cookie for max_age_s seconds, for all paths, only for same-site
 * requests, and not for scripts. With 0 seconds, the browser deletes the cookie. A cookie named
 * "__Host-..." is sent only over TLS, as browsers require. The value may contain only letters and
 * digits. */
void cookie_set(struct response *response, const char *name, struct text value, int64_t max_age_s);

#endif
