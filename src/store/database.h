/* The database connection: pragmas, prepared statements, transactions. Only files of the store
 * include this; everyone else includes store.h. */
#ifndef QSOSYNC_STORE_DATABASE_H
#define QSOSYNC_STORE_DATABASE_H

#include <sqlite3.h>
#include <sys/types.h>

#include "base/shared_file.h"
#include "qso/match.h"
#include "qso/qso.h"
#include "schema/embedded.h"
#include "store/read_only.h"
#include "store/store.h"
#include "store/writer_lock.h"

#define NO_COLUMN (-1)
#define COMMITS_WORDS 12

/* A prepared statement, the names of its result columns, and the places of the field table's fields
 * in it. */
struct statement {
    sqlite3_stmt *handle;
    char **column_names;
    int column_count;
    bool carries_qso; /* was checked against the field table; the rest is filled only then */
    int parameters[FIELD_COUNT]; /* 0: none */
    int columns[FIELD_COUNT];    /* NO_COLUMN: none */
};

/* Who is shown the times of a log, while its statement runs. */
struct times_visitor {
    void (*visit)(void *context, const struct qso_time *time);
    void *context;
    int64_t last_slot;
};

struct store {
    sqlite3 *database;
    char *path;
    dev_t device; /* of the file that is open */
    ino_t inode;
    bool read_only;
    bool brought_forward;                /* from an older schema, when it was opened */
    struct read_only file;               /* if it is only read */
    struct writer_lock writer_lock;      /* not open where the file is only read */
    struct shared_file rejection_counts; /* not open before the first rejection */
    struct statement statements[STATEMENT_COUNT];
    /* checks each statement after it was prepared; may refuse it */
    enum store_result (*examine)(struct store *store, enum statement_name name);
    int64_t write_wait_ms;
    bool only_tries;  /* a write that is given up where another program is at work: no failure */
    int log_pages;    /* in the write-ahead log after our last commit */
    long page_faults; /* of the process, when pages were given back last */
    /* Looks up the writer once more: STORE_NONE where the key, token or login is not valid any
     * more. A pointer, so that programs that write for nobody need no keys. */
    enum store_result (*renew_writer)(struct store *store);
    struct identity *writer; /* the identity that all transactions are for; NULL: the operator */
    struct arena *writer_arena;
    int64_t tombstone_days;
    int64_t revised_member_id;    /* whose log_revision this transaction has set already */
    int64_t tombstones_member_id; /* the member of has_tombstones, in this transaction */
    bool has_tombstones;
    int64_t written_at_ms; /* the clock at its beginning; its stamp where that is no later */
    struct match_callsign unclaimed; /* a station; see partners.c. Empty: none is known */
    struct times_visitor times_visitor;
    bool read_settled;       /* no writer was at work when the snapshot was opened */
    int64_t settle_again_ms; /* by the monotonic clock: database_settle does nothing before */
    /* See commits.c. */
    const volatile uint64_t *index_header; /* of the write-ahead log; NULL: not known */
    sqlite3_file *index_file;
    uint64_t commits[COMMITS_WORDS]; /* the header as store_note_commits found it */
    bool commits_noted;
};

/* The statement, prepared if it was not yet, and reset. Its parameters keep their last values until
 * they are bound again. */
struct statement *database_statement(struct store *store, enum statement_name name);

/* Prepares every statement, or one. A statement that does not prepare is named in the log. */
enum store_result database_prepare(struct store *store);
enum store_result database_prepare_one(struct store *store, enum statement_name name);
void database_finalize(struct store *store);

/* Bind by the parameter's name, which is the column's with a colon before it. The statement has the
 * name (assert). */
void database_bind_integer(struct statement *statement, const char *name, int64_t value);
void database_bind_text(struct statement *statement, const char *name, struct text text);
void database_bind_blob(struct statement *statement, const char *name, const void *bytes,
                        size_t length);
void database_bind_null(struct statement *statement, const char *name);

/* Read the present row by the column's name, which the statement has (assert). NULL reads as 0, no
 * text, no bytes. Text (with a NUL after it) and bytes are valid until the statement moves; the
 * schema defines the length of a BLOB. */
int64_t database_read_integer(const struct statement *statement, const char *name);
struct text database_read_text(const struct statement *statement, const char *name);
const void *database_read_blob(const struct statement *statement, const char *name);
bool database_is_null(const struct statement *statement, const char *name);

/* The same, with another value for NULL; and a text in the arena, which outlives the row. */
int64_t database_read_integer_or(const struct statement *statement, const char *name,
                                 int64_t otherwise);
struct text database_keep_text(const struct statement *statement, const char *name,
                               struct arena *arena);

/* The same for a loop over very many rows: finds a column once, for sqlite3_column_int64 and its
 * kind. */
int database_find_column(const struct statement *statement, const char *name);

/* The text of a value, or no text. */
struct text database_text_of(sqlite3_value *value);

/* Steps to the next row: STORE_DONE with a row, STORE_NONE at the end. */
enum store_result database_step(struct store *store, struct statement *statement);

/* For a loop over all rows that begins with *result STORE_DONE: true with a row. False after the
 * last one, with *result STORE_DONE; after a failure, with the failure there; and where the loop
 * itself has set *result to anything else. The statement is reset then. */
bool database_next(struct store *store, struct statement *statement, enum store_result *result);

/* Runs to its end and resets it: STORE_DONE, or what went wrong. */
enum store_result database_run(struct store *store, struct statement *statement);

/* A result code of SQLite without its extension, such as SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT. */
int database_primary_code(int code);

/* For store_has_found_damage. */
void database_note_damage(void);

/* What an SQLite result code means for the caller, with its line in the log. */
enum store_result database_failure(struct store *store, int code, const char *doing);

/* Runs SQL that is not among the prepared statements: pragmas, migrations. */
enum store_result database_execute(struct store *store, const char *sql);

/* Where a writer has died, or its commit failed, and its commit might still come back: makes sure
 * of one or the other with a commit of a stamp alone. Waits for nobody. To be called now and then;
 * until it is done, readers get an older serverTime (writer_lock.c says why). */
void database_settle(struct store *store);

#endif
