/* Runs and reads prepared statements, and turns SQLite's result codes into ours. The SQL is in
 * schema/statements; each statement is prepared when it is first needed. src/store decides which
 * statements to use. */
#include "database/database.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"

int database_primary_code(int code)
{
    return code & 0xff;
}

static bool found_damage;

bool database_has_found_damage(void)
{
    return found_damage;
}

void database_note_damage(void)
{
    found_damage = true;
}

enum store_result database_result(struct database *database, int code, const char *doing)
{
    const char *reason = database->handle ? sqlite3_errmsg(database->handle) : sqlite3_errstr(code);
    const int primary = database_primary_code(code);
    if (primary == SQLITE_OK)
        return STORE_DONE;
    if (primary == SQLITE_CONSTRAINT)
        return STORE_REFUSED;
    if (primary == SQLITE_BUSY && database->only_tries)
        return STORE_BUSY;
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)
        database_note_damage();
    log_line("%s: cannot %s: %s (SQLite code %d)", database->path, doing, reason,
             database->handle ? sqlite3_extended_errcode(database->handle) : code);
    return primary == SQLITE_BUSY ? STORE_BUSY : STORE_BROKEN;
}

enum store_result database_execute(struct database *database, const char *sql)
{
    return database_result(database, sqlite3_exec(database->handle, sql, NULL, NULL, NULL), sql);
}

static enum store_result prepare_one(struct database *database, enum statement_name name)
{
    struct statement *statement = &database->statements[name];
    int code = sqlite3_prepare_v3(database->handle, embedded_statements[name].sql, -1,
                                  SQLITE_PREPARE_PERSISTENT, &statement->handle, NULL);
    return database_result(database, code, embedded_statements[name].name);
}

/* Returns the index of a column, or the number of columns if the column is missing. The search
 * begins at `first`, because lists usually name their columns in the statement's order. */
static int column_index(const struct statement *statement, const char *name, int first)
{
    const int count = sqlite3_column_count(statement->handle);
    for (int i = 0; i < count; i++) {
        const int index = (first + i) % count;
        if (strcmp(sqlite3_column_name(statement->handle, index), name) == 0)
            return index;
    }
    return count;
}

/* The linker defines these symbols for the section that ROW_READER fills. The symbols are weak,
 * because a program can lack that section. */
extern const struct row_reader __start_row_readers[] __attribute__((weak));
extern const struct row_reader __stop_row_readers[] __attribute__((weak));

static bool has_column(const struct database *database, enum statement_name name,
                       const char *column)
{
    const struct statement *statement = &database->statements[name];
    return column_index(statement, column, 0) < sqlite3_column_count(statement->handle);
}

static bool any_has_column(const struct database *database, const struct read_column *columns,
                           const char *column)
{
    for (const struct row_reader *it = __start_row_readers; it != __stop_row_readers; it++)
        if (it->columns == columns && has_column(database, it->statement, column))
            return true;
    return false;
}

static enum store_result check_columns(const struct database *database)
{
    enum store_result result = STORE_DONE;
    for (const struct row_reader *it = __start_row_readers; it != __stop_row_readers; it++)
        for (const struct read_column *column = it->columns; column->name; column++)
            if (column->may_lack ? !any_has_column(database, it->columns, column->name)
                                 : !has_column(database, it->statement, column->name)) {
                log_line("the statement %s lacks the column %s",
                         embedded_statements[it->statement].name, column->name);
                result = STORE_BROKEN;
            }
    return result;
}

enum store_result database_prepare(struct database *database)
{
    enum store_result result = STORE_DONE;
    for (int i = 0; i < STATEMENT_COUNT && result == STORE_DONE; i++)
        if (!database->statements[i].handle)
            result = prepare_one(database, (enum statement_name)i);
    return THEN(result, check_columns(database));
}

/* If SQLite cannot prepare the statement, binding values to it has no effect, and stepping it
 * fails. */
struct statement *database_statement(struct database *database, enum statement_name name)
{
    struct statement *statement = &database->statements[name];
    if (!statement->handle)
        prepare_one(database, name);
    sqlite3_reset(statement->handle);
    return statement;
}

struct bound bound_integer(const char *name, int64_t value)
{
    return (struct bound){name, SQLITE_INTEGER, .integer = value};
}

struct bound bound_text(const char *name, struct text text)
{
    return (struct bound){name, SQLITE_TEXT, .bytes = text};
}

struct bound bound_blob(const char *name, const void *bytes, size_t length)
{
    return (struct bound){name, SQLITE_BLOB, .bytes = {bytes, length}};
}

struct bound bound_integer_if(const char *name, bool is_given, int64_t value)
{
    return (struct bound){name, is_given ? SQLITE_INTEGER : SQLITE_NULL, .integer = value};
}

struct statement *database_bind(struct statement *statement, const struct bound *values,
                                size_t count)
{
    for (const struct bound *value = values + 1; value < values + count; value++) {
        const int index = sqlite3_bind_parameter_index(statement->handle, value->name);
        const struct text bytes = value->bytes;
        assert(index > 0 || !statement->handle);
        if (value->type == SQLITE_INTEGER)
            sqlite3_bind_int64(statement->handle, index, value->integer);
        else if (value->type == SQLITE_TEXT)
            sqlite3_bind_text(statement->handle, index, bytes.bytes, (int)bytes.length,
                              SQLITE_STATIC);
        else if (value->type == SQLITE_BLOB)
            sqlite3_bind_blob(statement->handle, index, bytes.bytes, (int)bytes.length,
                              SQLITE_STATIC);
        else
            sqlite3_bind_null(statement->handle, index);
    }
    return statement;
}

