/* The internals of an open logbook, for the files of the store and for recovery. All other files
 * include the header of their subject. */
#ifndef QSOSYNC_STORE_STORE_H
#define QSOSYNC_STORE_STORE_H

#include "base/buffer.h"
#include "base/shared_file.h"
#include "database/database.h"
#include "store/columns.h"

struct identity;

struct store {
    struct database *database;
    struct shared_file rejection_counts; /* not open before the first rejection */
    struct identity *writer; /* the identity that all transactions are for; NULL: the operator */
    struct arena *writer_arena;
    bool acts_as_operator;         /* acts are recorded in the activity log */
    struct text operator_callsign; /* the signed-in operator; no text: the command */
    int64_t review_again_ms; /* by the monotonic clock: earliest next work of store_review_some */
    int64_t data_version;    /* as store_record_commits found it; 0: not known */
    int64_t tombstone_days;
    int64_t history_days;   /* 0: no history is kept */
    int64_t history_states; /* states kept per member */
    int64_t storage_max;    /* bytes that a member may have in addition to QSOs */
    struct buffer state;    /* a previous state before it is written */
    struct columns columns;
};

/* Returns a statement with bound values. */
#define store_with(store, name, ...) database_with((store)->database, name, __VA_ARGS__)

/* Binds and runs a statement. */
#define store_run(store, name, ...)                                                                \
    database_run((store)->database, store_with(store, name, __VA_ARGS__))

/* Binds and runs a statement that changes a row. STORE_NONE: no row was changed. */
#define store_change(store, name, ...)                                                             \
    database_change((store)->database, store_with(store, name, __VA_ARGS__))

/* Reads the columns of the only row, with database_find. STORE_NONE: no row. */
#define store_find(store, columns, arena, out, name, ...)                                          \
    ({                                                                                             \
        ROW_READER(columns, name);                                                                 \
        database_find((store)->database, store_with(store, name, __VA_ARGS__), columns, arena,     \
                      out);                                                                        \
    })

/* Reads one integer of the only row. STORE_NONE: no row. */
#define store_find_integer(store, column, out, name, ...)                                          \
    ({                                                                                             \
        static const struct read_column store_column[] = {{column, 0, 0, READ_INTEGER, 0, false},  \
                                                          {0}};                                    \
        ROW_READER(store_column, name);                                                            \
        database_find_integer((store)->database, store_with(store, name, __VA_ARGS__), column,     \
                              out);                                                                \
    })

/* Sets *out to whether a row exists. */
#define store_has(store, out, name, ...)                                                           \
    database_has_row((store)->database, store_with(store, name, __VA_ARGS__), out)

#endif
