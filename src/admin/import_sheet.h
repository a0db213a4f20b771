/* Reads a sheet (CSV, TSV) for the command import: prints what is recognised, and asks what the
 * file does not decide. src/transfer/sheet.h explains the steps. */
#ifndef QSOSYNC_ADMIN_IMPORT_SHEET_H
#define QSOSYNC_ADMIN_IMPORT_SHEET_H

#include <stdbool.h>

#include "admin/command.h"
#include "base/text.h"

/* The records of a sheet. */
struct import_sheet {
    struct text adi;     /* the records as ADIF */
    const int64_t *rows; /* the number of the row of each record */
    int64_t row_count;
};

/* Returns whether the file can be a sheet: a text that is neither XML nor ADIF. */
bool import_sheet_is(struct text file);

/* Reads the file. Ends the program with EXIT_USAGE if a question is open, and with EXIT_REFUSED if
 * the file is not a log. The result is in the arena. */
void import_sheet_read(struct invocation *invocation, const char *path, struct text file,
                       struct import_sheet *out);

/* Ends the program if an option for sheets is given. */
void import_sheet_refuse_options(const struct invocation *invocation, const char *path);

#endif
