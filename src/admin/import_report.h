/* Tells what an import did, to people and to programs. */
#ifndef QSOSYNC_ADMIN_IMPORT_REPORT_H
#define QSOSYNC_ADMIN_IMPORT_REPORT_H

#include <stdbool.h>

#include "transfer/report.h"

/* Prints it to standard output: the counts, each on a line, then the details. */
void import_report_print(const struct report *report, bool dry_run);

/* The same as one JSON object. */
void import_report_print_json(const struct report *report, bool dry_run);

#endif
