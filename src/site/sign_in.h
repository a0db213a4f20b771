/* Steps shared by all ways of signing in: by password, by link and by passkey. */
#ifndef QSOSYNC_SITE_SIGN_IN_H
#define QSOSYNC_SITE_SIGN_IN_H

#include "base/passkey.h"
#include "store/sessions.h"
#include "worker/route.h"

/* NULL if the request comes from one of our pages and a cookie can be given to its browser. */
const struct error *sign_in_check(struct exchange *exchange);

/* Opens a session and sets its cookie. One that the browser had before ends, whoever's it was.
 * NULL, or the error to answer with if the passkey does not let in (any more). */
const struct error *sign_in_by_passkey(struct exchange *exchange, const struct passkey_use *use);

/* 303 to an address that is relative to the page's own. */
void sign_in_redirect(struct exchange *exchange, const char *where);

/* Answers with an error that the router refuses with before any route is asked: at the paths of
 * these pages by the page, to a person; at all others by the page of the error. */
void sign_in_show_error(struct exchange *exchange, const struct error *error);

#endif
