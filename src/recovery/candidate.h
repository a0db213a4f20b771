/* A backup that is to become the logbook: a private copy beside it that has passed the check. */
#ifndef QSOSYNC_RECOVERY_CANDIDATE_H
#define QSOSYNC_RECOVERY_CANDIDATE_H

#include "base/shared_file.h"
#include "base/arena.h"
#include "database/result.h"

struct store;

/* Names this process's copy beside the logbook, in the arena, and reserves the name until the lock
 * is closed, so that no other restore takes the copy for one that was left behind. NULL after a
 * line in the log. */
const char *candidate_reserve(const char *logbook, struct arena *arena, struct shared_file *lock);

/* Removes the copies that killed restores have left. */
void candidate_remove_abandoned(const char *logbook, struct arena *arena);

/* Copies the backup to a new file and opens it, with its schema brought up to date. Whatever is
 * wrong with the backup is reported in one line, and nothing is open then. The caller removes the
 * file in any case, or syncs it to the disk: nothing here does. */
enum store_result candidate_open(const char *path, const char *backup, struct store **out);

/* The name that a copy of the former logbook has beside it until it is whole, in the arena. */
const char *candidate_name_kept(const char *path, struct arena *arena);

/* Removes the copy and what lies beside it, as far as they are there. */
void candidate_remove(const char *path);

#endif
