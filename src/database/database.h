/* Provides a connection to the database, with its prepared statements, for store and recovery.
 *
 *   database_open                                     opens the file, but prepares no statement
 *   database_statement, database_with                 return a reset statement, with values
 *   database_next, database_find, database_run, ...   step through rows, and reset the statement
 *   database_close                                    closes the file
 *
 * Texts and bytes that are read belong to the statement, unless the caller passes an arena. */
#ifndef QSOSYNC_DATABASE_DATABASE_H
#define QSOSYNC_DATABASE_DATABASE_H

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/read_only.h"
#include "database/result.h"
#include "database/writer_lock.h"
#include "schema/embedded.h"

/* A prepared statement; handle is NULL until its first use. */
struct statement {
    sqlite3_stmt *handle;
};

struct database {
    sqlite3 *handle;
    char *path;
    dev_t device; /* device and inode of the open file */
    ino_t inode;
    enum opening opening;
    bool read_only;
    /* whether the schema was older than this program's when the database was opened */
    bool brought_forward;
    struct read_only file;          /* the mapped file, if the database is only read */
    struct writer_lock writer_lock; /* not open if the database is only read */
    struct statement statements[STATEMENT_COUNT];
    int64_t write_wait_ms;
    bool only_tries; /* whether a write that finds the lock taken is not logged */
    /* length of the write-ahead log after this connection's last commit, in pages */
    int log_pages;
    long page_faults; /* number of the process's page faults when pages were last released */
    /* monotonic time before which transaction_make_certain does nothing */
    int64_t certain_again_ms;
};

/* Opens the file with its settings, the writer lock and the schema. An older schema is updated, in
 * a private copy if the file is only read; for OPEN_TO_FOLLOW, an older schema is STORE_BROKEN. No
 * statement is prepared, because the caller may need to add SQL functions first. Returns
 * STORE_NEWER for a newer schema, and STORE_FOREIGN for a file that is not a logbook. */
enum store_result database_open(const char *path, enum opening opening, struct database **out);
void database_close(struct database *database); /* NULL is allowed */

/* Returns whether the path still refers to the open file. Also returns false after a write
 * transaction found a changed schema. */
bool database_is_current(const struct database *database);

/* Returns the statement, which is prepared on its first use, and reset. Its parameters keep their
 * last values until they are bound again. */
struct statement *database_statement(struct database *database, enum statement_name name);

/* Prepares every statement. Returns STORE_BROKEN if a statement cannot be prepared, or lacks a
 * column that its reader expects. A line in the system log then names the statement. */
enum store_result database_prepare(struct database *database);

/* A value for a parameter of a statement. A parameter is usually named after its column, with a
 * colon in front, and must be in the statement (assert). database_with(database,
 * STATEMENT_UPDATE_MEMBER, BIND("id", 7), BIND("login", text)) returns the statement with these
 * values for ":id" and ":login". */
struct bound {
    const char *name;
    int type; /* SQLITE_INTEGER, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL */
    int64_t integer;
    struct text bytes; /* bytes that the caller owns, and keeps until the statement has run */
};
#ifdef __cppcheck__ /* cppcheck does not support _Generic */
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

/* The values and their number, for database_bind. The first value is skipped, so that the list of
 * values can be empty. */
#define BOUND(...)                                                                                 \
    (const struct bound[]){{0}, __VA_ARGS__},                                                      \
        sizeof(const struct bound[]){{0}, __VA_ARGS__} / sizeof(struct bound)
struct statement *database_bind(struct statement *statement, const struct bound *values,
                                size_t count);
#define database_with(database, name, ...)                                                         \
    database_bind(database_statement(database, name), BOUND(__VA_ARGS__))

/* Read a column of the current row by the column's name, which must be in the statement (assert).
 * NULL is read as 0, as a missing text, or as no bytes. Text (with a final NUL) and bytes are valid
 * until the statement's next step. The schema defines the length of a BLOB. */
int64_t database_read_integer(const struct statement *statement, const char *name);
struct text database_read_text(const struct statement *statement, const char *name);
const void *database_read_blob(const struct statement *statement, const char *name);
bool database_is_null(const struct statement *statement, const char *name);

