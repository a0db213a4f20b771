/* Reserves and removes the files of a candidate, which are next to the logbook. */
#ifndef QSOSYNC_RECOVERY_CANDIDATE_FILES_H
#define QSOSYNC_RECOVERY_CANDIDATE_FILES_H

#include "base/arena.h"
#include "base/shared_file.h"

/* Reserves a path next to the logbook for this process until the lock is closed. Returns the path,
 * in the arena. On failure, writes a line to the system log and returns NULL. */
const char *candidate_files_reserve(const char *logbook, struct arena *arena,
                                    struct shared_file *lock);

/* Removes the copy, the unfinished copy of the old logbook, and the other files next to the copy,
 * if they exist. */
void candidate_files_remove(const char *path);

/* Removes copies left by restores that were killed. */
void candidate_files_remove_abandoned(const char *logbook, struct arena *arena);

/* Returns the path for an unfinished copy of the old logbook, in the arena. `path` is the
 * candidate's path. */
const char *candidate_files_name_kept(const char *path, struct arena *arena);

#endif
