/* A candidate: a checked private copy of a backup that will become the logbook.
 *
 *   candidate_begin    creates and checks it; failures are logged
 *   candidate_end      closes and removes it; call it even if candidate_begin failed */
#ifndef QSOSYNC_RECOVERY_CANDIDATE_H
#define QSOSYNC_RECOVERY_CANDIDATE_H

#include "base/shared_file.h"
#include "base/arena.h"
#include "database/result.h"

struct store;

struct candidate {
    char *logbook;    /* path of the logbook, or of its target if it is a link */
    const char *path; /* path of the copy, in the arena; NULL: not created */
    /* reserves the path, so that no other restore treats the copy as abandoned */
    struct shared_file lock;
    struct store *store; /* NULL: not open */
};

/* Removes the copies that killed restores have left. Copies the backup to a new file next to the
 * logbook and opens it, with its schema brought up to date. On failure, one line in the log reports
 * the error, and nothing is open. Call candidate_end in any case. The copy is not synced to the
 * disk here. */
enum store_result candidate_begin(const char *logbook, const char *backup, struct arena *arena,
                                  struct candidate *out);

/* Closes and removes the copy and the files next to it, if they exist. */
void candidate_end(struct candidate *candidate);

#endif
