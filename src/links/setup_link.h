/* Links that set up a member's program, and QR codes, either as the path in an SVG drawing or as
 * lines for a terminal. */
#ifndef QSOSYNC_LINKS_SETUP_LINK_H
#define QSOSYNC_LINKS_SETUP_LINK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"

/* Returns, in the arena, a link qsosync://config with the API's address and a key. */
char *setup_link_make(struct arena *arena, const char *address, const char *key);

/* Returns, in the arena, the address that opens the service's app and gives the app a key. The part
 * after the # is never sent to a server. */
char *setup_link_make_app(struct arena *arena, const char *service, const char *key);

#define QR_CODE_MARGIN 4 /* white modules around the code, which readers need */

/* Appends the SVG path of the black modules, in which a module is one unit. *side becomes the side
 * of the whole square, including the margin. Returns false if the text is too long or memory is
 * exhausted. */
bool qr_code_append_path(const char *text, struct buffer *out, int *side);

/* Appends lines of UTF-8 that draw the code, with escapes for black and white on any terminal.
 * Returns false if the text is too long or memory is exhausted. */
bool qr_code_append_lines(const char *text, struct buffer *out);

#endif
