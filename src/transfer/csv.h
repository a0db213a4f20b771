/* Writes CSV for spreadsheets: cells, and a line for each QSO. */
#ifndef QSOSYNC_TRANSFER_CSV_H
#define QSOSYNC_TRANSFER_CSV_H

#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"

/* Appends a cell, in quotes if necessary, after a comma except at the start of a line. The first
 * cell in a line must not be empty. A cell that a spreadsheet would calculate gets a leading
 * apostrophe. */
void csv_append_cell(struct buffer *out, struct text text);

/* Appends a line with the names of all fields (qso NULL), or with the values of a QSO. */
void csv_append_qso(struct buffer *out, const struct qso *qso);

#endif
