/* A backup that is to become the logbook: a private copy beside it that has passed the check. */
#ifndef QSOSYNC_RECOVERY_CANDIDATE_H
#define QSOSYNC_RECOVERY_CANDIDATE_H

#include "base/shared_file.h"
#include "base/arena.h"
#include "database/result.h"

struct store;

struct candidate {
    char *logbook;           /* beside whose file it is; of a link, where that leads */
    const char *path;        /* of the copy, in the arena; NULL: it has no name */
    struct shared_file lock; /* reserves the name: no other restore takes it for one left behind */
    struct store *store;     /* NULL: it is not open */
};

/* Removes the copies that killed restores have left, copies the backup to a new file beside the
 * logbook and opens it, with its schema brought up to date. Whatever is wrong is reported in one
 * line, and nothing is open then. candidate_end follows whatever the result is. Nothing here syncs
 * the copy to the disk. */
enum store_result candidate_begin(const char *logbook, const char *backup, struct arena *arena,
                                  struct candidate *out);

/* The name that a copy of the former logbook has beside it until it is whole, in the arena. */
const char *candidate_name_kept(const struct candidate *candidate, struct arena *arena);

/* Closes and removes the copy and what lies beside it, as far as they are there. */
void candidate_end(struct candidate *candidate);

#endif
