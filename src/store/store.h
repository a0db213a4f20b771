/* What an open logbook is made of. For the files of the store and for recovery; all others include
 * the header of their subject. */
#ifndef QSOSYNC_STORE_STORE_H
#define QSOSYNC_STORE_STORE_H

#include "base/buffer.h"
#include "base/shared_file.h"
#include "database/database.h"
#include "qso/qso.h"

/* -- The field table between a QSO in memory and a statement ----------------------------------- */

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

/* -- The logbook ------------------------------------------------------------------------------- */

struct identity;

struct store {
    struct database *database;
    struct shared_file rejection_counts; /* not open before the first rejection */
    struct identity *writer; /* the identity that all transactions are for; NULL: the operator */
    struct arena *writer_arena;
    bool acts_as_operator;         /* what is done is noted in the log of acts */
    struct text operator_callsign; /* who is signed in; no text: the command */
    int64_t data_version;          /* as store_note_commits found it; 0: not known */
    int64_t tombstone_days;
    int64_t history_days;   /* 0: no history is kept */
    int64_t history_states; /* that are kept a member */
    struct buffer state;    /* a former state on its way to the database */
    struct columns columns;
};

/* A statement about one member, with :member_id bound. */
static inline struct statement *store_member_statement(struct store *store,
                                                       enum statement_name name, int64_t member_id)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":member_id", member_id);
    return statement;
}

#endif
