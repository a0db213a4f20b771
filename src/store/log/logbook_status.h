/* Reads numbers about a logbook: for the operator's status, for metrics, and for the club's front
 * page. */
#ifndef QSOSYNC_STORE_LOGBOOK_STATUS_H
#define QSOSYNC_STORE_LOGBOOK_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/result.h"
#include "store/storage.h"

struct store;

struct logbook_status {
    int64_t schema_version; /* schema version stored in the file */
    int64_t database_bytes;
    int64_t log_bytes;               /* length of the write-ahead log */
    int64_t members, active_members; /* members who are not stations */
    int64_t stations;
    int64_t operators;       /* number of active operators */
    int64_t members_outside; /* number of active members, not counting stations, without a password,
                              * passkey, key or session */
    int64_t sessions;        /* number of signed-in browsers */
    int64_t active_keys;
    int64_t qsos;
    int64_t spots;
    int64_t tombstones;
    int64_t former_states;  /* number of previous states of QSOs in the history */
    struct storage storage; /* storage used by all members */
    int64_t passwords;      /* number of members with a password */
    int64_t active_tokens;
    bool uploads;
    int64_t last_write_ms; /* stamp of the last write; 0: never */
    int64_t log_epoch;
};

/* Reads the status. This function counts many rows, so the operator's page is the only page that
 * calls it. */
enum store_result store_read_status(struct store *store, struct logbook_status *out);

/* The numbers that a club publishes about itself. */
struct logbook_counts {
    int64_t members; /* number of active members, not counting stations */
    int64_t qsos;    /* number of all members' QSOs */
};

/* Reads the numbers for the front page. This function counts many rows, so do not call it for every
 * request. */
enum store_result store_read_counts(struct store *store, struct logbook_counts *out);

/* Reads a few QSOs quickly, and different QSOs each time. If the result is not STORE_DONE, logs
 * cannot be served. */
enum store_result store_probe(struct store *store);

/* Finds the stamp of the last write. The stamp is later than the clock if the clock was ahead at an
 * earlier time. */
enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms);

#endif
