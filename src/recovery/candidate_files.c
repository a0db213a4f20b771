/* Reserves a name for a candidate with a lock file, and removes the files of abandoned candidates.
 * When a restore is killed, its lock is freed, so the next restore can recognise the abandoned
 * files. */
#include "recovery/candidate_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"
#include "database/copy.h"
#include "database/writer_lock.h"

/* part of the name between the logbook's path and a process number */
#define NAME_MIDDLE "-restore-"
#define LOCK_SUFFIX WRITER_LOCK_SUFFIX
#define KEPT_SUFFIX "-kept"
#define LOCK_TRIES 100
#define LOCK_BYTE 1 /* offset of the locked byte; byte 0 belongs to the writer's lock */

typedef bool lock_taker(const struct shared_file *shared, off_t byte);

static bool lock_once(const char *path, lock_taker *take, struct shared_file *lock)
{
    if (!shared_file_open(lock, path, LOCK_SUFFIX))
        return false;
    if (take(lock, LOCK_BYTE) && shared_file_is_named(lock, path, LOCK_SUFFIX))
        return true;
    shared_file_close(lock);
    return false;
}

/* Removes the unfinished copy of the old logbook first, and the lock file last. The next restore
 * recognises abandoned files by the name of the copy or of its lock file. */
void candidate_files_remove(const char *path)
{
    char beside[PATH_MAX];
    if (format_whole(beside, sizeof beside, "%s" KEPT_SUFFIX, path))
        copy_remove(beside);
    copy_remove(path);
    if (format_whole(beside, sizeof beside, "%s" LOCK_SUFFIX, path))
        unlink(beside);
}

/* Reserves a path. Before the new lock file is locked, another restore can mistake the file for an
 * abandoned file, and remove it. That restore holds the lock meanwhile, so this function waits for
 * the lock, and then tries again. */
const char *candidate_files_reserve(const char *logbook, struct arena *arena,
                                    struct shared_file *lock)
{
    const char *path = arena_print(arena, "%s" NAME_MIDDLE "%ld", logbook, (long)getpid());
    for (int i = 0; i < LOCK_TRIES; i++)
        if (lock_once(path, shared_file_wait_lock, lock))
            return path;
    log_line("%s" LOCK_SUFFIX ": cannot create the file: %s", path, strerror(errno));
    return NULL;
}

/* Removes abandoned copies: files whose names consist of the logbook's name, NAME_MIDDLE and a
 * number. Also considers their lock files, which can remain without a copy. Holds a copy's lock
 * during the removal, because a process with this number could be about to create a copy. */
void candidate_files_remove_abandoned(const char *logbook, struct arena *arena)
{
    const char *prefix = arena_print(arena, "%s" NAME_MIDDLE, logbook);
    const char *folder = folder_of(logbook, arena);
    for (const char **name = folder_list(folder, arena); *name; name++) {
        struct shared_file lock;
        char *path = arena_print(arena, "%s%s", strchr(logbook, '/') ? folder : "", *name);
        if (strncmp(path, prefix, strlen(prefix)) != 0)
            continue;
        char *number = path + strlen(prefix), *end = number + strspn(number, "0123456789");
        if (end == number || (*end && strcmp(end, LOCK_SUFFIX) != 0))
            continue;
        *end = '\0';
        if (lock_once(path, shared_file_try_lock, &lock))
            candidate_files_remove(path);
        shared_file_close(&lock);
    }
}

const char *candidate_files_name_kept(const char *path, struct arena *arena)
{
    return arena_print(arena, "%s" KEPT_SUFFIX, path);
}
