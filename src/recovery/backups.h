/* Lists a folder of backups in the order of their contents. If the clock was wrong, so is the time
 * in a backup's name, but the stamps in the content always rise. */
#ifndef QSOSYNC_RECOVERY_BACKUPS_H
#define QSOSYNC_RECOVERY_BACKUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* number of backups with the newest content, which are kept whatever their age */
#define BACKUPS_NEWEST_KEPT 5

struct backup_file {
    const char *path;
    const char *name;  /* last component of the path */
    int64_t made_ms;   /* the clock's time at the backup's creation, from the backup's name */
    int64_t stamp_ms;  /* stamp of the last write in the backup; 0: unreadable */
    bool is_cut_short; /* whether the file has no header, or fewer bytes than its header states */
    bool is_superfluous;
};

/* Returns the path for a backup that is created at this time, in the arena. */
const char *backups_name(struct arena *arena, const char *folder, int64_t now_ms);

/* Returns the backups in the folder, sorted by content, oldest first, in the arena. Sets *count to
 * their number. Unreadable backups are sorted by the times in their names. */
struct backup_file *backups_list(const char *folder, struct arena *arena, size_t *count);

/* Returns the newest readable backup, or NULL. */
const struct backup_file *backups_find_newest(const struct backup_file *files, size_t count);

/* Marks backups that the next backup replaces. A backup is replaced if the next backup is from the
 * same ten minutes, hour, day or month, depending on the replaced backup's age. After 366 days, the
 * next backup always replaces it. The newest readable backups (BACKUPS_NEWEST_KEPT) are never
 * marked. A backup's age is the sum of the gaps between this backup, all later backups and now.
 * Each gap counts for at most a day, so a jump of the clock does not make a backup old. */
void backups_mark_superfluous(struct backup_file *files, size_t count, int64_t now_ms);

/* Removes unfinished backups from interrupted runs, and SQLite's files next to these backups. */
void backups_remove_unfinished(const char *folder, struct arena *arena);

#define BACKUPS_UNFINISHED                                                                         \
    ".unfinished" /* suffix of a backup's name until the backup is complete */

#endif
