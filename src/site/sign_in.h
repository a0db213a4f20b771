/* What all ways of signing in do alike: by password, by a link, by a passkey. */
#ifndef QSOSYNC_SITE_SIGN_IN_H
#define QSOSYNC_SITE_SIGN_IN_H

#include "store/passkeys.h"
#include "worker/route.h"

/* Why nobody is signed in yet; each has its sentence. */
enum sign_in_trouble {
    SIGN_IN_FINE,     /* nothing was tried */
    SIGN_IN_WRONG,    /* callsign or password */
    SIGN_IN_TOO_MANY, /* attempts */
    SIGN_IN_FOREIGN,  /* the form was not sent by our page */
    SIGN_IN_MALFORMED,
    SIGN_IN_NOT_ENCRYPTED, /* the connection: browsers would not keep the cookie */
    SIGN_IN_LINK_UNKNOWN,
    SIGN_IN_LINK_USED,
    SIGN_IN_LINK_EXPIRED,
    SIGN_IN_LINK_REPLACED,
    SIGN_IN_TROUBLES,
};

/* How long one of SIGN_IN_TOO_MANY has to wait; else 0. */
struct sign_in_attempt {
    enum sign_in_trouble trouble;
    int64_t wait_seconds;
    struct text callsign; /* as it was typed; no text: none */
    struct text next;     /* the page that wants a member, below the front page; no text: none */
};

/* Appends the page to the answer; the status is the caller's. */
void sign_in_page_answer(struct exchange *exchange, const struct sign_in_attempt *attempt);

/* The same of the page of links, which shows neither callsign nor next. */
void welcome_page_answer(struct exchange *exchange, const struct sign_in_attempt *attempt);

/* NULL if the request comes from one of our pages and a cookie can be given to its browser. */
const struct error *sign_in_check(struct exchange *exchange);

/* Opens a session and sets its cookie. One that the browser had before ends, whoever's it was.
 * NULL, or the error to answer with if the password, the link or the passkey does not let in
 * (any more), site_error_wrong or what is wrong with the other two. */
const struct error *sign_in_by_password(struct exchange *exchange, const struct sign_in *sign_in);
const struct error *sign_in_by_link(struct exchange *exchange, struct text secret);
const struct error *sign_in_by_passkey(struct exchange *exchange, const struct passkey_use *use);

/* 303 to an address that is relative to the page's own. */
void sign_in_redirect(struct exchange *exchange, const char *where);

typedef void sign_in_show(struct exchange *exchange, const struct sign_in_attempt *attempt);

/* Answers with the error: to a person by the page, which says what is wrong, with the error's
 * status; NULL then. To a program it is for the caller to return. */
const struct error *sign_in_refuse(struct exchange *exchange, const struct error *error,
                                   const struct sign_in_attempt *attempt, sign_in_show *show);

/* The same for what the router refuses at the paths of these pages, before any route is asked; at
 * all others, the page of the error. */
void sign_in_show_error(struct exchange *exchange, const struct error *error);

#endif
