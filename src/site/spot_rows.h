/* Spots as rows of a table in HTML. */
#ifndef QSOSYNC_SITE_SPOT_ROWS_H
#define QSOSYNC_SITE_SPOT_ROWS_H

#include "base/buffer.h"
#include "qso/spot.h"

/* Appends a row of five cells: station, time, frequency, mode, and who heard it. */
void spot_rows_append(struct buffer *out, const struct spot *spot);

#endif
