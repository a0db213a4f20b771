/* A connection to the database and its prepared statements. For store and recovery, which know what
 * a statement means. A failure is logged once, here. */
#ifndef QSOSYNC_DATABASE_DATABASE_H
#define QSOSYNC_DATABASE_DATABASE_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "database/writer_lock.h"
#include "schema/embedded.h"

/* -- Files that are only read, and paths as SQLite takes them ---------------------------------- */

/* A file that nobody has open for writing, as it was when it was opened. */
struct read_only {
    void *map; /* NULL: somebody has, so SQLite's locks keep readers and writers apart */
    size_t bytes;
    struct timespec modified;
};

/* Opens the file so that it stays byte for byte as it is. If nobody has it open for writing, no
 * file appears beside it either, and neither the file nor its folder or its medium needs to be
 * writable. Returns an SQLite result code; read_only_close follows whatever it is. */
int read_only_open(const char *path, sqlite3 **out, struct read_only *file);
void read_only_close(sqlite3 *database, struct read_only *file);

/* True if somebody has written to the file since; what was read from it is then not valid. */
bool read_only_has_changed(const char *path, const struct read_only *file);

/* Files by their names: SQLite, as Debian builds it, takes "file:…" for a URI, whose "?" and "%"
 * have a meaning, and ":memory:" for no file at all. Every path of ours is the name of a file. */

/* sqlite3_open_v2 for the file of that name, unless that is blocked; returns SQLite's code. The
 * caller closes *out, also after a failure. */
int literal_path_open(const char *path, int flags, sqlite3 **out);

/* -- A connection ------------------------------------------------------------------------------ */

/* NULL: it was not prepared so far. */
struct statement {
    sqlite3_stmt *handle;
};

struct database {
    sqlite3 *handle;
    char *path;
    dev_t device; /* of the file that is open */
    ino_t inode;
    enum opening opening;
    bool read_only;
    bool brought_forward;           /* from an older schema, when it was opened */
    struct read_only file;          /* if it is only read */
    struct writer_lock writer_lock; /* not open if the file is only read */
    struct statement statements[STATEMENT_COUNT];
    int64_t write_wait_ms;
    bool only_tries;      /* a write that is given up if another program is at work: no failure */
    int log_pages;        /* in the write-ahead log after our last commit */
    long page_faults;     /* of the process, when pages were given back last */
    bool read_is_certain; /* no writer was at work when the snapshot was opened */
    int64_t
        certain_again_ms; /* by the monotonic clock: transaction_make_certain does nothing before */
};

/* Opens the file with its settings, the writer lock and the schema, which it brings up to date
 * if it may write. Prepares no statement: functions of SQL may have to be added first. A schema
 * newer than this program, or a file that is no logbook, is STORE_BROKEN. */
enum store_result database_open(const char *path, enum opening opening, struct database **out);
void database_close(struct database *database); /* NULL is allowed */

/* False if the path no longer refers to the open file, or if a write found that its
 * schema has changed. */
bool database_is_current(const struct database *database);

/* The statement, prepared if it was not yet, and reset. Its parameters keep their last values until
 * they are bound again. */
struct statement *database_statement(struct database *database, enum statement_name name);

/* Prepares every statement. One that does not prepare, or lacks a column by which its rows are
 * read, is named in the log, and the result is STORE_BROKEN. */
enum store_result database_prepare(struct database *database);

/* Values for parameters, whose name is mostly the column's, with a colon before it. The statement
 * has the name (assert). database_with(database, STATEMENT_SET_LOGIN, BIND("id", 7), BIND("login",
 * text)) is the statement with these values for its parameters ":id" and ":login". */
struct bound {
    const char *name;
    int type; /* SQLITE_INTEGER, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL */
    int64_t integer;
    struct text bytes; /* the caller's until the statement has run */
};
#ifdef __cppcheck__ /* which does not know _Generic */
#define BIND(name, value) bound_of(":" name, value)
#define KIND_OF(type, member) READ_INTEGER
#else
#define BIND(name, value)                                                                          \
    _Generic((value), struct text : bound_text, default : bound_integer)(":" name, value)
#define KIND_OF(type, member)                                                                      \
    _Generic(((struct type *)0)->member, struct text                                               \
             : READ_TEXT, bool                                                                     \
             : READ_FLAG, default                                                                  \
             : READ_INTEGER)
#endif
#define BIND_BLOB(name, bytes, length) bound_blob(":" name, bytes, length)
#define BIND_IF(is_given, name, integer) bound_integer_if(":" name, is_given, integer)
#define BIND_OR_NULL(name, integer) BIND_IF((integer) != 0, name, integer)
struct bound bound_integer(const char *name, int64_t value);
struct bound bound_text(const char *name, struct text text);
struct bound bound_blob(const char *name, const void *bytes, size_t length);
struct bound bound_integer_if(const char *name, bool is_given, int64_t value);

/* The values and their number, for database_bind, which passes over the first: a list may be empty.
 */
#define BOUND(...)                                                                                 \
    (const struct bound[]){{0}, __VA_ARGS__},                                                      \
        sizeof(const struct bound[]){{0}, __VA_ARGS__} / sizeof(struct bound)
struct statement *database_bind(struct statement *statement, const struct bound *values,
                                size_t count);
#define database_with(database, name, ...)                                                         \
    database_bind(database_statement(database, name), BOUND(__VA_ARGS__))

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

/* Columns and the places of their values in a struct, as COLUMNS(COLUMN(act, is_old, "pruned")) for
 * the member is_old of a struct act, which is an int64_t, a struct text, a bool or like an int. */
