/* Defines the state of a restore, and the two methods by which restore.c replaces a logbook. */
#ifndef QSOSYNC_RECOVERY_RESTORE_STEPS_H
#define QSOSYNC_RECOVERY_RESTORE_STEPS_H

#include "recovery/both_logbooks.h"
#include "recovery/candidate.h"
#include "recovery/logbook_state.h"
#include "recovery/restored.h"

struct restore {
    const char *path; /* path of the logbook */
    struct candidate candidate;
    struct arena *arena;
    bool is_carried_over; /* whether the data from the old logbook is in the candidate */
    bool takes_other;
    enum logbook_relation relation;
    struct restored *out;
};

/* Copies the candidate's pages into a readable logbook. Returns STORE_REFUSED if the backup is from
 * another logbook, the current logbook has members, and takes_other is false. */
enum store_result restore_content(struct restore *restore);

/* Renames the old files, and gives the candidate the logbook's path. Fails if the logbook's state
 * is no longer `state`. Closes the candidate. */
enum store_result restore_files(struct restore *restore, enum logbook_state state);

#endif
