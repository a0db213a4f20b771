/* Replaces the logbook with a backup. */
#ifndef QSOSYNC_RECOVERY_RESTORE_H
#define QSOSYNC_RECOVERY_RESTORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "database/result.h"
#include "store/club/club.h"
#include "store/people/members.h"

/* Either logbook of a restore, described for a person; its texts are in the arena. */
struct restored_side {
    bool is_known; /* the logbook exists and can be read */
    int64_t members;
    int64_t qsos;
    struct text callsigns; /* the first three members; no text: no members */
    struct club club;
    bool uploads;
};

/* False for a logbook that is too damaged to be read. */
void store_read_side(struct store *store, struct arena *arena, struct restored_side *out);

/* The outcome of a restore. */
struct restored {
    char *kept;              /* path of the old logbook, in the arena; NULL: it was missing */
    int64_t deleted_members; /* deleted members whom the backup still had */
    struct restored_side former, backup;
};

/* Replaces the logbook with a backup, with the service running or not. It restores everything or,
 * on any failure, nothing. The backup is checked first. Revoked keys stay revoked and deleted
 * members deleted, ids are not reused, and stamps keep rising. The log epoch changes, so that
 * clients notice. STORE_REFUSED: the backup is from another logbook, and takes_other is false; *out
 * describes both. */
enum store_result store_restore(const char *path, const char *from, bool takes_other,
                                struct arena *arena, struct restored *out);

/* The outcome for one member's log. */
struct restored_log {
    /* a copy of the logbook before the restore, in the arena; NULL: nothing was changed */
    char *kept;
    int64_t restored;     /* deleted QSOs that were restored */
    int64_t changed_back; /* QSOs changed back to the backup's content */
    int64_t deleted;      /* QSOs that the backup lacks */
    int64_t unchanged;
    int64_t left;    /* in the backup, but not restored: another member now has the clientId */
    int64_t damaged; /* in the backup, but damaged and not restored */
    /* restored without extra fields, because the member's storage is full */
    int64_t without_fields;
    struct restored_side present, backup; /* for STORE_REFUSED */
};

/* Restores the member's log from the backup, in many short transactions, while the service
 * continues. The member, all other data and QSOs logged meanwhile stay unchanged. After a kill or a
 * failure (*out has the progress), the next call continues. STORE_NONE: the backup lacks the
 * member. STORE_REFUSED: the backup is from another logbook, and takes_other is false. */
enum store_result store_restore_member(struct store *store, const struct member *member,
                                       const char *from, bool takes_other, struct arena *arena,
                                       struct restored_log *out);

#endif
