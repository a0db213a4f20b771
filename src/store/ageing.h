/* Decides whether data may be removed because of its age. If the clock were years ahead, all data
 * would seem old at once, so the clock must agree with the logbook's record of the clock. */
#ifndef QSOSYNC_STORE_AGEING_H
#define QSOSYNC_STORE_AGEING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/datetime.h"
#include "database/result.h"

struct store;
struct transaction;

/* maximum difference between the clock and a stamp, and between the advances of the clock and of
 * the uptime */
#define AGEING_APART_MS DATETIME_DAY_MS
/* time until a clock that has jumped is trusted again; also the maximum advance across a reboot */
#define AGEING_DOUBT_MS (7 * DATETIME_DAY_MS)

/* The logbook's record of the clock. */
struct ageing {
    int64_t last_stamp_ms; /* stamp of the last write; 0: nothing has been written */
    int64_t seen_ms;       /* the clock's time at the last check; 0: never checked */
    int64_t boot;          /* number that identifies the boot at the last check */
    int64_t uptime_ms;     /* uptime at the last check */
    int64_t doubted_ms;    /* the clock's time after its last jump; 0: the clock is trusted */
    int64_t confirmed_ms; /* last stamp when the clock was confirmed, or trusted again after a jump:
                             stamps up to this stamp may be ahead of the clock; 0: never */
};

/* One reading of the clock, the boot and the uptime. */
struct clock_look {
    int64_t now_ms;
    int64_t boot;
    int64_t uptime_ms;
};

/* Records a reading of the clock in *ageing, and detects a jump of the clock (see ageing.c).
 * Returns whether the clock is trusted, so that old data may be removed. */
bool ageing_look_at_clock(struct ageing *ageing, const struct clock_look *look);

/* Returns whether the clock is more than a day away from a stamp in this logbook or in one of its
 * backups. A confirmed stamp can be ahead of the clock. */
bool ageing_is_apart(const struct ageing *ageing, int64_t stamp_ms, int64_t now_ms);

/* Returns whether the clock is trusted, without recording a reading. */
bool ageing_is_believed(const struct ageing *ageing, int64_t now_ms);

/* Reads the logbook's record of the clock. */
enum store_result store_read_ageing(struct store *store, struct ageing *out);

/* Writes the record of the clock, inside a write transaction. */
enum store_result ageing_write(struct store *store, const struct ageing *ageing);

/* Returns the time age_ms ago; data from before that time may be removed. Returns 0, so that
 * nothing is removed, if the clock is not trusted, or if its record cannot be read or written.
 * Checks the clock only once per transaction. */
int64_t store_old_before(struct transaction *transaction, int64_t age_ms);

#endif
