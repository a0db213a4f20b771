/* Binds QSOs to the parameters of statements, and reads QSOs from their columns. */
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

/* The position of each field among the parameters and columns of the statements that read or write
 * QSOs. */
struct columns {
    struct database *database; /* owner of the statements */
    struct column_positions {
        bool known;
        int parameters[FIELD_COUNT]; /* 0: none */
        int read_count;              /* number of fields in the statement's rows */
        struct read_field {
            int field, column;
            enum field_kind kind;
        } reads[FIELD_COUNT];
    } positions[COLUMNS_STATEMENTS_MAX];
    struct {
        qso_visitor *visit;
        void *context;
        struct qso qso;
        int read_count; /* the fields marked FIELD_COUNTED, which are the function's arguments */
        struct read_field reads[FIELD_COUNT];
    } counting; /* for the SQL function visit_qso */
};

/* Adds the SQL function visit_qso to the connection. Call this function before a statement is
 * prepared. */
enum store_result columns_add_function(struct columns *columns);

/* Finds the fields in all statements that read or write QSOs. Returns STORE_BROKEN if a statement
 * lacks a field; a line in the system log then names the statement and the field. */
enum store_result columns_find_all(struct columns *columns);

/* Binds every field for which the statement has a parameter. A field without a value becomes NULL,
 * or 0 if it is a boolean. The texts must stay valid until the statement has run. */
void columns_bind_qso(struct columns *columns, struct statement *statement, const struct qso *qso);

/* Fills the QSO from the statement's current row. Fields without a column or a value become
 * VALUE_NULL. The texts are valid until the statement's next step. */
void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso);

/* Reads the current row, as columns_read_qso does, into a QSO that contains an earlier row of this
 * statement or was cleared with columns_clear_qso. Fields without a column are left unchanged. */
void columns_read_next_qso(struct columns *columns, const struct statement *statement,
                           struct qso *qso);
void columns_clear_qso(struct qso *qso);

/* Calls visit for the QSO in each remaining row, and resets the statement. */
enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context);

/* Calls visit for the QSO in each row of a statement that passes its rows to visit_qso({counted}).
 * Fields without FIELD_COUNTED become VALUE_NULL. */
enum store_result columns_count_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context);

/* Copies a QSO's texts into the arena, so that the texts outlive the row. */
void columns_keep_texts(struct qso *qso, struct arena *arena);

/* The format of a field's value in a column, and in a previous state of a QSO. */
enum form { FORM_INTEGER, FORM_REAL, FORM_BYTES };

enum form columns_form_of(enum field_kind kind);

#endif
