/* A browser's session, and the cookie that identifies the session. access.h checks the session for
 * most routes; browser.h in sign_in/ opens and ends sessions. */
#ifndef QSOSYNC_SITE_SESSION_H
#define QSOSYNC_SITE_SESSION_H

#include "store/people/sessions.h"
#include "worker/route.h"

#define SESSION_COOKIE_SECONDS ((int64_t)SESSION_DAYS * 86400)

/* Returns whether this browser can get a cookie: over TLS, or without TLS on the same machine at an
 * address that reaches no other machine. */
bool session_is_possible(struct exchange *exchange);

/* Returns the name of the session's cookie; NULL if this browser cannot get a cookie. */
const char *session_cookie_name(struct exchange *exchange);

/* Finds the session that belongs to the request's cookie. Returns STORE_NONE if the cookie is
 * missing, or does not belong to a valid session. */
enum store_result session_find(struct exchange *exchange, struct identity *out);

/* Returns the request's cookie, even if the cookie does not belong to a session. Returns no text if
 * the request has no cookie. */
struct text session_cookie(struct exchange *exchange);

/* Sets the session's cookie in the answer, valid for SESSION_DAYS from now. The cookie may contain
 * only letters and digits. If there is no text, the browser removes its cookie. Does nothing if
 * this browser cannot get a cookie. */
void session_set_cookie(struct exchange *exchange, struct text cookie);

#endif
