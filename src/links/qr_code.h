/* A QR code as the path of an SVG drawing, or as lines for a terminal. The only module that uses
 * libqrencode. */
#ifndef QSOSYNC_LINKS_QR_CODE_H
#define QSOSYNC_LINKS_QR_CODE_H

#include <stdbool.h>

#include "base/buffer.h"

#define QR_CODE_MARGIN 4 /* white modules around the code, which readers need */

/* Appends the path of the black modules, one unit each; *side becomes the side of the square with
 * its margin. Returns false when the text is too long or there is no memory. */
bool qr_code_append_path(const char *text, struct buffer *out, int *side);

/* Appends lines of UTF-8 with the escapes that make them black and white on any terminal. Returns
 * false for the same reasons. */
bool qr_code_append_lines(const char *text, struct buffer *out);

#endif
