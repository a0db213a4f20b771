/* The two pages that let members in: the form for callsign and password, and the one that takes
 * what a link brings. */
#ifndef QSOSYNC_SITE_SIGN_IN_PAGE_H
#define QSOSYNC_SITE_SIGN_IN_PAGE_H

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

#endif
