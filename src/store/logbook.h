/* The logbook as a whole: opening, snapshots, maintenance.
 *
 * Callers use the service's own terms; only the store knows about SQL,
 * statements, locks and the file's layout. A failure is logged once, where it is seen. Functions
 * that can fail return an enum store_result; output parameters are filled only with STORE_DONE. */
#ifndef QSOSYNC_STORE_LOGBOOK_H
#define QSOSYNC_STORE_LOGBOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "store/storage.h"

struct rejection;

/* One open logbook. A process may hold several; all of them belong to one thread. */
struct store;

/* Opens the database and brings the schema up to date. Statements are prepared when they are needed
 * first; who follows has store_list_spots alone, beside the functions of this header. A schema
 * newer than this program is STORE_NEWER, a file that is no logbook STORE_FOREIGN. */
enum store_result store_open(const char *path, enum opening opening, struct store **out);

/* Prepares every statement now: whether the schema has all that this program asks for.
 * STORE_BROKEN: a line in the log says what is missing. */
enum store_result store_prepare(struct store *store);

void store_close(struct store *store); /* NULL is allowed */

/* Whether opening it upgraded an older schema. */
bool store_was_brought_forward(const struct store *store);

/* Whether SQLite has reported damage to this process (SQLITE_CORRUPT, SQLITE_NOTADB, what
 * its integrity check finds), and not only a disk, a right, a lock or a rule of ours. */
bool store_has_found_damage(void);

/* How long a write waits for other writers (default 10,000 ms). */
void store_set_write_wait(struct store *store, int64_t wait_ms);

/* False when the store was opened by another path, the file there is no longer the one that is
 * open, or a write found that its schema has changed. */
bool store_is_current(const struct store *store, const char *path);

/* To be called between requests, when nobody waits: sees to what a writer that died has left in the
 * write-ahead log, moves a long one into the database, and gives mapped pages of the file back to
 * the system once they are many, so that a worker stays small however large the logs are that it
 * reads. */
void store_checkpoint(struct store *store); /* NULL is allowed */

/* A consistent snapshot for everything read until store_end_read. *now_ms comes in as the clock at
 * the start of the request and goes out as a time before which no write is missing from the
 * snapshot: the smaller of the clock and the stamp of a write that is on its way to the disk. */
enum store_result store_begin_read(struct store *store, int64_t *now_ms);
void store_end_read(struct store *store);

/* For what store_begin_read has said, and the snapshot's last stamp: the latest time that can be
 * told to the client. If stamps run ahead of the clock, and no writer is at work, it is the last
 * stamp, which no write that the snapshot lacks has: downloads need not repeat what is ahead. Never
 * before the last restore in the snapshot, since when deletions are known. */
int64_t store_server_time(const struct store *store, int64_t now_ms, int64_t last_stamp_ms,
                          int64_t restored_ms);

/* Whether members' programs may upload. Setting it runs its own transaction. */
enum store_result store_read_uploads(struct store *store, bool *on);
enum store_result store_set_uploads(struct store *store, bool on);

/* store_note_commits is called before a query; store_has_commits then tells whether anything was
 * committed by another program that the query may not have seen. True also if that cannot be known.
 * A file that took the logbook's place is seen by store_is_current. */
void store_note_commits(struct store *store);
bool store_has_commits(const struct store *store);

/* From now on long work of this process calls show now and then: with what is being done (NULL: no
 * word for it), how many steps of it are done, and of how many (0: not known). To be set before a
 * database is opened. */
void store_show_progress(void (*show)(const char *phase, int64_t done, int64_t total));

/* The logbook as a whole. */
struct logbook_status {
    int64_t schema_version; /* as this program reads it */
    int64_t database_bytes;
    int64_t log_bytes;               /* write-ahead log beside it */
    int64_t members, active_members; /* people */
    int64_t stations;
    int64_t operators;       /* who are active */
    int64_t members_outside; /* active ones with no password, no key, and no browser signed in */
    int64_t sessions;        /* browsers that are signed in */
    int64_t active_keys;
    int64_t qsos;
    int64_t spots;
    int64_t tombstones;
    int64_t former_states;  /* of QSOs, in the history */
    struct storage storage; /* of all members */
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
    int64_t qsos;    /* of all members */
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

/* Calls visit for each code of the table of rejections with how many entries it was the answer to,
 * and last, with the code NULL, for all entries that were rejected by a sentence. */
void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context);

#endif
