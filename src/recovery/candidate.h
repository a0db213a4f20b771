/* A backup that will become the logbook: a checked private copy next to the logbook. */
#ifndef QSOSYNC_RECOVERY_CANDIDATE_H
#define QSOSYNC_RECOVERY_CANDIDATE_H

#include "base/shared_file.h"
#include "base/arena.h"
#include "database/result.h"

struct store;

struct candidate {
    char *logbook;    /* path of the logbook; if it is a link, of its target */
    const char *path; /* path of the copy, in the arena; NULL: without a name */
    /* reserves the name, so that no other restore treats it as abandoned */
    struct shared_file lock;
    struct store *store; /* NULL: not open */
};

/* Removes the copies that killed restores have left. Copies the backup to a new file next to the
 * logbook and opens it, with its schema brought up to date. On failure, one line reports the error,
 * and nothing is open. Call candidate_end in any case. The copy is not synced to the disk here. */
enum store_result candidate_begin(const char *logbook, const char *backup, struct arena *arena,
                                  struct candidate *out);

/* The name for a copy of the old logbook until it is complete, in the arena. */
const char *candidate_name_kept(const struct candidate *candidate, struct arena *arena);

/* Closes and removes the copy and the files next to it, if they exist. */
void candidate_end(struct candidate *candidate);

#endif
