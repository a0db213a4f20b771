/* Cells of CSV. */
#ifndef QSOSYNC_TRANSFER_CSV_H
#define QSOSYNC_TRANSFER_CSV_H

#include "base/buffer.h"
#include "base/text.h"

/* A cell, in quotes where it needs them. One that a spreadsheet would calculate gets an apostrophe
 * before it. */
void csv_append_cell(struct buffer *out, struct text text);

#endif
