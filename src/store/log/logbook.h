/* The logbook as a whole: opening, snapshots, maintenance.
 *
 * Callers use the service's own terms; only the store deals with SQL, statements, locks and the
 * file's layout. A failure is logged once, where it is detected. Functions that can fail return an
 * enum store_result; output parameters are filled only with STORE_DONE. */
#ifndef QSOSYNC_STORE_LOGBOOK_H
#define QSOSYNC_STORE_LOGBOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "store/storage.h"

struct rejection;

/* An open logbook. A process may hold several; all of them belong to one thread. */
struct store;

/* Opens the database and brings the schema up to date. Statements are prepared on first use; a
 * follower may use only store_list_spots and the functions of this header. STORE_NEWER: the schema
 * is newer than this program. STORE_FOREIGN: the file is not a logbook. */
enum store_result store_open(const char *path, enum opening opening, struct store **out);

/* Prepares every statement now, to check that the schema has everything this program needs.
 * STORE_BROKEN: a log line names the missing part. */
enum store_result store_prepare(struct store *store);

void store_close(struct store *store); /* NULL is allowed */

/* Whether opening it upgraded an older schema. */
bool store_was_brought_forward(const struct store *store);

/* Whether SQLite has reported damage to this process: SQLITE_CORRUPT, SQLITE_NOTADB, or findings of
 * its integrity check. Failures of a disk, a permission, a lock or a rule of ours do not count. */
bool store_has_found_damage(void);

/* How long a write waits for other writers (default 10,000 ms). */
void store_set_write_wait(struct store *store, int64_t wait_ms);

/* False if the store was opened by another path, if the file there is another one now, or if a
 * write found a changed schema. */
bool store_is_current(const struct store *store, const char *path);

/* Call this between requests, when no client waits. Handles the remains of a dead writer in the
 * write-ahead log, and moves a long log into the database. Returns mapped pages of the file to the
 * system once they are many, so that a worker stays small however large the logs are. */
void store_checkpoint(struct store *store); /* NULL is allowed */

/* Opens a consistent snapshot for all reads until store_end_read. *now_ms comes in as the clock at
 * the start of the request, and becomes a time before which the snapshot lacks no write. */
enum store_result store_begin_read(struct store *store, int64_t *now_ms);
void store_end_read(struct store *store);

/* The serverTime for the client, from that time and the snapshot's last stamp. It is at least every
 * stamp of the snapshot, and below that of every write that the snapshot lacks. It never decreases
 * from answer to answer. While a write is active, it may be behind the clock. */
int64_t store_server_time(const struct store *store, int64_t now_ms, int64_t last_stamp_ms);

/* Whether members' programs may upload. Setting it runs its own transaction. */
enum store_result store_read_uploads(struct store *store, bool *on);
enum store_result store_set_uploads(struct store *store, bool on);

/* Call store_record_commits before a query. store_has_commits then reports whether another program
 * has committed anything that the query may have missed; true even if that cannot be determined.
 * store_is_current detects a file that has replaced the logbook. */
void store_record_commits(struct store *store);
bool store_has_commits(const struct store *store);

/* Makes long work of this process call show from time to time: with the present task (NULL: no word
 * for it), its steps so far, and their total (0: unknown). Call it before a database is opened. */
void store_show_progress(void (*show)(const char *phase, int64_t done, int64_t total));

/* The logbook as a whole. */
struct logbook_status {
    int64_t schema_version; /* as this program reads it */
    int64_t database_bytes;
    int64_t log_bytes;               /* its write-ahead log */
    int64_t members, active_members; /* people */
    int64_t stations;
    int64_t operators;       /* active operators */
    int64_t members_outside; /* active ones with no password, no key, and no browser signed in */
    int64_t sessions;        /* browsers that are signed in */
    int64_t active_keys;
    int64_t qsos;
    int64_t spots;
    int64_t tombstones;
    int64_t former_states;  /* previous states of QSOs, in the history */
    struct storage storage; /* used by all members */
    int64_t passwords;      /* members who have one */
    int64_t active_tokens;
    bool uploads;
    int64_t last_write_ms; /* 0: never */
    int64_t log_epoch;
};

enum store_result store_read_status(struct store *store, struct logbook_status *out);

/* The numbers that a club publishes about itself. */
struct logbook_counts {
    int64_t members; /* active ones, without stations */
    int64_t qsos;    /* sum over all members */
};

/* Reads a few QSOs, other ones each time, in a moment: anything but STORE_DONE says that logs
 * cannot be served. */
enum store_result store_probe(struct store *store);

/* Counts rows: not for every request. */
enum store_result store_read_counts(struct store *store, struct logbook_counts *out);

/* The stamp of the last write: ahead of the clock if the clock was once ahead of itself. */
enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms);

/* Counts an entry of a batch that was rejected, over all workers together. Waits for nobody; if
 * it cannot be counted it is not. */
void store_count_rejection(struct store *store, const struct rejection *rejection);

/* Calls visit for each code of the table of rejections, with the number of entries rejected with
 * it. The last call has the code NULL, and counts all entries that were rejected with a sentence.
 */
void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context);

#endif
