/* For other files of the store: the password file beside the logbook, which front servers read. It
 * is made of what the logbook holds, whole each time, so nothing is lost with it.
 *
 * The functions run inside an open write transaction unless they say otherwise. */
#ifndef QSOSYNC_STORE_LOGINS_H
#define QSOSYNC_STORE_LOGINS_H

#include "store/store.h"

enum logins_missing { LOGINS_STAY_MISSING, LOGINS_ARE_MADE };

/* Makes the file beside the logbook of this path what the store's members say. A missing file is
 * made only where that is asked for. STORE_BROKEN after a line in the log. */
enum store_result logins_write(struct store *store, const char *logbook,
                               enum logins_missing missing);

/* Former versions kept passwords in the file alone: takes them over for members who were never
 * looked for there. STORE_BROKEN after a line in the log: the file is there and cannot be read. */
enum store_result logins_take_over(struct store *store);

/* The same, outside of a transaction; only where there is something to take over. */
enum store_result logins_take_over_once(struct store *store);

/* The same for every member who has a line in the file beside the logbook of this path, which is
 * lost: its file is later than any backup. */
enum store_result logins_take_all(struct store *store, const char *logbook, int64_t stamp_ms);

/* store_finish for a transaction that has changed who logs in, with the file. */
enum store_result logins_finish(struct store *store, enum store_result result,
                                enum logins_missing missing);

#endif
