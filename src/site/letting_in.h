/* What all ways of signing in do alike: by password, by a link, by a passkey. */
#ifndef QSOSYNC_SITE_LETTING_IN_H
#define QSOSYNC_SITE_LETTING_IN_H

#include "site/sign_in_page.h"
#include "store/passkeys.h"
#include "worker/route.h"

/* NULL if the request comes from one of our pages and a cookie can be given to its browser. */
const struct error *letting_in_check(struct exchange *exchange);

/* Opens a session and sets its cookie. One that the browser had before ends, whoever's it was.
 * NULL, or the error to answer with if the password, the link or the passkey does not let in
 * (any more), site_error_wrong or what is wrong with the other two. */
const struct error *letting_in_by_password(struct exchange *exchange,
                                           const struct sign_in *sign_in);
const struct error *letting_in_by_link(struct exchange *exchange, struct text secret);
const struct error *letting_in_by_passkey(struct exchange *exchange, const struct passkey_use *use);

/* 303 to an address that is relative to the page's own. */
void letting_in_redirect(struct exchange *exchange, const char *where);

typedef void letting_in_page(struct exchange *exchange, const struct sign_in_attempt *attempt);

/* Answers with the error: to a person by the page, which says what is wrong, with the error's
 * status; NULL then. To a program it is for the caller to return. */
const struct error *letting_in_refuse(struct exchange *exchange, const struct error *error,
                                      const struct sign_in_attempt *attempt, letting_in_page *show);

/* The same for what the router refuses at the paths of these pages, before any route is asked; at
 * all others, the page of the error. */
void letting_in_show_error(struct exchange *exchange, const struct error *error);

#endif
