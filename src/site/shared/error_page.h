/* Error pages for people, in place of the JSON that programs read. */
#ifndef QSOSYNC_SITE_ERROR_PAGE_H
#define QSOSYNC_SITE_ERROR_PAGE_H

#include "http/error.h"
#include "worker/route.h"

/* Replaces the response's body, which contains the error as JSON, with a page about the same error
 * if the request prefers HTML. Browsers prefer HTML for everything that a person opens. Programs,
 * including upload programs and pages' scripts, receive the JSON. */
void error_page_show(struct exchange *exchange, const struct error *error);

#endif
