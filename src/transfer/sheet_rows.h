/* Reads a text with separated values as rows of cells. */
#ifndef QSOSYNC_TRANSFER_SHEET_ROWS_H
#define QSOSYNC_TRANSFER_SHEET_ROWS_H

#include "transfer/sheet.h"

/* The reasons not to read a sheet: it exceeds SHEET_ROWS_MAX, SHEET_COLUMNS_MAX, SHEET_CELLS_MAX or
 * SHEET_BYTES_MAX. */
enum sheet_refusal {
    SHEET_READ,
    SHEET_TOO_MANY_ROWS,
    SHEET_TOO_MANY_COLUMNS,
    SHEET_TOO_MANY_CELLS,
    SHEET_TOO_LARGE
};

/* Returns the separator with which most of the first rows have the same number of cells, at least
 * two: a semicolon, a tab, a comma, a bar, or a space for any number of blanks. Returns 0 if a row
 * is too wide. */
char sheet_find_separator(struct text text, struct arena *arena);

/* Reads a text in UTF-8. The cells are in the arena, or are parts of the text. */
enum sheet_refusal sheet_read_rows(struct text text, struct arena *arena, struct sheet_rows *out);

#endif
