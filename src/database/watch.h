/* Shows the progress of single statements. */
#ifndef QSOSYNC_DATABASE_WATCH_H
#define QSOSYNC_DATABASE_WATCH_H

#include <sqlite3.h>
#include <stdint.h>

/* Makes statements on this connection report that they are still running (base/progress.h). */
void watch_statements(sqlite3 *database);

/* Announces that the current phase is a statement that needs about this many instructions of
 * SQLite's virtual machine. */
void watch_expect(int64_t instructions);

#endif
