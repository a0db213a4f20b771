/* Writes CSV for spreadsheets: cells, and a line for each QSO. */
#ifndef QSOSYNC_TRANSFER_CSV_H
#define QSOSYNC_TRANSFER_CSV_H

#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

/* Appends a cell, in quotes if necessary. A comma precedes the cell, except at the start of a line,
 * so the first cell in a line must not be empty. If a spreadsheet would calculate the text, a
 * leading apostrophe is added. */
void csv_append_cell(struct buffer *out, struct text text);

/* Appends a line with the names of all fields (if qso is NULL) or with the QSO's values. */
void csv_append_qso(struct buffer *out, const struct qso *qso);

#endif
