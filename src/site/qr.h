/* QR codes in the answers to pages. */
#ifndef QSOSYNC_SITE_QR_H
#define QSOSYNC_SITE_QR_H

#include "base/buffer.h"

/* Writes a field: size, path and text, or null where the text is too long for a code. */
void qr_write(struct buffer *body, const char *name, const char *text);

#endif
