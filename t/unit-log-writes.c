/* The writes of a commit into the write-ahead log, counted and refused below SQLite. */
#include "database/log_writes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ROWS 60

/* SQLite's own VFS, but that writes into a log are counted, and fail when a test says so. */
static sqlite3_vfs counting, *system_vfs;
static sqlite3_io_methods counting_methods;
static const sqlite3_io_methods *system_methods;
static int writes, fails_after;

static char folder[] = "/tmp/unit-log-writes-XXXXXX";
static char path[64];

static int count_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 at)
{
    if (fails_after && writes >= fails_after)
        return SQLITE_FULL;
    writes++;
    return system_methods->xWrite(file, bytes, length, at);
}

static int open_counted(sqlite3_vfs *own, const char *name, sqlite3_file *file, int flags, int *out)
{
    (void)own;
    int code = system_vfs->xOpen(system_vfs, name, file, flags, out);
    if (code == SQLITE_OK && flags & SQLITE_OPEN_WAL) {
        system_methods = file->pMethods;
        counting_methods = *file->pMethods;
        counting_methods.xWrite = count_write;
        file->pMethods = &counting_methods;
    }
    return code;
}

static sqlite3 *open_with(const char *vfs)
{
    sqlite3 *handle;
    assert_int_equal(
        sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs), SQLITE_OK);
    return handle;
}

static void run(sqlite3 *handle, const char *sql)
{
    assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
}

/* Each row has a page of its own. */
static void insert_rows(sqlite3 *handle, const char *name)
{
    char sql[240];
    snprintf(
        sql, sizeof sql,
        "BEGIN IMMEDIATE; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
        "i < %d) INSERT INTO rows SELECT '%s', zeroblob(3000) FROM n",
        ROWS, name);
    run(handle, sql);
}

static int commit(sqlite3 *handle)
{
    log_writes_begin(handle);
    int code = sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
    log_writes_end(handle);
    return code;
}

static int count_rows(sqlite3 *handle, const char *name)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(handle, "SELECT count(*) FROM rows WHERE name = ?", -1,
                                        &statement, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return count;
}

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/logbook.db", folder);
    system_vfs = sqlite3_vfs_find(NULL);
    counting = *system_vfs;
    counting.zName = "counting";
    counting.xOpen = open_counted;
    return sqlite3_vfs_register(&counting, 1) != SQLITE_OK || !log_writes_vfs();
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static int make_database(void **state)
{
    fails_after = 0;
    *state = open_with(log_writes_vfs());
    run(*state, "PRAGMA journal_mode = WAL; CREATE TABLE rows (name, content)");
    return 0;
}

static int remove_database(void **state)
{
    fails_after = 0;
    sqlite3_close(*state);
    return unlink(path);
}

static void writes_a_commit_in_few_pieces(void **state)
{
    sqlite3 *plain = open_with("counting");
    insert_rows(*state, "gathered");
    writes = 0;
    assert_int_equal(commit(*state), SQLITE_OK);
    assert_in_range(writes, 1, ROWS / 4);
    assert_int_equal(count_rows(plain, "gathered"), ROWS);
    insert_rows(*state, "not");
    writes = 0;
    run(*state, "COMMIT");
    assert_true(writes > ROWS);
    sqlite3_close(plain);
}

/* The others read in the file what the index names. */
static void writes_all_where_nothing_is_synced(void **state)
{
    sqlite3 *plain = open_with("counting");
    run(*state, "PRAGMA synchronous = OFF");
    insert_rows(*state, "unsynced");
    log_writes_begin(*state);
    run(*state, "COMMIT");
    assert_int_equal(count_rows(plain, "unsynced"), ROWS);
    log_writes_end(*state);
    sqlite3_close(plain);
}

/* Wherever the disk is full, and whoever writes in the place of what was refused. */
static void forgets_what_a_failed_commit_has_left(void **state)
{
    sqlite3 *plain = open_with("counting");
    for (int last = 1; last <= 4; last++) {
        char name[32];
        insert_rows(*state, "refused");
        writes = 0;
        fails_after = last;
        assert_int_not_equal(commit(*state), SQLITE_OK);
        fails_after = 0;
        sqlite3_exec(*state, "ROLLBACK", NULL, NULL, NULL);
        snprintf(name, sizeof name, "other %d", last);
        insert_rows(plain, name);
        run(plain, "COMMIT");
        insert_rows(*state, name);
        assert_int_equal(commit(*state), SQLITE_OK);
        assert_int_equal(count_rows(plain, name), 2 * ROWS);
    }
    assert_int_equal(count_rows(*state, "refused"), 0);
    sqlite3_close(plain);
}

static void reads_its_own_writes(void **state)
{
    insert_rows(*state, "large");
    run(*state, "PRAGMA cache_size = 5; UPDATE rows SET content = zeroblob(2900)");
    assert_int_equal(commit(*state), SQLITE_OK);
    run(*state, "PRAGMA wal_checkpoint(TRUNCATE)");
    insert_rows(*state, "large");
    assert_int_equal(commit(*state), SQLITE_OK);
    sqlite3 *plain = open_with("counting");
    assert_int_equal(count_rows(plain, "large"), 2 * ROWS);
    sqlite3_close(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_database, remove_database)
        TEST(writes_a_commit_in_few_pieces),
        TEST(writes_all_where_nothing_is_synced),
        TEST(forgets_what_a_failed_commit_has_left),
        TEST(reads_its_own_writes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
