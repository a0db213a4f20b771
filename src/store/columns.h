/* Walks the field table between a QSO in memory and a statement. */
#ifndef QSOSYNC_STORE_COLUMNS_H
#define QSOSYNC_STORE_COLUMNS_H

#include "store/database.h"

/* Finds out where each field stands among the parameters and columns of a prepared statement, if it
 * carries QSOs. STORE_BROKEN: it lacks a field that it should carry; a line in the log names both.
 */
enum store_result columns_find(struct store *store, enum statement_name name);

/* Binds every field that the statement has a parameter for; what has no value becomes NULL, or 0
 * for a boolean. The texts must stay valid until the statement has run. */
void columns_bind_qso(struct statement *statement, const struct qso *qso);

/* Fills the QSO from the statement's present row. Fields without a column become VALUE_NULL; texts
 * are valid until the statement moves. */
void columns_read_qso(const struct statement *statement, struct qso *qso);

/* Calls visit for the QSO of each row that is left, and resets the statement. */
enum store_result columns_visit_qsos(struct store *store, struct statement *list,
                                     void (*visit)(void *context, const struct qso *qso),
                                     void *context);

/* Copies the texts of a QSO into the arena, so that they outlive the row. */
void columns_keep_texts(struct qso *qso, struct arena *arena);

#endif
