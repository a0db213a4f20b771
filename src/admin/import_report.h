/* Prints the report on an import. */
#ifndef QSOSYNC_ADMIN_IMPORT_REPORT_H
#define QSOSYNC_ADMIN_IMPORT_REPORT_H

#include <stdbool.h>

#include "base/arena.h"
#include "transfer/report.h"

/* Prints the counts, one per line, and then the details. */
void import_report_print(const struct report *report, bool dry_run, struct arena *arena);

/* Prints the report as one JSON object. */
void import_report_print_json(const struct report *report, bool dry_run);

#endif
