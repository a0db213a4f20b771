/* Pages for people, in place of the errors that programs read. */
#ifndef QSOSYNC_SITE_ERROR_PAGE_H
#define QSOSYNC_SITE_ERROR_PAGE_H

#include "http/error.h"
#include "worker/route.h"

/* Replaces the body of the response, which holds the error as JSON, by a page with the same meaning
 * if the request prefers HTML. Browsers do for anything that somebody opens. Programs, the scripts
 * of pages and upload programs keep the JSON. */
void error_page_show(struct exchange *exchange, const struct error *error);

#endif
