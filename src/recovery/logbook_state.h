/* Examines the file that a restore replaces. */
#ifndef QSOSYNC_RECOVERY_LOGBOOK_STATE_H
#define QSOSYNC_RECOVERY_LOGBOOK_STATE_H

enum logbook_state {
    LOGBOOK_MISSING,
    LOGBOOK_UNREADABLE, /* the file is empty, or is not an intact SQLite database */
    LOGBOOK_READABLE,
    LOGBOOK_UNKNOWN, /* the file cannot be examined, so nothing may be restored */
};

/* Returns the state of the file. If the state is LOGBOOK_UNKNOWN, the reason is logged. */
enum logbook_state logbook_state_examine(const char *path);

#endif
