/* Whether the indexes of the QSOs have what the rows say: much quicker than SQLite's own check,
 * which looks each row up in each index. */
#ifndef QSOSYNC_RECOVERY_INDEX_ENTRIES_H
#define QSOSYNC_RECOVERY_INDEX_ENTRIES_H

#include <stdbool.h>

struct database;

/* True: each index of qsos has exactly the entries that the rows need, in order, and a unique one
 * each key once, within one snapshot. False: it is not so, or could not be shown; what is wrong is
 * left to SQLite's check. Nothing is logged. Pages are taken for whole. For a connection that
 * nobody else writes by: statements that are in use elsewhere would be prepared again. */
bool index_entries_agree(struct database *database);

#endif
