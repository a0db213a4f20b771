/* Defines the internals of an open logbook, for the store's own files and for recovery. All other
 * files include the header of their subject. */
#ifndef QSOSYNC_STORE_STORE_H
#define QSOSYNC_STORE_STORE_H

#include "base/buffer.h"
#include "base/shared_file.h"
#include "database/database.h"
#include "store/columns.h"

struct identity;

struct store {
    struct database *database;
    struct shared_file rejection_counts; /* opened at the first rejection */
    struct identity *writer; /* identity for which all transactions run; NULL: the operator */
    struct arena *writer_arena;
    bool acts_as_operator;         /* whether acts are recorded in the activity log */
    struct text operator_callsign; /* callsign of the signed-in operator; no text: the command */
    int64_t review_again_ms;       /* monotonic time before which store_review_some does nothing */
    int64_t data_version;          /* data version that store_record_commits found; 0: not known */
    int64_t tombstone_days;
    int64_t history_days;   /* number of days for which history is kept; 0: no history is kept */
    int64_t history_states; /* maximum number of previous states per member */
    int64_t storage_max;    /* maximum number of bytes per member, in addition to QSOs */
    struct buffer state;    /* memory for a previous state that is about to be written */
    struct columns columns;
};

/* Returns a statement with bound values. */
#define store_with(store, name, ...) database_with((store)->database, name, __VA_ARGS__)

/* Binds and runs a statement. */
#define store_run(store, name, ...)                                                                \
    database_run((store)->database, store_with(store, name, __VA_ARGS__))

/* Binds and runs a statement that changes a row. Returns STORE_NONE if no row was changed. */
#define store_change(store, name, ...)                                                             \
    database_change((store)->database, store_with(store, name, __VA_ARGS__))

/* Reads the columns of the only row, as database_find does. Returns STORE_NONE if no row was found.
 */
#define store_find(store, columns, arena, out, name, ...)                                          \
    ({                                                                                             \
        ROW_READER(columns, name);                                                                 \
        database_find((store)->database, store_with(store, name, __VA_ARGS__), columns, arena,     \
                      out);                                                                        \
    })

/* Reads one integer from the only row. Returns STORE_NONE if no row was found. */
#define store_find_integer(store, column, out, name, ...)                                          \
    ({                                                                                             \
        static const struct read_column store_column[] = {{column, 0, 0, READ_INTEGER, 0, false},  \
                                                          {0}};                                    \
        ROW_READER(store_column, name);                                                            \
        database_find_integer((store)->database, store_with(store, name, __VA_ARGS__), column,     \
                              out);                                                                \
    })

/* Stores in *out whether the statement finds a row. */
#define store_has(store, out, name, ...)                                                           \
    database_has_row((store)->database, store_with(store, name, __VA_ARGS__), out)

#endif
