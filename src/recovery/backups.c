/* Lists a folder of backups, and marks superfluous backups. A backup's name contains the clock's
 * time at its creation, which can be wrong. Only a backup's content shows how recent the backup is.
 * The backup command creates and removes backups. */
#include "recovery/backups.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/folder.h"
#include "base/format.h"
#include "base/text.h"
#include "database/database.h"
#include "database/read_only.h"
#include "recovery/backup.h"

#define DIGITS "[0-9][0-9]"
#define DAY DIGITS DIGITS "-" DIGITS "-" DIGITS
#define PATTERN "qsosync-" DAY "T" DIGITS DIGITS DIGITS "Z.db"
#define TIME_AT 8 /* offset of the time in the name */

const char *backups_name(struct arena *arena, const char *folder, int64_t now_ms)
{
    char t[DATETIME_TEXT_LENGTH];
    datetime_format(now_ms, t); /* 2026-11-21T03:00:00.000Z */
    return arena_print(arena, "%s/qsosync-%.13s%.2s%.2sZ.db", folder, t, t + 14, t + 17);
}

/* Returns the time in a backup's name, or 0 if that time is invalid. */
static int64_t time_of(const char *name)
{
    char text[DATETIME_TEXT_LENGTH + 1];
    int64_t ms = 0;
    const char *time = name + TIME_AT;
    format_cut(text, sizeof text, "%.13s:%.2s:%.2sZ", time, time + 13, time + 15);
    return datetime_parse(text_of(text), &ms) ? ms : 0;
}

/* Returns the sorted names in the folder that match the pattern. */
static const char **list_names(const char *folder, struct arena *arena, const char *pattern)
{
    const char **names = folder_list(folder, arena), **end = names;
    for (const char **name = names; *name; name++)
        if (fnmatch(pattern, *name, 0) == 0)
            *end++ = *name;
    *end = NULL;
    return names;
}

void backups_remove_unfinished(const char *folder, struct arena *arena)
{
    for (const char **name = list_names(folder, arena, PATTERN BACKUPS_UNFINISHED "*"); *name;
         name++)
        unlink(arena_print(arena, "%s/%s", folder, *name));
}

static int take_stamp(void *stamp_ms, int count, char **values, char **names)
{
    (void)names;
    if (count > 0 && values[0])
        *(int64_t *)stamp_ms = strtoll(values[0], NULL, 10);
    return 0;
}

/* Returns the stamp of the last write in the backup, or 0 if the stamp cannot be read. Logs
 * nothing, because a folder can contain damaged backups, and files from other programs with such a
 * name. */
static int64_t read_stamp(const char *path)
{
    sqlite3 *database = NULL;
    struct read_only file;
    int64_t stamp_ms = 0;
    if (read_only_open(path, &database, &file) == SQLITE_OK)
        sqlite3_exec(database, "SELECT last_stamp FROM logbook", take_stamp, &stamp_ms, NULL);
    read_only_close(database, &file);
    return stamp_ms;
}

static int compare(const void *one, const void *other)
{
    const struct backup_file *a = one, *b = other;
    const int64_t a_ms = a->stamp_ms ? a->stamp_ms : a->made_ms;
    const int64_t b_ms = b->stamp_ms ? b->stamp_ms : b->made_ms;
    if (a_ms != b_ms)
        return a_ms < b_ms ? -1 : 1;
    return strcmp(a->name, b->name);
}

struct backup_file *backups_list(const char *folder, struct arena *arena, size_t *count)
{
    const char **names = list_names(folder, arena, PATTERN);
    *count = 0;
    while (names[*count])
        ++*count;
    struct backup_file *files = arena_allocate_zeroed(arena, (*count + 1) * sizeof *files);
    for (size_t i = 0; i < *count; i++) {
        struct backup_file *file = &files[i];
        file->path = arena_print(arena, "%s/%s", folder, names[i]);
        file->name = names[i];
        file->made_ms = time_of(file->name);
        file->is_cut_short = backup_is_cut_short(file->path);
        file->stamp_ms = file->is_cut_short ? 0 : read_stamp(file->path);
    }
    qsort(files, *count, sizeof *files, compare);
    return files;
}

const struct backup_file *backups_find_newest(const struct backup_file *files, size_t count)
{
    while (count > 0)
        if (files[--count].stamp_ms)
            return &files[count];
    return NULL;
}

/* The length of the beginning of a backup's name that is compared, by the backup's age. If the next
 * backup's name begins in the same way, the earlier backup is superfluous. */
static const struct {
    int64_t age_ms;
    const char *prefix;
} spans[] = {
    {DATETIME_DAY_MS, "qsosync-0000-00-00T000"}, /* one backup per ten minutes */
    {7 * DATETIME_DAY_MS, "qsosync-0000-00-00T00"},
    {31 * DATETIME_DAY_MS, "qsosync-0000-00-00"},
    {366 * DATETIME_DAY_MS, "qsosync-0000-00"},
};
#define SPANS (sizeof spans / sizeof *spans)

static bool replaces(const struct backup_file *next, const struct backup_file *file, int64_t age_ms)
{
    /* A backup that a full disk has cut short does not replace another backup. */
    if (next->is_cut_short)
        return false;
    for (size_t i = 0; i < SPANS; i++)
        if (age_ms <= spans[i].age_ms)
            return strncmp(file->name, next->name, strlen(spans[i].prefix)) == 0;
    return true;
}

static int64_t distance(int64_t one_ms, int64_t other_ms)
{
    const int64_t ms = llabs(one_ms - other_ms);
    return ms < DATETIME_DAY_MS ? ms : DATETIME_DAY_MS;
}

void backups_mark_superfluous(struct backup_file *files, size_t count, int64_t now_ms)
{
    int64_t age_ms = 0, later_ms = now_ms;
    int newest = 0;
    for (size_t i = count; i-- > 0; later_ms = files[i].made_ms) {
        age_ms += distance(later_ms, files[i].made_ms);
        newest += files[i].stamp_ms != 0;
        const bool is_one_of_newest = files[i].stamp_ms && newest <= BACKUPS_NEWEST_KEPT;
        files[i].is_superfluous =
            i + 1 < count && !is_one_of_newest && replaces(&files[i + 1], &files[i], age_ms);
    }
}
