/* Steps shared by all ways of signing in: by password, by link and by passkey. */
#ifndef QSOSYNC_SITE_SIGN_IN_H
#define QSOSYNC_SITE_SIGN_IN_H

#include "base/passkey.h"
#include "store/people/passkeys.h"
#include "worker/route.h"

/* NULL if the request comes from one of our pages and a cookie can be given to its browser. */
const struct error *sign_in_check(struct exchange *exchange);

/* Opens a session and sets its cookie. The browser's previous session ends, whichever member it
 * belonged to. NULL, or the error to answer with if the passkey is not valid or no longer valid. */
const struct error *sign_in_by_passkey(struct exchange *exchange, const struct passkey_use *use);

/* Answers 303 with an address relative to the page's own. */
void sign_in_redirect(struct exchange *exchange, const char *where);

/* Answers with an error of the router from before any route ran. For a person at the paths of these
 * pages, the page shows the error; at all other paths, the error page does. */
void sign_in_show_error(struct exchange *exchange, const struct error *error);

#endif
