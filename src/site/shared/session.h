/* Input from a browser that is or will be signed in: the cookie that identifies it, and small
 * bodies, a form or JSON with fields of the same names. */
#ifndef QSOSYNC_SITE_SESSION_H
#define QSOSYNC_SITE_SESSION_H

#include "worker/route.h"

/* Whether this browser can get a cookie: over TLS, or without TLS on the same machine at an address
 * that reaches no other machine. */
bool session_is_possible(struct exchange *exchange);

/* Finds the session of the request's cookie. STORE_NONE: the cookie is absent or has ended. */
enum store_result session_find(struct exchange *exchange, struct identity *out);

/* The cookie that the request brings, of a session or not; no text: none. */
struct text session_cookie(struct exchange *exchange);

/* Sets the cookie of the answer for as long as a session lasts, from today on: letters and digits.
 */
void session_set_cookie(struct exchange *exchange, struct text cookie);

/* Ends the cookie in the browser. The browser keeps its value in another cookie, by which it is
 * known when the member signs in again. member_id: who was signed in by it; 0: not known. */
void session_end_cookie(struct exchange *exchange, int64_t member_id);

/* The same for a cookie that the answer has replaced already. */
void session_remember_device(struct exchange *exchange, int64_t member_id);

/* The cookie that shows that this member is or was signed in in this browser; no text: none. A
 * session's cookie counts, and so does that of an ended session. */
struct text session_find_device(struct exchange *exchange, int64_t member_id);

/* If a person asks for a page at a host name other than the service's own, where the cookie does
 * not work: redirects to the page at the service's own name, and returns true. Programs are served
 * at any name. */
bool session_redirect_to_own_host(struct exchange *exchange);

/* -- What the pages for signing in send -------------------------------------------------------- */

#define SUBMISSION_FIELDS_MAX 4

extern const struct route_body submission_body;

/* Reads the body, a submission_body. The texts of these names (the list ends with NULL) are written
 * to values, in the arena; no text: the field is missing. NULL, or the error to answer with: too
 * large, of another type, malformed, with a field of another name, with U+0000. */
const struct error *submission_read(struct exchange *exchange, const char *const *names,
                                    struct text values[SUBMISSION_FIELDS_MAX]);

/* Whether the answer is for a person, who sees a page, or for a program. */
bool submission_wants_page(const struct request *request);

#endif
