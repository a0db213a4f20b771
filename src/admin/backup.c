/* The command backup: copies the logbook to one file, or to a folder of copies. In a folder the
 * oldest copies are deleted, or copies are thinned with age. Root acts as the owner of the folder.
 * src/recovery copies, records the last backup, and chooses the superfluous ones. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/shell.h"
#include "recovery/backup.h"
#include "recovery/backup_note.h"
#include "recovery/backups.h"
#include "recovery/check.h"
#include "recovery/kept_files.h"
#include "store/ageing.h"
#include "store/log/logbook.h"

/* -- Handing a backup on ----------------------------------------------------------------------- */

#define FOLDER "/etc/qsosync/backup.d"
#define VARIABLE "QSOSYNC_BACKUP_HOOKS"
#define NOT_DONE 124 /* as timeout(1) tells it */

/* timeout(1) ends it after an hour, with all that it has started. NULL: it has done its work. */
static const char *run(const char *program, const char *name, const char *path, struct arena *arena)
{
    const int status = system(arena_print(arena, "exec timeout -k 10 3600 %s %s < /dev/null",
                                          shell_quote(arena, program), shell_quote(arena, path)));
    if (status < 0)
        return arena_print(arena, "%s: %s", name, strerror(errno));
    if (WIFSIGNALED(status))
        return arena_print(arena, "%s: killed by signal %d", name, WTERMSIG(status));
    if (WEXITSTATUS(status) == NOT_DONE)
        return arena_print(arena, "%s: not finished after an hour", name);
    return WEXITSTATUS(status) == 0 ? NULL
                                    : arena_print(arena, "%s: exit %d", name, WEXITSTATUS(status));
}

/* Runs the programs in /etc/qsosync/backup.d (or the folder in QSOSYNC_BACKUP_HOOKS), sorted by
 * name, with the backup's path as their only argument. A program that runs longer than an hour is
 * killed. Names are as in run-parts(8): letters, digits, _ and -. Returns the number of programs.
 * *failure: in the arena, the failure of the first one that failed, as "10-rsync: exit 12"; NULL:
 * all succeeded. */
static int backup_hooks_run(const char *path, struct arena *arena, const char **failure)
{
    const char *named = getenv(VARIABLE);
    const char *folder = named && *named ? named : FOLDER;
    int programs = 0;
    *failure = NULL;
    for (const char **name = folder_list(folder, arena); *name; name++) {
        const char *program = arena_print(arena, "%s/%s", folder, *name);
        if (fnmatch("*[!A-Za-z0-9_-]*", *name, 0) == 0 || access(program, X_OK) != 0)
            continue;
        const char *fault = run(program, *name, path, arena);
        programs++;
        *failure = *failure ? *failure : fault;
    }
    return programs;
}

/* -- A folder of backups ----------------------------------------------------------------------- */

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
            "no backup was made, because the logbook has a problem: %s; run qsosync-admin check",
            problems.first);
    return result == STORE_DONE && problems.count == 0;
}

/* Whether two files hold the same bytes: copies of a logbook do if nothing was written between. */
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

/* Adds a backup, checked and synced to the disk, and returns its path, in the invocation's arena. A
 * backup equal to `last` (NULL: none) is not added; the path of `last` is returned. After a failure
 * no file is added. */
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

/* Deletes the backups that are marked; other files stay. */
static void delete_superfluous(const char *folder, const struct backup_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (files[i].is_superfluous && unlink(files[i].path) != 0) {
            command_fail("%s: cannot remove the oldest backups: %s", folder, strerror(errno));
            return;
        }
}

/* Whether the clock fits both the last write and the newest of the backups that were there. */
static bool fits_clock(struct invocation *invocation, int64_t newest_ms, int64_t now_ms)
{
    struct ageing ageing;
    return store_read_ageing(invocation->store, &ageing) == STORE_DONE &&
           !ageing_is_apart(&ageing, ageing.last_stamp_ms, now_ms) &&
           !ageing_is_apart(&ageing, newest_ms, now_ms);
}

/* Removes all but one for each of the spans. newest_ms: of the backups that were there, 0: of none.
 */
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

