/* Adds a backup to a folder, and removes superfluous backups: the oldest backups, or the backups
 * that thinning by age does not keep. Root acts as the owner of the folder. src/recovery writes the
 * copies, and decides which backups thinning removes. */
#include "admin/backup_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "admin/activity.h"
#include "admin/backup_hooks.h"
#include "admin/backup_record.h"
#include "admin/command.h"
#include "admin/output.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "recovery/backup.h"
#include "recovery/backup_note.h"
#include "recovery/backups.h"
#include "recovery/check.h"
#include "recovery/kept_files.h"
#include "store/ageing.h"
#include "store/log/logbook.h"

static bool is_whole(const char *path)
{
    struct store *copy;
    struct check_result problems;
    if (store_open(path, OPEN_READ_ONLY, &copy) != STORE_DONE)
        return false;
    enum store_result result = store_check(copy, NULL, NULL, &problems);
    store_close(copy);
    if (problems.count)
        command_fail(
            "the logbook has a problem (%s), so no backup was made; run qsosync-admin check",
            problems.first);
    return result == STORE_DONE && problems.count == 0;
}

/* Returns whether two files contain the same bytes. Two copies of a logbook are identical if the
 * logbook did not change between them. */
static bool are_same(const char *one, const char *other)
{
    static char bytes[2][65536];
    FILE *files[] = {fopen(one, "rb"), fopen(other, "rb")};
    bool same = files[0] && files[1];
    for (size_t length = 1; same && length > 0;) {
        length = fread(bytes[0], 1, sizeof bytes[0], files[0]);
        same = fread(bytes[1], 1, sizeof bytes[1], files[1]) == length &&
               memcmp(bytes[0], bytes[1], length) == 0 && !ferror(files[0]) && !ferror(files[1]);
    }
    for (int i = 0; i < 2; i++)
        if (files[i])
            fclose(files[i]);
    return same;
}

/* Adds a backup after a check, syncs it to the disk, and returns its path, which is in the
 * invocation's arena. If the backup equals `last` (NULL: no earlier backup), adds no file and
 * returns `last`. Ends the program after a failure. */
static const char *add_backup(struct invocation *invocation, const char *folder, int64_t now_ms,
                              const char *last)
{
    struct arena *arena = invocation->arena;
    const char *path = backups_name(arena, folder, now_ms);
    const char *unfinished = arena_print(arena, "%s" BACKUPS_UNFINISHED, path);
    backups_remove_unfinished(folder, arena);
    if (access(path, F_OK) == 0)
        command_refuse("%s already exists", path);
    command_require_done(store_back_up(invocation->store, unfinished));
    const bool equals = last && are_same(unfinished, last);
    if (!equals && is_whole(unfinished)) {
        if (rename(unfinished, path) == 0 && folder_sync(path))
            return path;
        command_fail("%s: %s", path, strerror(errno));
    }
    unlink(unfinished);
    if (!equals)
        exit(EXIT_REFUSED);
    return last;
}

static void delete_superfluous(const char *folder, const struct backup_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (files[i].is_superfluous && unlink(files[i].path) != 0) {
            command_fail("%s: cannot remove superfluous backups: %s", folder, strerror(errno));
            return;
        }
}

/* Returns whether the clock agrees with both the last write and the newest earlier backup. */
static bool fits_clock(struct invocation *invocation, int64_t newest_ms, int64_t now_ms)
{
    struct ageing ageing;
    return store_read_ageing(invocation->store, &ageing) == STORE_DONE &&
           !ageing_is_apart(&ageing, ageing.last_stamp_ms, now_ms) &&
           !ageing_is_apart(&ageing, newest_ms, now_ms);
}

/* Thins the backups by age. newest_ms is the stamp of the last write in the newest earlier backup,
 * or 0 if there is no earlier backup. */
static void thin(struct invocation *invocation, const char *folder, int64_t newest_ms,
                 int64_t now_ms)
{
    size_t count, superfluous = 0;
    struct backup_file *files = backups_list(folder, invocation->arena, &count);
    backups_mark_superfluous(files, count, now_ms);
    for (size_t i = 0; i < count; i++)
        superfluous += files[i].is_superfluous;
    if (superfluous > 0 && !fits_clock(invocation, newest_ms, now_ms))
        command_warn("no backup was removed from %s: the clock differs from the newest write by "
                     "more than a day; run qsosync-admin doctor",
                     folder);
    else
        delete_superfluous(folder, files, count);
}

