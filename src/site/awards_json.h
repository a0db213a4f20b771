/* What a log is worth, as JSON. */
#ifndef QSOSYNC_SITE_AWARDS_JSON_H
#define QSOSYNC_SITE_AWARDS_JSON_H

#include "base/buffer.h"
#include "qso/awards.h"

/* Appends an object with all of it, after awards_end. */
void awards_write(const struct awards *awards, struct buffer *body);

#endif
