/* Opens and closes a database: its file, settings, schema and writer lock. If one of these steps
 * fails, the failure is logged and nothing stays open. Only src/store interprets the tables;
 * migrations.c brings older schemas up to date. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/log.h"
#include "database/checkpoint.h"
#include "database/database.h"
#include "database/literal_path.h"
#include "database/migrations.h"
#include "database/transaction.h"
#include "database/watch.h"
#include "database/write_ahead_log.h"

#define WRITE_WAIT_DEFAULT_MS 10000

#define SETTINGS "; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = "
#define SETTINGS_MAPPED CHECKPOINT_MAP_FILE SETTINGS "-4096"
#define SETTINGS_BOUNDED CHECKPOINT_UNMAP_FILE SETTINGS

/* The settings for each way of opening a database. synchronous = FULL syncs the write-ahead log at
 * each commit. If the file is mapped, SQLite reads pages from the mapping, and the page cache holds
 * only the schema, so 4 MiB is enough. Without a mapping, all pages are read through the cache. */
static const char *const settings[] = {
    [OPEN_EXISTING] = SETTINGS_MAPPED,
    [OPEN_OR_CREATE] = SETTINGS_MAPPED,
    /* A process that contacts a peer can read any part of a logbook within one transaction. Mapped
     * pages would stay in memory until the transaction ends. The write-ahead log is truncated after
     * its content has been moved into the database. */
    [OPEN_BRIEFLY] = SETTINGS_BOUNDED "-32768; PRAGMA journal_size_limit = 0",
    /* SQLite checks all cells of a page when it loads the page, because anybody may have created
     * the file (https://www.sqlite.org/security.html). If the file is mapped, SQLite loads the page
     * again for each row, so other openings leave this check to the check command. */
    [OPEN_READ_ONLY] = SETTINGS_MAPPED "; PRAGMA cell_size_check = ON",
    /* The cache is small, because qsosync-cluster runs one process per client. */
    [OPEN_TO_FOLLOW] = SETTINGS_BOUNDED "-32",
};

/* Opens the file with SQLite. OPEN_BRIEFLY keeps the write-ahead log and its index, because
 * otherwise each short process would create and remove these files. */
static int open_as(struct database *database)
{
    const enum opening opening = database->opening;
    int on = 1, flags = opening == OPEN_TO_FOLLOW ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (opening == OPEN_READ_ONLY)
        return read_only_open(database->path, &database->handle, &database->file);
    if (opening == OPEN_OR_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    int code = literal_path_open(database->path, flags, &database->handle);
    if (code == SQLITE_OK && opening == OPEN_BRIEFLY)
        code = sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
    return code;
}

static enum store_result open_file(struct database *database)
{
    char name[PATH_MAX];
    if (literal_path_is_blocked(database->path, name)) {
        log_line("%s is not a regular file", name);
        return STORE_BROKEN;
    }
    bool exists = access(database->path, F_OK) == 0;
    if (!exists && database->opening != OPEN_OR_CREATE && errno == ENOENT)
        return STORE_NONE;
    enum store_result result = database_result(database, open_as(database), "open it");
    if (result != STORE_DONE)
        return result;
    sqlite3_extended_result_codes(database->handle, 1);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_busy_timeout(database->handle, (int)database->write_wait_ms);
    write_ahead_log_watch(database);
    watch_statements(database->handle);
    THEN(result, database_execute(database, settings[database->opening]));
    struct stat status;
    if (result == STORE_DONE && stat(database->path, &status) != 0) {
        log_line("%s: cannot examine the logbook: %s", database->path, strerror(errno));
        return STORE_BROKEN;
    }
    if (result == STORE_DONE) {
        database->device = status.st_dev;
        database->inode = status.st_ino;
    }
    return result;
}

/* Prepares the schema and the writer lock. A file that is only read needs no lock, because nothing
 * waits for its readers. */
static enum store_result make_ready(struct database *database)
{
    if (database->opening == OPEN_TO_FOLLOW)
        return migrations_check(database);
    if (database->read_only)
        return migrations_run_on_copy(database);
    enum store_result result = migrations_run(database, database->opening == OPEN_OR_CREATE);
    if (result == STORE_DONE)
        transaction_make_certain(database);
    return result;
}

enum store_result database_open(const char *path, enum opening opening, struct database **out)
{
    /* These settings take effect only before SQLite is first used. Each of our programs uses SQLite
     * in only one thread, and does not need SQLite's memory statistics. A savepoint's small
     * rollback journal is kept in memory instead of in a file. */
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);

    struct database *database = memory_allocate(sizeof *database);
    *database = (struct database){
        .opening = opening,
        .read_only = opening == OPEN_READ_ONLY || opening == OPEN_TO_FOLLOW,
        .path = strcpy(memory_allocate(strlen(path) + 1), path),
        .write_wait_ms = WRITE_WAIT_DEFAULT_MS,
        .writer_lock.shared = SHARED_FILE_CLOSED,
    };
    enum store_result result = open_file(database);
    THEN(result, make_ready(database));
    if (result == STORE_DONE)
        *out = database;
    else
        database_close(database);
    return result;
}

void database_close(struct database *database)
{
    if (!database)
        return;
    /* Without this setting, closing the database would move the content of the write-ahead log into
     * the database (see checkpoint_run). */
    if (database->writer_lock.page && writer_lock_is_in_flight(&database->writer_lock))
        sqlite3_db_config(database->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(database->statements[i].handle);
    read_only_close(database->handle, &database->file);
    writer_lock_close(&database->writer_lock);
    free(database->path);
    free(database);
}
