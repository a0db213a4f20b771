/* Signs the requesting browser in and out. */
#ifndef QSOSYNC_SITE_BROWSER_H
#define QSOSYNC_SITE_BROWSER_H

#include "store/people/links.h"
#include "store/people/passkeys.h"
#include "store/people/sessions.h"
#include "worker/route.h"

/* Each of these functions returns NULL, or the error to answer with. A new session ends the
 * browser's previous session, even another member's session. */

/* Checks that the request comes from one of our pages, and that its browser can get a cookie. */
const struct error *browser_check(struct exchange *exchange);

/* Opens a session for a member whose password was verified. */
const struct error *browser_open_by_password(struct exchange *exchange,
                                             const struct sign_in *found);

/* Opens a session with the secret of a link. The link is then used up. */
const struct error *browser_open_by_link(struct exchange *exchange, struct text secret_of_link);

/* Describes a link without using it. Returns NULL and fills *out if the link works. */
const struct error *browser_describe_link(struct exchange *exchange, struct text secret_of_link,
                                          struct link_description *out);

/* Opens a session with a passkey whose signature was verified. */
const struct error *browser_open_by_passkey(struct exchange *exchange,
                                            const struct passkey_use *use);

/* Ends the browser's session, and removes its cookie. */
const struct error *browser_sign_out(struct exchange *exchange);

#endif
