/* The common parts of generated pages: a head with a link to sign in or out, and a foot that names
 * the club. */
#ifndef QSOSYNC_SITE_PAGE_H
#define QSOSYNC_SITE_PAGE_H

#include "base/buffer.h"
#include "base/text.h"
#include "worker/route.h"

/* The value of a name in a page; NULL: none. */
struct page_value {
    const char *name, *html;
};

/* Appends the page, HTML with {{names}}, to the answer, and sets its type to HTML. Each page has
 * "top:NAME" (links to all pages; NAME is this page). It may have "root" (relative path to the
 * front page, such as "../"), "head" and "scripts" (beginning of the head), "club" and "foot". Text
 * between {{when:NAME}} and {{end:NAME}} appears only if NAME has a value, even "". `values` are
 * the page's own values; the list ends with a value without a name. NULL: no values. */
void page_answer(struct exchange *exchange, const char *page, const char *root,
                 const struct page_value *values);

/* The relative path from the requested path to the front page, in the arena. It is relative,
 * because a client may have written anything into the beginning of the path. */
const char *page_find_root(const struct request *request);

/* Appends the page that a browser shows while it opens another page of the service, at `where`. For
 * answers that redirect with a header. */
void page_opening_answer(struct exchange *exchange, const char *root, const char *where);

#endif