struct read_column {
    const char *name;    /* NULL: no more follow */
    size_t offset, size; /* bytes of its place; those of bytes are the schema's */
    enum { READ_INTEGER, READ_TEXT, READ_FLAG, READ_BYTES } kind;
    int64_t otherwise; /* for NULL */
    bool may_lack;     /* some statements have no such column: the place stays as it is */
};
#define COLUMN_AT(type, member) offsetof(struct type, member), sizeof(((struct type *)0)->member)
#define COLUMN_OR(type, member, name, otherwise)                                                   \
    {                                                                                              \
        name, COLUMN_AT(type, member), KIND_OF(type, member), otherwise, false                     \
    }
#define COLUMN_BYTES(type, member, name)                                                           \
    {                                                                                              \
        name, COLUMN_AT(type, member), READ_BYTES, 0, false                                        \
    }
#define COLUMN(type, member, name) COLUMN_OR(type, member, name, 0)
#define COLUMN_IF(type, member, name)                                                              \
    {                                                                                              \
        name, COLUMN_AT(type, member), KIND_OF(type, member), 0, true                              \
    }
#define COLUMNS(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* Declares, in a file or a function, that rows of the statement are read by these columns, which
 * are static: database_prepare then finds the columns that the statement lacks, and those of
 * COLUMN_IF that no statement has. */
struct row_reader {
    const struct read_column *columns;
    enum statement_name statement;
};
#define ROW_READER(columns, statement) ROW_READER_AT(__COUNTER__, columns, statement)
#define ROW_READER_AT(number, columns, statement) ROW_READER_OF(number, columns, statement)
#define ROW_READER_OF(number, columns, statement)                                                  \
    static const struct row_reader row_reader_##number                                             \
        __attribute__((used, section("row_readers"), aligned(sizeof(void *)))) = {columns,         \
                                                                                  statement}

/* Reads these columns of the present row, whose statement has them (abort). Texts are
 * copied to the arena; NULL: they are valid until the statement moves. */
void database_read(const struct statement *row, const struct read_column *columns,
                   struct arena *arena, void *out);

/* The same for a loop over very many rows: finds a column once, for sqlite3_column_int64 and its
 * kind. */
int database_find_column(const struct statement *statement, const char *name);

/* Steps to the next row: STORE_DONE with a row, STORE_NONE at the end. */
enum store_result database_step(struct database *database, struct statement *statement);

/* The only row that is wanted, read by database_read; STORE_NONE: there is none. The statement is
 * reset. */
enum store_result database_find(struct database *database, struct statement *statement,
                                const struct read_column *columns, struct arena *arena, void *out);

/* Whether there is a row: never STORE_NONE. The statement is reset. */
enum store_result database_has_row(struct database *database, struct statement *statement,
                                   bool *has_row);

/* An integer of the only row that is wanted; without a row STORE_NONE, and *value stays. The
 * statement is reset. */
enum store_result database_find_integer(struct database *database, struct statement *statement,
                                        const char *name, int64_t *value);

/* For a loop over all rows that begins with *result STORE_DONE: true with a row. False after the
 * last one, with *result STORE_DONE; after a failure, with the failure there; and if the loop
 * itself has set *result to anything else. The statement is reset then. */
bool database_next(struct database *database, struct statement *statement,
                   enum store_result *result);

/* The same, and the row read by database_read. */
bool database_next_row(struct database *database, struct statement *statement,
                       const struct read_column *columns, void *out, enum store_result *result);

/* Runs to its end and resets it: STORE_DONE, or what went wrong. */
enum store_result database_run(struct database *database, struct statement *statement);

/* The same for a change: STORE_NONE if there was no row to change. */
enum store_result database_change(struct database *database, struct statement *statement);

/* A result code of SQLite without its extension, such as SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT. */
int database_primary_code(int code);

/* Whether this process has met damage in SQLite's own words (SQLITE_CORRUPT, SQLITE_NOTADB, what
 * its integrity check finds), and not only a disk, a right, a lock or a rule of ours. */
bool database_has_found_damage(void);
void database_note_damage(void);

/* What an SQLite result code means for the caller, with its line in the log if it is a failure. */
enum store_result database_result(struct database *database, int code, const char *doing);

/* Runs SQL that is not among the prepared statements: pragmas, migrations. */
enum store_result database_execute(struct database *database, const char *sql);

/* Care of an open database. */

#define CHECKPOINT_MAP_FILE "PRAGMA mmap_size = 1073741824"

/* Call between requests, when nobody waits: settles what a dead writer left in the
 * write-ahead log, moves a long one into the database, and gives mapped pages of the file back to
 * the system once they are many, so that a worker stays small however large the logs are that it
 * reads. */
void checkpoint_run(struct database *database);

/* Brings the schema of a database up to the one that this program knows. */

/* Opens the writer lock, and runs every numbered file of schema/ that the database has not seen,
 * each in a transaction of its own that also raises user_version: a kill in the middle leaves the
 * step before, and several processes at once run each step once. An empty database is filled only
 * when `create` is set (STORE_NONE otherwise). STORE_BROKEN: no logbook of ours, or one of a newer
 * program. */
enum store_result migrations_run(struct database *database, bool create);

/* The same for a file that is only read: an older schema is brought up to date in a private copy,
 * which takes the file's place in the store. */
enum store_result migrations_run_on_copy(struct database *database);

/* For a connection that only reads: STORE_DONE when the schema is the one that this program knows.
 */
enum store_result migrations_check(struct database *database);

#endif
