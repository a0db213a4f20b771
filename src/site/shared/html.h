/* Texts as HTML. */
#ifndef QSOSYNC_SITE_HTML_H
#define QSOSYNC_SITE_HTML_H

#include "base/arena.h"
#include "base/text.h"

/* Returns a text as the content of an element or of a quoted attribute, in the arena; "" for no
 * text. Control characters other than tabs and newlines, and characters that reorder text, are
 * shown by their numbers, such as [U+202E]. The text must be UTF-8. */
const char *html_of(struct arena *arena, struct text text);

/* Returns whether the text consists only of an http or https address. */
bool html_is_link(struct text text);

/* Returns, in the arena, a link if the text consists only of an address; otherwise the escaped
 * text. */
const char *html_linked(struct arena *arena, struct text text);

#endif
