/* Links that set up a member's program, and QR codes: as the path of an SVG drawing, or as lines
 * for a terminal. */
#ifndef QSOSYNC_LINKS_SETUP_LINK_H
#define QSOSYNC_LINKS_SETUP_LINK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"

/* qsosync://config with the API's address and a key, in the arena. */
char *setup_link_make(struct arena *arena, const char *address, const char *key);

/* The address that opens the service's app and gives it a key, in the arena. The part after the #
 * is never sent to a server. */
char *setup_link_make_app(struct arena *arena, const char *service, const char *key);

#define QR_CODE_MARGIN 4 /* white modules around the code, which readers need */

/* Appends the path of the black modules, one unit each; *side becomes the side of the square with
 * its margin. Returns false if the text is too long or memory runs out. */
bool qr_code_append_path(const char *text, struct buffer *out, int *side);

/* Appends lines of UTF-8 with escapes that make them black and white on any terminal. Returns false
 * for the same reasons. */
bool qr_code_append_lines(const char *text, struct buffer *out);

#endif
