/* The field table between a QSO in memory and the database: the columns of statements, and the
 * compact form in which the former content of a QSO is kept. */
#ifndef QSOSYNC_STORE_COLUMNS_H
#define QSOSYNC_STORE_COLUMNS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "database/result.h"
#include "qso/qso.h"

struct database;
struct statement;

#define COLUMNS_STATEMENTS_MAX 20

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

/* -- Former states ----------------------------------------------------------------------------- */

enum state_extent {
    STATE_CHANGE, /* of a QSO that stays: what an update may change of its content */
    STATE_WHOLE,  /* of one that goes: also its clientId, and when it was saved and spotted */
};

/* Puts the compact form of a stored QSO into the buffer, which it empties first. */
void state_write(const struct qso *qso, enum state_extent extent, struct buffer *out);

/* Sets the fields that such a form is about, and leaves all others: those without a value in it
 * become VALUE_NULL. The texts are copied to the arena. False: it is no such form, and some may be
 * set. */
bool state_read(struct text state, struct arena *arena, struct qso *qso);

/* NULL, or the name of a field whose mark another field has, too. */
const char *state_find_equal_marks(void);

#endif
