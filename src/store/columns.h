/* The field table between a QSO in memory and the database: the columns of statements, and the
 * compact form in which a QSO's previous content is stored. */
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

/* The position of each field among the parameters and columns of the statements that carry QSOs. */
struct columns {
    struct database *database; /* owner of the statements */
    struct column_positions {
        bool known;
        int parameters[FIELD_COUNT]; /* 0: none */
        int columns[FIELD_COUNT];    /* -1: none */
    } positions[COLUMNS_STATEMENTS_MAX];
};

/* Finds the fields in all these statements. STORE_BROKEN: one lacks a field that it should carry; a
 * line in the log names both. */
enum store_result columns_find_all(struct columns *columns);

/* Binds every field for which the statement has a parameter; a field without a value becomes NULL,
 * or 0 for a boolean. The texts must stay valid until the statement has run. */
void columns_bind_qso(struct columns *columns, struct statement *statement, const struct qso *qso);

/* Fills the QSO from the statement's present row. Fields without a column become VALUE_NULL; texts
 * are valid until the statement moves. */
void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso);

/* Calls visit for the QSO of each row that is left, and resets the statement. */
enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context);

/* Copies the texts of a QSO into the arena, so that they outlive the row. */
void columns_keep_texts(struct qso *qso, struct arena *arena);

/* -- Previous states --------------------------------------------------------------------------- */

enum state_extent {
    STATE_CHANGE, /* a QSO that stays: the content that an update may change */
    STATE_WHOLE,  /* a deleted QSO: its clientId and the times of saving and spotting as well */
};

/* Puts the compact form of a stored QSO into the buffer, which it empties first. */
void state_write(const struct qso *qso, enum state_extent extent, struct buffer *out);

/* Sets the fields within the extent of such a form, and leaves all others: fields without a value
 * in it become VALUE_NULL. The texts are copied to the arena. False: the form is invalid, and some
 * fields may be set. */
bool state_read(struct text state, struct arena *arena, struct qso *qso);

/* Returns NULL, or the name of a field that shares its mark with another. */
const char *state_find_equal_marks(void);

#endif
