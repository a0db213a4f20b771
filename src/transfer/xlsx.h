/* Writes XLSX for spreadsheets: a ZIP file of XML parts, without compression. A ZIP file states the
 * size and the checksum of a part before its content, so the caller makes the sheet twice: first to
 * measure it, and then to write it. */
#ifndef QSOSYNC_TRANSFER_XLSX_H
#define QSOSYNC_TRANSFER_XLSX_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "qso/qso.h"

/* A part of the file, as measured so far. */
struct xlsx_part {
    uint32_t checksum;
    int64_t size;
};

/* Adds the bytes to the part. */
void xlsx_measure(struct xlsx_part *part, struct text bytes);

/* Append the sheet, in three steps. A row has a number, from 1, and the names of all fields (if qso
 * is NULL) or the QSO's values. Texts are never formulas, and stay texts if they are edited. */
void xlsx_append_sheet_begin(struct buffer *out);
void xlsx_append_row(struct buffer *out, int64_t number, const struct qso *qso);
void xlsx_append_sheet_end(struct buffer *out);

/* Append the file before and after the sheet, which has been measured. */
void xlsx_append_begin(struct buffer *out, const struct xlsx_part *sheet);
void xlsx_append_end(struct buffer *out, const struct xlsx_part *sheet);

#endif
