/* Puts a backup in the place of the logbook. */
#ifndef QSOSYNC_RECOVERY_RESTORE_H
#define QSOSYNC_RECOVERY_RESTORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "database/result.h"
#include "store/club.h"
#include "store/members.h"

/* One of the two logbooks of a restore, for a person; its texts are in the arena. */
struct restored_side {
    bool is_known; /* there is one that can be read */
    int64_t members;
    int64_t qsos;
    struct text callsigns; /* of the first three members; no text: nobody is one */
    struct club club;
    bool uploads;
};

/* A logbook that is too damaged for that is not known. */
void store_read_side(struct store *store, struct arena *arena, struct restored_side *out);

/* The outcome of a restore. */
struct restored {
    char *kept;              /* where the former logbook went, in the arena; NULL: there was none */
    int64_t deleted_members; /* were in the backup, and stay deleted */
    struct restored_side former, backup;
};

/* Puts a backup in the place of the logbook, while the service goes on or not: all of it or, on any
 * failure, nothing. The backup is checked first. Revoked keys stay revoked and deleted members
 * deleted, ids are not used again, stamps go on rising, and the log epoch changes, by which clients
 * notice. STORE_REFUSED: the backup is of another logbook, and takes_other is false; *out tells of
 * both. */
enum store_result store_restore(const char *path, const char *from, bool takes_other,
                                struct arena *arena, struct restored *out);

/* The outcome for one member's log. */
struct restored_log {
    char *kept; /* a copy of the logbook from before, in the arena; NULL: nothing was changed */
    int64_t restored;     /* are back */
    int64_t changed_back; /* have the backup's content again */
    int64_t deleted;      /* were not in the backup */
    int64_t unchanged;
    int64_t left;    /* in the backup, and not restored: another member has the clientId now */
    int64_t damaged; /* in the backup, but damaged and not restored */
    int64_t without_fields; /* restored without their extra fields, for which there is no room */
    struct restored_side present, backup; /* of STORE_REFUSED */
};

/* Gives the member's log the content that the backup has of it, in many short transactions, while
 * the service goes on; the member and everything else stay as they are, and so does what is logged
 * meanwhile. If it is killed in the middle, or fails (*out tells how far it got), the next call
 * goes on. STORE_NONE: the backup has no such member. STORE_REFUSED: it is of another logbook, and
 * takes_other is false. */
enum store_result store_restore_member(struct store *store, const struct member *member,
                                       const char *from, bool takes_other, struct arena *arena,
                                       struct restored_log *out);

#endif
