/* Creates and removes a candidate: a checked private copy of a backup that will become the logbook.
 *
 *   candidate_begin    creates and checks the candidate; failures are logged
 *   candidate_end      closes and removes the candidate, even after candidate_begin has failed */
#ifndef QSOSYNC_RECOVERY_CANDIDATE_H
#define QSOSYNC_RECOVERY_CANDIDATE_H

#include "base/shared_file.h"
#include "base/arena.h"
#include "database/result.h"

struct store;

struct candidate {
    char *logbook;    /* path of the logbook; if that path is a symbolic link, path of its target */
    const char *path; /* path of the copy, in the arena; NULL: not created */
    /* lock that reserves the path, so that no other restore treats the copy as abandoned */
    struct shared_file lock;
    struct store *store; /* the opened copy; NULL: not open */
};

/* Removes copies left by restores that were killed. Copies the backup to a new file next to the
 * logbook, opens the copy, updates its schema, and checks its content. A failure is logged. Call
 * candidate_end in any case. This function does not sync the copy to the disk. */
enum store_result candidate_begin(const char *logbook, const char *backup, struct arena *arena,
                                  struct candidate *out);

/* Closes and removes the copy and the files next to the copy, if these files exist. */
void candidate_end(struct candidate *candidate);

#endif
