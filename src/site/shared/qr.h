/* QR codes in the answers that pages read. */
#ifndef QSOSYNC_SITE_QR_H
#define QSOSYNC_SITE_QR_H

#include "base/buffer.h"

/* Writes a field with this name: the code's size, its path and its text, or null if the text is too
 * long for a code. */
void qr_write(struct buffer *body, const char *name, const char *text);

#endif