/* Removes all but the newest `keep` of them. */
static void keep_newest(struct invocation *invocation, const char *folder, int64_t keep)
{
    size_t count;
    struct backup_file *files = backups_list(folder, invocation->arena, &count);
    for (size_t i = 0; i + (size_t)keep < count; i++)
        files[i].is_superfluous = true;
    delete_superfluous(folder, files, count);
}

#define KEEP_MAX 9999
#define DAYS_OF_DAYS 31 /* for which a thinned folder has a backup of each day */

/* Notes the newest copy in the logbook's folder. */
static void note(struct invocation *invocation, struct backup_note *made)
{
    char *absolute = realpath(made->path.bytes, NULL);
    if (absolute)
        made->path = text_of(absolute);
    if (!backup_note_write(invocation->store, made))
        exit(EXIT_REFUSED);
    free(absolute);
}

/* Adds a backup as the owner of the folder, and removes superfluous ones (keep -1: nothing). */
static const char *add_and_thin(struct invocation *invocation, const char *folder, int64_t now_ms,
                                int64_t keep, const char **last)
{
    struct folder_ids before;
    const int lock = folder_act_as_owner(folder, &before)
                         ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                         : -1;
    /* Two at once would remove each other's unfinished files. */
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

/* Copies a new backup elsewhere, or one whose copy failed before; *made records the outcome. */
static void hand_on(struct invocation *invocation, const char *path, bool is_new,
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
        command_fail("the backup is complete: %s; but it was not copied elsewhere: %s", path,
                     failure);
    else
        made->handed_at_ms = programs > 0 ? made->made_at_ms : 0;
}

/* Old logbooks are kept as many days as daily backups; 0: all of them. */
static void remove_kept(struct invocation *invocation, int64_t now_ms, int64_t days)
{
    struct ageing ageing;
    if (days > 0 && store_read_ageing(invocation->store, &ageing) == STORE_DONE &&
        ageing_is_believed(&ageing, now_ms))
        kept_files_remove(invocation->database, now_ms - days * DATETIME_DAY_MS, invocation->arena);
}

/* keep -1: all backups are kept. Thinned (0): one is made every ten minutes. The activity log does
 * not record these; otherwise each backup would differ from the previous one by that record. */
static void back_up_to_folder(struct invocation *invocation, const char *folder, int64_t keep)
{
    int64_t now_ms = clock_wall_ms();
    const int64_t days = keep == 0 ? DAYS_OF_DAYS : keep > 0 ? keep : 0;
    const char *last, *path = add_and_thin(invocation, folder, now_ms, keep, &last);
    struct backup_note made = {.made_at_ms = now_ms, .path = text_of(path), .keep = days};
    hand_on(invocation, path, path != last, &made);
    if (keep != 0)
        note_act(invocation, "backup", (struct text){0}, path, NULL);
    note(invocation, &made);
    if (command_finish() != EXIT_DONE)
        return;
    remove_kept(invocation, now_ms, days);
    command_report(path == last ? "nothing has changed since %s"
                                : "the backup is complete and has no problems: %s",
                   path);
}

void run_backup(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *folder = command_option(invocation, "to");
    const bool thins = command_has_option(invocation, "thin");
    const bool keeps = command_has_option(invocation, "keep");
    if (!file == !folder)
        command_misuse("backup takes either FILE or --to DIR");
    if ((keeps || thins) && !folder)
        command_misuse("option --%s needs --to DIR", keeps ? "keep" : "thin");
    if (thins && keeps)
        command_misuse("backup takes either --keep N or --thin");
    const int64_t keep = command_read_number(invocation, "keep", KEEP_MAX, thins ? 0 : -1);
    if (folder) {
        back_up_to_folder(invocation, folder, keep);
        return;
    }
    struct backup_note made = {.made_at_ms = clock_wall_ms(), .path = text_of(file)};
    command_expect(store_back_up(invocation->store, file), STORE_CONFLICT,
                   "%s already exists; a backup never overwrites a file", file);
    note_act(invocation, "backup", (struct text){0}, file, NULL);
    note(invocation, &made);
    command_report("the backup is complete: %s", file);
}
