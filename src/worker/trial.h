/* Sandboxes for authors of programs: separate logs that strangers may create while the club allows
 * it, and that are deleted after a day. The code calls such a log a trial, because sandbox.h
 * restricts processes.
 *
 * Each trial is a logbook of its own, in a file next to the members' logbook, with one member and
 * one key. No statement can therefore mix trials with members, with each other, or with backups.
 * The file's name contains the time of its creation, and the beginning of the key's fingerprint. */
#ifndef QSOSYNC_WORKER_TRIAL_H
#define QSOSYNC_WORKER_TRIAL_H

#include "base/api_key.h"
#include "base/arena.h"
#include "base/datetime.h"
#include "worker/route.h"

#define TRIAL_CALLSIGN "SANDBOX"
#define TRIAL_LOCATOR "JO59jw"
#define TRIAL_MS DATETIME_DAY_MS
#define TRIALS_MAX 30
#define TRIAL_BYTES_MAX (8 << 20) /* a larger trial accepts no more writes */

/* Creates a trial at now_ms, and writes its key to `key`. Returns STORE_REFUSED if TRIALS_MAX
 * trials exist. `table` is the open table of the request limit, whose lock prevents several
 * processes from creating trials at the same time. */
enum store_result trial_create(const char *logbook_path, const struct shared_file *table,
                               int64_t now_ms, struct arena *arena, char key[API_KEY_LENGTH + 1]);

/* If the request's key belongs to a trial, makes that trial the exchange's store. The caller closes
 * the store after the request. If the club no longer allows trials, or if the trial is too old, the
 * exchange is not changed, and the key is thus unknown. */
void trial_enter(struct exchange *exchange, const char *logbook_path);

/* Removes trials that are too old, or all trials if the club does not allow trials. Does nothing if
 * the previous call in this process was less than a minute ago. `store` is the members' logbook;
 * NULL is allowed. */
void trial_remove_old(struct store *store, const char *logbook_path, struct arena *arena);

#endif
