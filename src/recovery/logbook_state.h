/* Examines the file that a restore replaces. */
#ifndef QSOSYNC_RECOVERY_LOGBOOK_STATE_H
#define QSOSYNC_RECOVERY_LOGBOOK_STATE_H

enum logbook_state {
    LOGBOOK_MISSING,
    LOGBOOK_UNREADABLE, /* empty, or not an intact SQLite database */
    LOGBOOK_READABLE,
    LOGBOOK_UNKNOWN, /* cannot be examined: nothing may be restored */
};

/* Returns the state of the file. LOGBOOK_UNKNOWN is logged. */
enum logbook_state logbook_state_examine(const char *path);

#endif
