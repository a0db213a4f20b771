/* A folder of backups, in the order of their contents: a clock that was wrong has given some of
 * them wrong names, but the stamps in them always rise. */
#ifndef QSOSYNC_RECOVERY_BACKUPS_H
#define QSOSYNC_RECOVERY_BACKUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define BACKUPS_NEWEST_KEPT 5 /* by content, however old they are */

struct backup_file {
    const char *path;
    const char *name;  /* the end of the path */
    int64_t made_ms;   /* the clock when it was made, by its name */
    int64_t stamp_ms;  /* the last write in it; 0: it cannot be read */
    bool is_cut_short; /* it has fewer bytes than its header says, or no header */
    bool is_superfluous;
};

/* The path of a backup that is made now, in the arena. */
const char *backups_name(struct arena *arena, const char *folder, int64_t now_ms);

/* The backups of the folder, oldest content first, in the arena; *count says how many. One that
 * cannot be read has the place that its name says. */
struct backup_file *backups_list(const char *folder, struct arena *arena, size_t *count);

/* The last of them that can be read; NULL: none can. */
const struct backup_file *backups_find_newest(const struct backup_file *files, size_t count);

/* Marks those for which a later one stands: of the same ten minutes, hour, day or month, depending
 * on the age. The age is the time between a backup and the ones after it, of which each pair counts
 * for a day at most: a clock that jumps makes no backup old. */
void backups_mark_superfluous(struct backup_file *files, size_t count, int64_t now_ms);

/* Removes unfinished backups, which interrupted runs have left, and what SQLite made beside them.
 */
void backups_remove_unfinished(const char *folder, struct arena *arena);

#define BACKUPS_UNFINISHED ".unfinished" /* after the name, until the backup is whole */

#endif
