/* Fills in pages: HTML with {{names}}, which are replaced by texts from outside. */
#ifndef QSOSYNC_SITE_HTML_H
#define QSOSYNC_SITE_HTML_H

#include "base/buffer.h"
#include "base/text.h"

/* Appends a text as the content of an element or of an attribute in quotes. Control characters that
 * would reorder or hide the text around them are shown by their names, such as [U+202E]. The text
 * is UTF-8. */
void html_append_text(struct buffer *out, struct text text);

/* Appends the value of one of the page's names. */
typedef void (*html_append_value)(void *context, struct text name, struct buffer *out);

/* Appends the page, with each {{name}} replaced by what append writes. */
void html_append_page(struct buffer *out, const char *page, html_append_value append,
                      void *context);

/* QR codes in the answers to pages. */

/* Writes a field: size, path and text, or null if the text is too long for a code. */
void qr_write(struct buffer *body, const char *name, const char *text);

#endif
