/* QR codes in the answers to pages. */
#ifndef QSOSYNC_SITE_QR_H
#define QSOSYNC_SITE_QR_H

#include "base/buffer.h"

/* Writes the field "qr": size, path and text, or null where the text is too long for one. */
void qr_write(struct buffer *body, const char *text);

#endif
