/* What the pages that the program makes have in common: a head with a way to sign in or out, and a
 * foot that says whose service this is. */
#ifndef QSOSYNC_SITE_PAGE_H
#define QSOSYNC_SITE_PAGE_H

#include "base/buffer.h"
#include "base/text.h"
#include "worker/route.h"

/* A text as the content of an element or of an attribute in quotes, in the arena; "" for no text.
 * Control characters that would reorder or hide the text around them are shown by their names, such
 * as [U+202E]. The text is UTF-8. */
const char *html_of(struct arena *arena, struct text text);

/* QR codes in the answers to pages. */

/* Writes a field: size, path and text, or null if the text is too long for a code. */
void qr_write(struct buffer *body, const char *name, const char *text);

/* What a name in a page stands for; NULL: nothing. */
struct page_value {
    const char *name, *html;
};

/* Appends the page, HTML with {{names}}, to the answer, and says that it is HTML. Each page names
 * "top:NAME" (the links to all pages, of which it is NAME), and may name "root" (how links lead to
 * the front page, such as "../"), "head" and "scripts" (what its head begins with), "club" and
 * "foot". What stands between {{when:NAME}} and {{end:NAME}} is there only if NAME stands for
 * something, "" or more. The values are its own ones, which end with one without a name; NULL:
 * there are none. */
void page_answer(struct exchange *exchange, const char *page, const char *root,
                 const struct page_value *values);

/* How links lead to the front page from whatever path was asked for, in the arena; relative,
 * because a client may have written anything into its beginning. */
const char *page_find_root(const struct request *request);

/* Appends the page that a browser shows while it opens another one of the service, at `where`: for
 * answers that send it on by a header. */
void page_opening_answer(struct exchange *exchange, const char *root, const char *where);

/* A text as a link if it is an address of http or https and nothing else, and as text otherwise;
 * in the arena. */
const char *page_linked(struct arena *arena, struct text text);

#endif
