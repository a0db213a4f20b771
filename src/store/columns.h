/* The columns of statements that carry QSOs. */
#ifndef QSOSYNC_STORE_COLUMNS_H
#define QSOSYNC_STORE_COLUMNS_H

#include <stdbool.h>

#include "base/arena.h"
#include "database/result.h"
#include "qso/fields.h"
#include "qso/qso.h"

struct database;
struct statement;

#define COLUMNS_STATEMENTS_MAX 20

/* The position of each field among the parameters and columns of the statements that carry QSOs. */
struct columns {
    struct database *database; /* the owner of the statements */
    struct column_positions {
        bool known;
        int parameters[FIELD_COUNT]; /* 0: none */
        int columns[FIELD_COUNT];    /* -1: none */
    } positions[COLUMNS_STATEMENTS_MAX];
};

/* Finds the fields in all statements that carry QSOs. STORE_BROKEN: a statement lacks a field; a
 * line in the log names both. */
enum store_result columns_find_all(struct columns *columns);

/* Binds every field for which the statement has a parameter; a field without a value becomes NULL,
 * or 0 for a boolean. The texts must stay valid until the statement has run. */
void columns_bind_qso(struct columns *columns, struct statement *statement, const struct qso *qso);

/* Fills the QSO from the statement's present row. Fields without a column become VALUE_NULL; texts
 * are valid until the statement moves. */
void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso);

/* Calls visit for the QSO in each remaining row, and resets the statement. */
enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context);

/* Copies the texts of a QSO into the arena, so that they outlive the row. */
void columns_keep_texts(struct qso *qso, struct arena *arena);

/* The form of a value in a column, and in a previous state. */
enum form { FORM_INTEGER, FORM_REAL, FORM_BYTES };

enum form columns_form_of(enum field_kind kind);

#endif
