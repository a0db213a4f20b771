/* The outcome of signing in or out, for a person or a program. */
#ifndef QSOSYNC_SITE_OUTCOME_H
#define QSOSYNC_SITE_OUTCOME_H

#include "worker/route.h"

struct outcome_page {
    const char *html, *root;
};
extern const struct outcome_page outcome_sign_in, outcome_welcome;

struct outcome {
    const struct outcome_page *form;
    /* reason why nobody is signed in; NULL: there was no attempt, or the attempt succeeded */
    const struct error *error;
    struct text callsign; /* the callsign, as typed; no text: nothing was typed */
    /* the page to open after signing in, below the front page; NULL: no page */
    const char *next;
};

/* Answers with the page outcome->form, which shows the error if there is one. */
void outcome_show(struct exchange *exchange, const struct outcome *outcome);

/* Redirects a person to `where`, or shows the page again with the error and its status; then
 * returns NULL. For a program, or if the service failed, returns outcome->error, which is NULL
 * after success. */
const struct error *outcome_conclude(struct exchange *exchange, const struct outcome *outcome,
                                     const char *where);

/* Answers 303 with an address relative to the page's own address. */
void outcome_redirect(struct exchange *exchange, const char *where);

/* Shows an error that the router found before any route ran. At the paths of the pages for signing
 * in, a person sees the error on that page. At all other paths, or if the service failed, a person
 * sees the error page. */
void outcome_show_error(struct exchange *exchange, const struct error *error);

#endif
