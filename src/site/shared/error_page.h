/* Error pages for people, in place of the JSON that programs read. */
#ifndef QSOSYNC_SITE_ERROR_PAGE_H
#define QSOSYNC_SITE_ERROR_PAGE_H

#include "http/error.h"
#include "worker/route.h"

/* Replaces the body of the response, which holds the error as JSON, with a page of the same meaning
 * if the request prefers HTML. Browsers prefer HTML for everything that a person opens. Programs,
 * the scripts of pages and upload programs get the JSON. */
void error_page_show(struct exchange *exchange, const struct error *error);

#endif