/* Read a column: an integer with a substitute for NULL, or a text that is copied to the arena and
 * so outlives the row. */
int64_t database_read_integer_or(const struct statement *statement, const char *name,
                                 int64_t otherwise);
struct text database_keep_text(const struct statement *statement, const char *name,
                               struct arena *arena);

/* A column, and the member of a struct that receives the column's value. In COLUMNS(COLUMN(act,
 * is_old, "pruned")), the column "pruned" sets the member is_old of struct act. A member is an
 * int64_t, a struct text, a bool, or an object with the size of an int. */
struct read_column {
    const char *name; /* NULL: end of the list */
    /* place and size of the member; for bytes, size is the length of the column */
    size_t offset, size;
    enum { READ_INTEGER, READ_TEXT, READ_FLAG, READ_BYTES } kind;
    int64_t otherwise; /* the member's value if the column is NULL */
    bool may_lack;     /* whether some statements lack the column, and then leave the member
                        * unchanged */
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

/* Declares, in a file or a function, that these static columns read the rows of the statement.
 * database_prepare then finds columns that the statement lacks, and columns declared with COLUMN_IF
 * that every statement lacks. */
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

/* Reads these columns of the current row. The statement must have the columns, except columns
 * declared with COLUMN_IF (abort). Texts are copied to the arena. If the arena is NULL, the texts
 * are valid until the statement's next step. */
void database_read(const struct statement *row, const struct read_column *columns,
                   struct arena *arena, void *out);

/* Returns the index of a column, for calls to sqlite3_column_int64 and related functions in loops
 * over many rows. */
int database_find_column(const struct statement *statement, const char *name);

/* Steps to the next row. Returns STORE_DONE if there is a row, and STORE_NONE at the end. */
enum store_result database_step(struct database *database, struct statement *statement);

/* Reads the only row as database_read does. Returns STORE_NONE if the result is empty. Resets the
 * statement. */
enum store_result database_find(struct database *database, struct statement *statement,
                                const struct read_column *columns, struct arena *arena, void *out);

/* Stores in *has_row whether the result has a row; never returns STORE_NONE. Resets the
 * statement. */
enum store_result database_has_row(struct database *database, struct statement *statement,
                                   bool *has_row);

/* Reads an integer from the only row. Without a row, returns STORE_NONE and leaves *value
 * unchanged. Resets the statement. */
enum store_result database_find_integer(struct database *database, struct statement *statement,
                                        const char *name, int64_t *value);

/* Steps to the next row in a loop that begins with *result set to STORE_DONE. Returns true if there
 * is a row. Returns false at the end, with STORE_DONE in *result, and after a failure, with the
 * failure in *result. Also returns false if the loop has set *result to another value. The
 * statement is then reset. */
bool database_next(struct database *database, struct statement *statement,
                   enum store_result *result);

/* Steps to the next row as database_next does, and reads the row as database_read does. */
bool database_next_row(struct database *database, struct statement *statement,
                       const struct read_column *columns, void *out, enum store_result *result);

/* Runs the statement to its end and resets it. Returns STORE_DONE or the failure. */
enum store_result database_run(struct database *database, struct statement *statement);

/* Runs a statement that changes rows. Returns STORE_NONE if no row was changed. */
enum store_result database_change(struct database *database, struct statement *statement);

/* Returns SQLite's result code without its extension, such as SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT.
 */
int database_primary_code(int code);

/* Returns whether this process has found damage as SQLite defines it: SQLITE_CORRUPT,
 * SQLITE_NOTADB, or findings of the integrity check. A disk error, a missing permission, a lock or
 * a violation of our own rules does not count. */
bool database_has_found_damage(void);
/* Records that this process has found damage. */
void database_note_damage(void);

/* Turns an SQLite result code into a result for the caller. Logs a failure, but neither a violated
 * constraint (STORE_REFUSED) nor, if only_tries is set, a taken lock. */
enum store_result database_result(struct database *database, int code, const char *doing);

/* Runs SQL that is not a prepared statement, such as a pragma or a migration. */
enum store_result database_execute(struct database *database, const char *sql);

#endif
