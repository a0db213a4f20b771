/* What the doctor's checks of a logbook share: what is examined, and the commands that repair it.
 * The commands are in the arena, for an operator to paste. */
#ifndef QSOSYNC_ADMIN_EXAMINATION_H
#define QSOSYNC_ADMIN_EXAMINATION_H

#include <limits.h>
#include <sys/stat.h>

#include "admin/doctor_workers.h"

struct examination {
    struct invocation *invocation;
    struct findings *findings;
    const char *path;      /* of the logbook, without links */
    const char *quoted;    /* the path as a shell reads it */
    char folder[PATH_MAX]; /* without the last slash */
    struct stat file, folder_file;
    struct doctor_user workers; /* the user who must be able to use the logbook and its files */
};

/* Finds the logbook's folder and the user of the workers. file and folder_file are filled by the
 * checks that look at them. */
void examination_begin(struct examination *seen, struct invocation *invocation,
                       struct findings *findings);

/* Makes a logbook, or brings the schema of one up to date. */
const char *examination_fix_by_init(const struct examination *seen);

/* Restores the logbook from the last backup that is known here. */
const char *examination_fix_by_restoring(const struct examination *seen);

/* For a file in the logbook's place that is not ours: keeps it under another name. */
const char *examination_fix_by_moving_aside(const struct examination *seen);

/* Restores it; where it is too damaged for a restore to begin, so that nothing can be taken over
 * from it, moves it aside first. */
const char *examination_fix_for_damage(const struct examination *seen);

/* Restarts the workers, and ends every other program that has the file open in a way that harms
 * them. suffix: "-wal" or the like, "" for the logbook itself. */
const char *examination_fix_by_ending(const struct examination *seen, const char *suffix);

/* Enables the shipped timer, where it fits; otherwise makes one backup, for a timetable of one's
 * own. */
const char *examination_fix_for_backups(const struct examination *seen);

#endif
