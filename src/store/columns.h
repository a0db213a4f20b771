/* Walks the field table between a QSO in memory and a statement. */
#ifndef QSOSYNC_STORE_COLUMNS_H
#define QSOSYNC_STORE_COLUMNS_H

#include "database/database.h"
#include "qso/qso.h"

#define COLUMNS_STATEMENTS_MAX 18

/* Where each field stands among the parameters and columns of the statements that carry QSOs. */
struct columns {
    struct database *database; /* whose statements they are */
    struct column_positions {
        bool known;
        int parameters[FIELD_COUNT]; /* 0: none */
        int columns[FIELD_COUNT];    /* -1: none */
    } positions[COLUMNS_STATEMENTS_MAX];
};

/* Finds the fields in all these statements. STORE_BROKEN: one lacks a field that it should carry; a
 * line in the log names both. */
enum store_result columns_find_all(struct columns *columns);

/* Binds every field that the statement has a parameter for; what has no value becomes NULL, or 0
 * for a boolean. The texts must stay valid until the statement has run. */
void columns_bind_qso(struct columns *columns, struct statement *statement, const struct qso *qso);

/* Fills the QSO from the statement's present row. Fields without a column become VALUE_NULL; texts
 * are valid until the statement moves. */
void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso);

/* Calls visit for the QSO of each row that is left, and resets the statement. */
enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context);

/* Copies the texts of a QSO into the arena, so that they outlive the row. */
void columns_keep_texts(struct qso *qso, struct arena *arena);

#endif
