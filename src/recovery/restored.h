/* Describes the outcome of a restore, and both logbooks, for a person. */
#ifndef QSOSYNC_RECOVERY_RESTORED_H
#define QSOSYNC_RECOVERY_RESTORED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/club/club.h"

/* One of the two logbooks in a restore. The texts are in the arena. */
struct restored_side {
    bool is_known; /* whether the logbook exists and can be read */
    int64_t members;
    int64_t qsos;
    struct text callsigns; /* callsigns of the first three members; no text: no members */
    struct club club;
    bool uploads;
};

/* Describes an open logbook. If it is too damaged to be read, out->is_known is false. */
void restored_read_side(struct store *store, struct arena *arena, struct restored_side *out);

/* The outcome of a restore. */
struct restored {
    /* path of the kept old logbook, in the arena; NULL: no old logbook existed */
    char *kept;
    /* number of members in the backup who were deleted in the old logbook */
    int64_t deleted_members;
    struct restored_side old, backup;
};

/* The outcome of restoring one member's log. The numbers count QSOs. */
struct restored_log {
    /* path of a copy of the logbook before the restore, in the arena; NULL: nothing was changed */
    char *kept;
    int64_t restored;     /* deleted QSOs that were restored */
    int64_t changed_back; /* QSOs changed back to the backup's content */
    int64_t deleted;      /* QSOs deleted because the backup lacks them */
    int64_t unchanged;
    int64_t left; /* QSOs that were not restored, because another member now has their clientId */
    int64_t damaged; /* QSOs that were not restored, because their data in the backup is damaged */
    /* QSOs restored without extra fields, because the member's storage is full */
    int64_t without_fields;
    struct restored_side present, backup; /* descriptions of the two logbooks, for STORE_REFUSED */
};

#endif
