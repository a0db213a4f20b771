/* Copies a whole database with SQLite's online backup while other programs use the database. A copy
 * that is reported as complete is on the disk; a failed copy is removed. src/recovery checks
 * whether a copy is intact. The permissions of the copy's folder decide who may read the copy. */
#include "database/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"
#include "base/progress.h"
#include "database/database.h"
#include "database/literal_path.h"

#define PAGES_PER_STEP 1000

/* Copies the pages in steps, so that progress can be shown. */
static int copy_pages(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return sqlite3_errcode(to);
    progress_begin("copying");
    while (sqlite3_backup_step(backup, PAGES_PER_STEP) == SQLITE_OK)
        progress_step(sqlite3_backup_pagecount(backup) - sqlite3_backup_remaining(backup),
                      sqlite3_backup_pagecount(backup));
    return sqlite3_backup_finish(backup);
}

int copy_database(sqlite3 *from, sqlite3 *to)
{
    /* Our own read transaction keeps the same snapshot from one step to the next. */
    int code = sqlite3_exec(from, "BEGIN; SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = copy_pages(from, to);
    if (!sqlite3_get_autocommit(from))
        sqlite3_exec(from, "COMMIT", NULL, NULL, NULL);
    return code;
}

static enum store_result write_file(sqlite3 *from, const char *path)
{
    sqlite3 *copy = NULL;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (file < 0 && errno == EEXIST)
        return STORE_CONFLICT;
    if (file < 0) {
        log_line("%s: cannot create the file: %s", path, strerror(errno));
        return STORE_BROKEN;
    }
    close(file);
    int code = literal_path_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, &copy);
    if (code == SQLITE_OK)
        code = copy_database(from, copy);
    /* Without a write-ahead log, the copy is one complete file. */
    if (code == SQLITE_OK)
        code = sqlite3_exec(copy, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        log_line("%s: cannot write the copy: %s", path, copy ? sqlite3_errmsg(copy) : "");
    sqlite3_close(copy);
    bool synced = code == SQLITE_OK && folder_sync(path);
    if (synced)
        return STORE_DONE;
    if (code == SQLITE_OK)
        log_line("%s: cannot sync its folder: %s", path, strerror(errno));
    copy_remove(path);
    return STORE_BROKEN;
}

enum store_result copy_to_file(sqlite3 *from, const char *path)
{
    struct folder_ids before;
    if (!folder_act_as_owner(path, &before)) {
        log_line("%s: cannot create the file: %s", path, strerror(errno));
        return STORE_BROKEN;
    }
    enum store_result result = write_file(from, path);
    folder_act_as(before);
    return result;
}

/* Returns the first unused name. If several copies are kept within one second, all names after the
 * first are numbered. Returns NULL if COPY_KEPT_MAX names are used. */
char *copy_name_kept(const char *logbook, struct arena *arena)
{
    const long long second = clock_wall_ms() / 1000;
    struct stat status;
    for (int i = 1; i <= COPY_KEPT_MAX; i++) {
        char *kept = arena_print(arena, "%s" COPY_KEPT_SUFFIX "%lld", logbook, second);
        if (i > 1)
            kept = arena_print(arena, "%s-%d", kept, i);
        if (lstat(kept, &status) != 0)
            return kept;
    }
    log_line("%s: cannot keep a copy of the logbook: too many copies exist", logbook);
    return NULL;
}

static bool rename_whole(const char *unfinished, const char *kept)
{
    struct folder_ids before;
    bool renamed =
        folder_act_as_owner(kept, &before) && rename(unfinished, kept) == 0 && folder_sync(kept);
    int error = errno;
    folder_act_as(before);
    if (!renamed)
        log_line("%s: cannot keep a copy of the logbook: %s", kept, strerror(error));
    return renamed;
}

/* Copies the logbook through a separate connection, which sees only committed data. */
enum store_result copy_keep(const char *logbook, const char *unfinished, struct arena *arena,
                            char **out)
{
    sqlite3 *source = NULL;
    char *kept = copy_name_kept(logbook, arena);
    if (!kept)
        return STORE_BROKEN;
    int code = literal_path_open(logbook, SQLITE_OPEN_READWRITE, &source);
    if (code != SQLITE_OK)
        log_line("%s: cannot keep a copy of the logbook: %s", logbook, sqlite3_errstr(code));
    const bool is_kept = code == SQLITE_OK && copy_to_file(source, unfinished) == STORE_DONE &&
                         rename_whole(unfinished, kept);
    sqlite3_close(source);
    if (is_kept)
        *out = kept;
    return is_kept ? STORE_DONE : STORE_BROKEN;
}

/* Removes all files of a copy. On a full disk, SQLite can leave a journal without its database.
 * SQLite would apply that journal to a later database with the same name, and undo changes in that
 * database. */
void copy_remove(const char *path)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal", ""};
    char name[PATH_MAX];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (format_whole(name, sizeof name, "%s%s", path, suffixes[i]))
            unlink(name);
}
