/* A folder of backups: names with their time, finding the oldest, removing them. A backup gets its
 * name only when it is whole: until then it has another one, by which the next run finds and
 * removes what an interrupted run has left. */
#include "admin/backup_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "recovery/backup.h"
#include "recovery/check.h"
#include "store/logbook.h"

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

const char *backup_folder_add(struct invocation *invocation, const char *folder, int64_t now_ms)
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

bool backup_folder_thin(struct invocation *invocation, const char *folder, int64_t keep)
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
