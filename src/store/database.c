/* The connection: prepared statements run and are read here, and what SQLite says becomes one of
 * the store's results. No SQL stands here: statements are files under schema/statements. */
#include "store/database.h"

#include <assert.h>

#include "base/log.h"

enum store_result database_failure(struct store *store, int code, const char *doing)
{
    const char *reason = store->database ? sqlite3_errmsg(store->database) : sqlite3_errstr(code);
    if ((code & 0xff) == SQLITE_CONSTRAINT)
        return STORE_CONFLICT;
    log_line("%s: cannot %s: %s (SQLite code %d)", store->path, doing, reason,
             store->database ? sqlite3_extended_errcode(store->database) : code);
    return (code & 0xff) == SQLITE_BUSY ? STORE_BUSY : STORE_BROKEN;
}

enum store_result database_execute(struct store *store, const char *sql)
{
    int code = sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STORE_DONE : database_failure(store, code, sql);
}

struct statement *database_statement(struct store *store, enum statement_name name)
{
    struct statement *statement = &store->statements[name];
    sqlite3_reset(statement->handle);
    return statement;
}

static int parameter_index(struct statement *statement, const char *name)
{
    int index = sqlite3_bind_parameter_index(statement->handle, name);
    assert(index > 0);
    return index;
}

void database_bind_integer(struct statement *statement, const char *name, int64_t value)
{
    sqlite3_bind_int64(statement->handle, parameter_index(statement, name), value);
}

void database_bind_text(struct statement *statement, const char *name, struct text text)
{
    sqlite3_bind_text(statement->handle, parameter_index(statement, name), text.bytes,
                      (int)text.length, SQLITE_STATIC);
}

void database_bind_blob(struct statement *statement, const char *name, const void *bytes,
                        size_t length)
{
    sqlite3_bind_blob(statement->handle, parameter_index(statement, name), bytes, (int)length,
                      SQLITE_STATIC);
}

struct text database_column_text(const struct statement *statement, int column)
{
    struct text text = {(const char *)sqlite3_column_text(statement->handle, column), 0};
    text.length = (size_t)sqlite3_column_bytes(statement->handle, column);
    return text;
}

enum store_result database_step(struct store *store, struct statement *statement)
{
    int code = sqlite3_step(statement->handle);
    if (code == SQLITE_ROW)
        return STORE_DONE;
    if (code == SQLITE_DONE)
        return STORE_NONE;
    enum store_result result =
        database_failure(store, code, embedded_statements[statement - store->statements].name);
    sqlite3_reset(statement->handle);
    return result;
}

enum store_result database_run(struct store *store, struct statement *statement)
{
    enum store_result result;
    do
        result = database_step(store, statement);
    while (result == STORE_DONE);
    sqlite3_reset(statement->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}
