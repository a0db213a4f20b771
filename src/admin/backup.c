/* The command backup: a copy of the logbook, as one file or in a folder of copies from which the
 * oldest are deleted. Root acts as the owner of the folder. Copying, and the note of the last
 * backup, is left to src/recovery. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/note_act.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "recovery/backup.h"
#include "recovery/check.h"
#include "store/logbook.h"

/* A folder of backups: names with their time, finding the oldest, removing them. A backup gets its
 * name only when it is whole: until then it has another one, by which the next run finds and
 * removes what an interrupted run has left. */

#define PATTERN "qsosync-0000-00-00T000000Z.db" /* each 0 is a digit */
#define UNFINISHED ".unfinished"

static bool fits(const char *name)
{
    const char *pattern = PATTERN;
    for (; *pattern; pattern++, name++)
        if (*pattern == '0' ? !isdigit((unsigned char)*name) : *pattern != *name)
            return false;
    return true;
}

static bool is_backup(const char *name)
{
    return fits(name) && strlen(name) == strlen(PATTERN);
}

/* The file itself, or one that SQLite made beside it. */
static bool is_unfinished(const char *name)
{
    return fits(name) && strncmp(name + strlen(PATTERN), UNFINISHED, strlen(UNFINISHED)) == 0;
}

static const char *name_backup(struct arena *arena, const char *folder, int64_t now_ms)
{
    char t[DATETIME_TEXT_LENGTH];
    datetime_format(now_ms, t); /* 2026-11-21T03:00:00.000Z */
    return arena_print(arena, "%s/qsosync-%.13s%.2s%.2sZ.db", folder, t, t + 14, t + 17);
}

/* Two at once would remove each other's unfinished files. The lock ends with the process. */
static bool lock_folder(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (descriptor >= 0 && errno == EWOULDBLOCK)
        command_refuse("another backup into %s is running", folder);
    else
        command_refuse("%s: %s", folder, strerror(errno));
    return false;
}

static void remove_unfinished(struct arena *arena, const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (is_unfinished(entry->d_name))
            unlink(arena_print(arena, "%s/%s", folder, entry->d_name));
    if (directory)
        closedir(directory);
}

static void log_first(void *context, const char *problem)
{
    bool *said = context;
    if (!*said)
        command_refuse("the logbook has a problem, and no backup was made: %s; see qsosync-admin "
                       "check",
                       problem);
    *said = true;
}

static bool is_whole(const char *path)
{
    struct store *copy;
    int64_t problems = 1;
    bool said = false;
    if (store_open(path, OPEN_READ_ONLY, &copy) != STORE_DONE)
        return false;
    enum store_result result = store_check(copy, log_first, &said, &problems);
    store_close(copy);
    return result == STORE_DONE && problems == 0;
}

/* Adds a backup, which was checked and is on the disk when this returns its path, in the
 * invocation's arena. Otherwise NULL, after a line on standard error, and no file is added. */
static const char *backup_folder_add(struct invocation *invocation, const char *folder,
                                     int64_t now_ms)
{
    const char *path = name_backup(invocation->arena, folder, now_ms);
    const char *unfinished = arena_print(invocation->arena, "%s" UNFINISHED, path);
    if (!lock_folder(folder))
        return NULL;
    remove_unfinished(invocation->arena, folder);
    if (access(path, F_OK) == 0) {
        command_refuse("%s exists already", path);
        return NULL;
    }
    if (store_back_up(invocation->store, unfinished) != STORE_DONE)
        return NULL;
    if (!is_whole(unfinished)) {
        unlink(unfinished);
        return NULL;
    }
    if (rename(unfinished, path) != 0 || !folder_sync(path)) {
        command_refuse("%s: %s", path, strerror(errno));
        unlink(unfinished);
        return NULL;
    }
    return path;
}

static int choose_backups(const struct dirent *entry)
{
    return is_backup(entry->d_name);
}

/* Deletes the oldest backups until `keep` are left; other files stay. False after a line on
 * standard error. */
static bool backup_folder_thin(struct invocation *invocation, const char *folder, int64_t keep)
{
    struct dirent **names;
    int count = scandir(folder, &names, choose_backups, alphasort);
    bool removed = count >= 0;
    for (int i = 0; i < count; i++) {
        const char *path = arena_print(invocation->arena, "%s/%s", folder, names[i]->d_name);
        if (i < count - keep && removed)
            removed = unlink(path) == 0;
        free(names[i]);
    }
    if (!removed)
        command_refuse("%s: cannot remove the oldest backups: %s", folder, strerror(errno));
    if (count >= 0)
        free(names);
    return removed;
}

#define KEEP_MAX 9999

static int note(struct invocation *invocation, int64_t made_at_ms, const char *path, int64_t keep)
{
    char *absolute = realpath(path, NULL);
    struct backup_note made = {
        .made_at_ms = made_at_ms, .path = text_of(absolute ? absolute : path), .keep = keep};
    const bool noted = store_note_backup(invocation->store, &made);
    free(absolute);
    const int status = note_act(invocation, "backup", (struct text){0}, path, NULL);
    return noted ? status : EXIT_REFUSED;
}

static int back_up_to_file(struct invocation *invocation, const char *path)
{
    int64_t now_ms = clock_wall_ms();
    enum store_result result = store_back_up(invocation->store, path);
    if (result == STORE_CONFLICT)
        return command_refuse("%s exists already; a backup never overwrites a file", path);
    if (result != STORE_DONE)
        return EXIT_REFUSED;
    int noted = note(invocation, now_ms, path, 0);
    int said = command_say("the copy is complete: %s", path);
    return said == EXIT_DONE ? noted : said;
}

static int back_up_to_folder(struct invocation *invocation, const char *folder, int64_t keep)
{
    int64_t now_ms = clock_wall_ms();
    struct folder_ids before;
    if (!folder_act_as_owner(folder, &before))
        return command_refuse("%s: %s", folder, strerror(errno));
    const char *path = backup_folder_add(invocation, folder, now_ms);
    bool thinned = path && (keep == 0 || backup_folder_thin(invocation, folder, keep));
    folder_act_as(before);
    int noted = path ? note(invocation, now_ms, path, keep) : EXIT_DONE;
    if (!thinned)
        return EXIT_REFUSED;
    if (keep > 0) /* former logbooks as many days as backups of a day each */
        backup_remove_kept(invocation->database, now_ms - keep * DATETIME_DAY_MS,
                           invocation->arena);
    int said = command_say("the copy is complete and has no problems: %s", path);
    return said == EXIT_DONE ? noted : said;
}

static int backup(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *folder = command_option(invocation, "to");
    const char *wanted_keep = command_option(invocation, "keep");
    int64_t keep = 0;
    if (!file == !folder)
        return command_misuse("backup takes either FILE or --to DIR");
    if (wanted_keep && !folder)
        return command_misuse("option --keep needs --to DIR");
    if (wanted_keep && !text_parse_integer(text_of(wanted_keep), 1, KEEP_MAX, &keep))
        return command_misuse("option --keep takes an integer from 1 to %d", KEEP_MAX);
    return file ? back_up_to_file(invocation, file) : back_up_to_folder(invocation, folder, keep);
}

const struct command backup_commands[] = {
    {.words = "backup",
     .usage = "FILE | --to DIR [--keep N]",
     .summary = "copy the logbook while the service goes on",
     .run = backup},
    {0},
};
