/* The words in the headers and the dates of sheets (schema/columns.tsv, schema/months.tsv). */
#ifndef QSOSYNC_TRANSFER_SHEET_WORDS_H
#define QSOSYNC_TRANSFER_SHEET_WORDS_H

#include "transfer/sheet.h"

#define SHEET_FOLDED_SIZE 128 /* bytes of a folded text, with a NUL; a longer text is cut */

/* Writes the text without case, accents, spaces and the characters _ - . ( ) [ ] / and :. */
void sheet_fold(struct text text, char out[SHEET_FOLDED_SIZE]);

/* Finds the field of a header. A unit in brackets does not count. Returns false if the header is
 * unknown. */
bool sheet_find_field(struct text header, enum sheet_field *field);

/* Returns the number of a month by its name in one of the languages; 0: the name is unknown. */
int sheet_find_month(struct text name);

#endif
