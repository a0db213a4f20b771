/* Recognises the columns of a sheet: by their headers, or by their values. */
#ifndef QSOSYNC_TRANSFER_SHEET_COLUMNS_H
#define QSOSYNC_TRANSFER_SHEET_COLUMNS_H

#include "transfer/sheet.h"

/* Recognises a sheet with the given rows. The result is in the arena. */
void sheet_recognise(struct sheet_rows rows, struct arena *arena, struct sheet *out);

/* Gives a field to a column, and counts its values. */
void sheet_set_field(struct sheet *sheet, struct sheet_column *column, enum sheet_field field);

/* Returns whether at least two different fields are recognised, so that the text can be a log. */
bool sheet_has_log(const struct sheet *sheet);

#endif
