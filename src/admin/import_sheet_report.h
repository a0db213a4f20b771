/* Prints the columns of a sheet, the questions about it, and the remarks on its rows. */
#ifndef QSOSYNC_ADMIN_IMPORT_SHEET_REPORT_H
#define QSOSYNC_ADMIN_IMPORT_SHEET_REPORT_H

#include <stdbool.h>

#include "base/arena.h"
#include "transfer/sheet_records.h"

/* Returns the beginning of a text from a file, without control characters, in the arena. */
const char *import_sheet_show(struct text text, struct arena *arena);

/* Prints one line per column: its header, its field and the reason. */
void import_sheet_print_columns(const struct sheet *sheet, const struct sheet_question *questions,
                                const struct table *answers, struct arena *arena);

/* Prints each open question with its options, and unless `is_silent`, each answer that is assumed
 * or given. */
void import_sheet_print_questions(const struct sheet_question *questions,
                                  const struct table *answers, bool is_silent, struct arena *arena);

void import_sheet_print_remarks(const struct sheet_records *records, struct arena *arena);

#endif