int database_find_column(const struct statement *statement, const char *name)
{
    const int index = column_index(statement, name, 0);
    assert(index < sqlite3_column_count(statement->handle) || !statement->handle);
    return index;
}

int64_t database_read_integer(const struct statement *statement, const char *name)
{
    return sqlite3_column_int64(statement->handle, database_find_column(statement, name));
}

/* Returns the text of a value; for NULL, no text. */
static struct text text_of_value(sqlite3_value *value)
{
    struct text text = {(const char *)sqlite3_value_text(value), 0};
    text.length = (size_t)sqlite3_value_bytes(value);
    return text;
}

/* Reads the text through an sqlite3_value, so that the column is looked up only once. */
struct text database_read_text(const struct statement *statement, const char *name)
{
    return text_of_value(
        sqlite3_column_value(statement->handle, database_find_column(statement, name)));
}

const void *database_read_blob(const struct statement *statement, const char *name)
{
    return sqlite3_column_blob(statement->handle, database_find_column(statement, name));
}

bool database_is_null(const struct statement *statement, const char *name)
{
    return sqlite3_column_type(statement->handle, database_find_column(statement, name)) ==
           SQLITE_NULL;
}

int64_t database_read_integer_or(const struct statement *statement, const char *name,
                                 int64_t otherwise)
{
    return database_is_null(statement, name) ? otherwise : database_read_integer(statement, name);
}

struct text database_keep_text(const struct statement *statement, const char *name,
                               struct arena *arena)
{
    struct text text = database_read_text(statement, name);
    if (text.bytes)
        text.bytes = arena_copy(arena, text.bytes, text.length);
    return text;
}

static void read_column(sqlite3_value *value, const struct read_column *column, struct arena *arena,
                        void *place)
{
    const int64_t integer =
        sqlite3_value_type(value) == SQLITE_NULL ? column->otherwise : sqlite3_value_int64(value);
    if (column->kind == READ_TEXT) {
        struct text text = text_of_value(value);
        if (arena && text.bytes)
            text.bytes = arena_copy(arena, text.bytes, text.length);
        *(struct text *)place = text;
    } else if (column->kind == READ_BYTES) {
        memcpy(place, sqlite3_value_blob(value), column->size);
    } else if (column->kind == READ_FLAG) {
        *(bool *)place = integer != 0;
    } else if (column->size == sizeof(int)) {
        *(int *)place = (int)integer;
    } else {
        *(int64_t *)place = integer;
    }
}

void database_read(const struct statement *row, const struct read_column *columns,
                   struct arena *arena, void *out)
{
    const int count = sqlite3_column_count(row->handle);
    int next = 0;
    for (const struct read_column *column = columns; column->name; column++, next++) {
        next = column_index(row, column->name, next);
        if (next < count)
            read_column(sqlite3_column_value(row->handle, next), column, arena,
                        (char *)out + column->offset);
        else if (!column->may_lack)
            abort(); /* the program has a bug, which database_prepare detects */
    }
}

enum store_result database_step(struct database *database, struct statement *statement)
{
    int code = sqlite3_step(statement->handle);
    if (code == SQLITE_ROW)
        return STORE_DONE;
    if (code == SQLITE_DONE)
        return STORE_NONE;
    enum store_result result =
        database_result(database, code, embedded_statements[statement - database->statements].name);
    sqlite3_reset(statement->handle);
    return result;
}

enum store_result database_find_integer(struct database *database, struct statement *statement,
                                        const char *name, int64_t *value)
{
    enum store_result result = database_step(database, statement);
    if (result == STORE_DONE)
        *value = database_read_integer(statement, name);
    sqlite3_reset(statement->handle);
    return result;
}

enum store_result database_find(struct database *database, struct statement *statement,
                                const struct read_column *columns, struct arena *arena, void *out)
{
    enum store_result result = database_step(database, statement);
    if (result == STORE_DONE)
        database_read(statement, columns, arena, out);
    sqlite3_reset(statement->handle);
    return result;
}

enum store_result database_has_row(struct database *database, struct statement *statement,
                                   bool *has_row)
{
    enum store_result result = database_step(database, statement);
    *has_row = result == STORE_DONE;
    sqlite3_reset(statement->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

bool database_next(struct database *database, struct statement *statement,
                   enum store_result *result)
{
    if (*result == STORE_DONE) {
        *result = database_step(database, statement);
        if (*result == STORE_DONE)
            return true;
        if (*result == STORE_NONE)
            *result = STORE_DONE;
    }
    sqlite3_reset(statement->handle);
    return false;
}

bool database_next_row(struct database *database, struct statement *statement,
                       const struct read_column *columns, void *out, enum store_result *result)
{
    bool has_row = database_next(database, statement, result);
    if (has_row)
        database_read(statement, columns, NULL, out);
    return has_row;
}

enum store_result database_run(struct database *database, struct statement *statement)
{
    enum store_result result = STORE_DONE;
    while (database_next(database, statement, &result))
        ;
    return result;
}

enum store_result database_change(struct database *database, struct statement *statement)
{
    enum store_result result = database_run(database, statement);
    return result == STORE_DONE && sqlite3_changes(database->handle) == 0 ? STORE_NONE : result;
}