/* Removes all backups except the newest `keep` backups. */
static void keep_newest(struct invocation *invocation, const char *folder, int64_t keep)
{
    size_t count;
    struct backup_file *files = backups_list(folder, invocation->arena, &count);
    for (size_t i = 0; i + (size_t)keep < count; i++)
        files[i].is_superfluous = true;
    delete_superfluous(folder, files, count);
}

/* number of days recorded for a thinned folder, which keeps daily backups for this time */
#define DAYS_OF_DAYS 31

/* Adds a backup as the owner of the folder, removes superfluous backups (keep -1: none), and
 * returns the backup's path. When thinning (keep 0), *last becomes the path of the previous backup
 * (NULL: none), which is returned if nothing has changed since. */
static const char *add_and_thin(struct invocation *invocation, const char *folder, int64_t now_ms,
                                int64_t keep, const char **last)
{
    struct folder_ids before;
    const int lock = folder_act_as_owner(folder, &before)
                         ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                         : -1;
    /* Two simultaneous commands would remove each other's unfinished files. */
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (lock >= 0 && errno == EWOULDBLOCK)
            command_refuse("another backup into %s is running", folder);
        command_refuse("%s: %s", folder, strerror(errno));
    }
    size_t count;
    const struct backup_file *files = backups_list(folder, invocation->arena, &count);
    const struct backup_file *newest = backups_find_newest(files, count);
    *last = keep == 0 && count > 0 ? files[count - 1].path : NULL;
    const char *path = add_backup(invocation, folder, now_ms, *last);
    if (keep == 0)
        thin(invocation, folder, newest ? newest->stamp_ms : 0, now_ms);
    else if (keep > 0)
        keep_newest(invocation, folder, keep);
    close(lock);
    folder_act_as(before);
    return path;
}

/* Copies a backup elsewhere if the backup is new, or if the previous attempt failed. Stores the
 * outcome in *made. */
static void copy_elsewhere(struct invocation *invocation, const char *path, bool is_new,
                           struct backup_note *made)
{
    struct backup_note before = {0};
    const char *failure = NULL;
    backup_note_read(invocation->database, invocation->arena, &before);
    made->handed_at_ms = before.handed_at_ms;
    if (!is_new && before.failure.length == 0)
        return;
    int programs = backup_hooks_run(path, invocation->arena, &failure);
    made->failure = text_of(failure);
    if (failure)
        command_fail("the backup %s is complete, but was not copied elsewhere: %s", path, failure);
    else
        made->handed_at_ms = programs > 0 ? made->made_at_ms : 0;
}

/* Removes the previous logbooks that restores kept more than `days` days ago (0: never), unless the
 * clock cannot be trusted. */
static void remove_kept(struct invocation *invocation, int64_t now_ms, int64_t days)
{
    struct ageing ageing;
    if (days > 0 && store_read_ageing(invocation->store, &ageing) == STORE_DONE &&
        ageing_is_believed(&ageing, now_ms))
        kept_files_remove(invocation->database, now_ms - days * DATETIME_DAY_MS, invocation->arena);
}

/* Adds a backup. Backups in a thinned folder, which the shipped timer makes every ten minutes, are
 * not recorded in the activity log. Each record would make the next backup differ. */
void backup_folder_add(struct invocation *invocation, const char *folder, int64_t keep)
{
    int64_t now_ms = clock_wall_ms();
    const int64_t days = keep == 0 ? DAYS_OF_DAYS : keep > 0 ? keep : 0;
    const char *last, *path = add_and_thin(invocation, folder, now_ms, keep, &last);
    struct backup_note made = {.made_at_ms = now_ms, .path = text_of(path), .keep = days};
    copy_elsewhere(invocation, path, path != last, &made);
    if (keep != 0)
        activity_note(invocation, "backup", (struct text){0}, path, NULL);
    backup_record(invocation, &made);
    if (command_finish() != EXIT_DONE)
        return;
    remove_kept(invocation, now_ms, days);
    output_report(path == last ? "nothing has changed since %s"
                               : "the backup is complete and has no problems: %s",
                  path);
}
