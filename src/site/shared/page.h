/* The common parts of generated pages: a head with a link to sign in or out, and a foot that names
 * the club. */
#ifndef QSOSYNC_SITE_PAGE_H
#define QSOSYNC_SITE_PAGE_H

#include "base/buffer.h"
#include "base/text.h"
#include "worker/route.h"

/* The value of a name in a page. If html is NULL, the name has no value. */
struct page_value {
    const char *name, *html;
};

/* Appends the page to the answer, and sets the answer's type to HTML. The page is HTML with names
 * in braces, such as {{foot}}. Each page has "top:NAME": links to all pages, where NAME is this
 * page. A page can have "root" (the relative path to the front page, such as "../"), "head",
 * "scripts", "club", "foot" and other names in page.c. Text between {{when:NAME}} and
 * {{end:NAME}} appears only if NAME has a value, even an empty value. The list `values` has the
 * page's own values, and ends with a value without a name. If `values` is NULL, the page has no
 * values of its own. */
void page_answer(struct exchange *exchange, const char *page, const char *root,
                 const struct page_value *values);

/* Returns the relative path from the requested path to the front page, in the arena. An absolute
 * path would repeat the beginning of the requested path, which a client can choose. */
const char *page_find_root(const struct request *request);

/* Appends the page that a browser shows while a header redirects it to `where`, another page of the
 * service. */
void page_opening_answer(struct exchange *exchange, const char *root, const char *where);

#endif
