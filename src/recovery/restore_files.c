/* Replaces the logbook's files with the candidate if the logbook is missing, unreadable, or too
 * damaged to be written to. */
#include "recovery/restore_steps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/log.h"
#include "database/copy.h"
#include "database/database.h"
#include "store/log/logbook.h"
#include "store/store.h"

/* Returns is_done. If is_done is false, logs the failure. */
static bool log_failure(bool is_done, const char *path, const char *what)
{
    if (!is_done)
        log_line("%s: cannot %s: %s", path, what, strerror(errno));
    return is_done;
}

static bool rename_file(const char *path, const char *to)
{
    return log_failure(rename(path, to) == 0 || errno == ENOENT, path, "rename it");
}

/* Renames the old files that exist; the write-ahead log can exist without the logbook. The
 * write-ahead log is renamed first, and all renames are synced to the disk before another logbook
 * gets the name. Otherwise SQLite would apply the old log to the new logbook. */
static bool move_aside(struct restore *restore)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal", ""};
    struct stat status;
    char *kept = copy_name_kept(restore->path, restore->arena);
    for (size_t i = 0; kept && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!rename_file(arena_print(restore->arena, "%s%s", restore->path, suffixes[i]),
                         arena_print(restore->arena, "%s%s", kept, suffixes[i])))
            return false;
    if (kept && lstat(kept, &status) == 0)
        restore->out->kept = kept;
    return kept && log_failure(folder_sync(restore->path), restore->path, "sync its folder");
}

/* Turns the candidate into a single file on the disk, with the permissions of the old logbook. */
static bool finish_candidate(struct restore *restore)
{
    struct stat status;
    int code = sqlite3_exec(restore->candidate.store->database->handle,
                            "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    store_close(restore->candidate.store);
    restore->candidate.store = NULL;
    if (code != SQLITE_OK)
        log_line("%s: cannot finish the copy of the backup: %s", restore->candidate.path,
                 sqlite3_errstr(code));
    else if (stat(restore->path, &status) == 0)
        chmod(restore->candidate.path, status.st_mode & 0777);
    return code == SQLITE_OK && log_failure(folder_sync_file(restore->candidate.path),
                                            restore->candidate.path, "sync it");
}

enum store_result restore_files(struct restore *restore, enum logbook_state state)
{
    struct writer_lock lock;
    if (!writer_lock_open(&lock, restore->path)) {
        log_line("%s-gate: cannot open the writer lock: %s", restore->path, strerror(errno));
        return STORE_BROKEN;
    }
    enum store_result result = STORE_BROKEN;
    if (!writer_lock_enter(&lock, restore->candidate.store->database->write_wait_ms))
        log_line("%s-gate: cannot take the writer lock: %s", restore->path, strerror(errno));
    else if (logbook_state_examine(restore->path) != state)
        log_line("%s: another program created a logbook there; nothing was restored",
                 restore->path);
    else if (finish_candidate(restore) && move_aside(restore) &&
             rename_file(restore->candidate.path, restore->path) &&
             log_failure(folder_sync(restore->path), restore->path, "sync its folder"))
        result = STORE_DONE;
    writer_lock_close(&lock);
    return result;
}
