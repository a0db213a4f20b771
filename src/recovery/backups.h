/* A folder of backups, in the order of their contents. A wrong clock has given some backups wrong
 * names, but the stamps in them always rise. */
#ifndef QSOSYNC_RECOVERY_BACKUPS_H
#define QSOSYNC_RECOVERY_BACKUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define BACKUPS_NEWEST_KEPT 5 /* newest by content, whatever their age */

struct backup_file {
    const char *path;
    const char *name;  /* last part of the path */
    int64_t made_ms;   /* the clock when the backup was made, from its name */
    int64_t stamp_ms;  /* stamp of its last write; 0: unreadable */
    bool is_cut_short; /* it has fewer bytes than its header says, or no header */
    bool is_superfluous;
};

/* The path for a backup made now, in the arena. */
const char *backups_name(struct arena *arena, const char *folder, int64_t now_ms);

/* The backups of the folder, oldest content first, in the arena; *count is their number. An
 * unreadable backup is sorted by its name. */
struct backup_file *backups_list(const char *folder, struct arena *arena, size_t *count);

/* The newest readable backup; NULL: none can be read. */
const struct backup_file *backups_find_newest(const struct backup_file *files, size_t count);

/* Marks backups that a later one replaces: from the same ten minutes, hour, day or month, depending
 * on the age. The age is the sum of the gaps between a backup and all later ones, and each gap
 * counts for at most a day. A clock that jumps therefore makes no backup old. */
void backups_mark_superfluous(struct backup_file *files, size_t count, int64_t now_ms);

/* Removes unfinished backups of interrupted runs, and SQLite's files next to them. */
void backups_remove_unfinished(const char *folder, struct arena *arena);

#define BACKUPS_UNFINISHED ".unfinished" /* follows the name until the backup is complete */

#endif
