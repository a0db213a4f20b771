/* The checks of a logbook share this: the logbook that is examined, and the commands that repair
 * it. The commands are in the arena, for an operator to paste. */
#ifndef QSOSYNC_DOCTOR_EXAMINATION_H
#define QSOSYNC_DOCTOR_EXAMINATION_H

#include <limits.h>
#include <sys/stat.h>

#include "doctor/check_workers.h"
#include "recovery/backup.h"

struct examination {
    struct doctor *doctor;
    struct findings *findings;
    const char *path;      /* of the logbook, without links */
    const char *quoted;    /* the path as a shell reads it */
    char folder[PATH_MAX]; /* without the last slash */
    struct stat file, folder_file;
    struct named_user workers; /* the user who must be able to use the logbook and its files */
};

/* Finds the logbook's folder and the user of the workers. file and folder_file are filled by the
 * checks that look at them. */
void examination_begin(struct examination *seen, struct doctor *doctor, struct findings *findings);

/* What stands before a command that this user is to run; nothing for root. As the owner of a file a
 * command can do no harm where somebody has put a link in its place. */
const char *examination_as(const struct examination *seen, uid_t user);

/* Makes a logbook, or brings the schema of one up to date. */
const char *examination_fix_by_init(const struct examination *seen);

/* Asks the doctor itself, who sees more from outside of a worker. */
const char *examination_fix_by_doctor(const struct examination *seen);

/* Where there is no logbook: makes one, unless a note shows that there was one. */
const char *examination_fix_for_none(const struct examination *seen);

/* Restores it from the last backup that is known here: for damage alone. */
const char *examination_fix_for_damage(const struct examination *seen);

/* The end of a sentence, what that would lose; "" where no backup is known. */
const char *examination_tell_loss(const struct examination *seen);

/* Enables the shipped timer, where it fits; otherwise makes one backup, for a timetable of one's
 * own. */
const char *examination_fix_for_backups(const struct examination *seen);

#endif
