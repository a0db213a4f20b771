/* Follows the new spots in a logbook: determines when to check for spots, and finds the next spot
 * to send. */
#ifndef QSOSYNC_FEED_FOLLOW_H
#define QSOSYNC_FEED_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/filter.h"
#include "feed/needed.h"

/* The number of lines by which a client can be behind. If more spots wait, the client continues
 * with the newest spots. */
#define FOLLOW_BEHIND_MAX 50

struct follow {
    const char *path;            /* path of the logbook */
    struct store *store;         /* NULL: the logbook cannot be read now */
    int64_t last_id;             /* id of the last spot that was read */
    struct needed_filter needed; /* selects spots that a member needs */
    int failed_reads;            /* number of failed reads since the last successful read */
    int64_t looked_ms;           /* time of the last check for spots; monotonic */
};

/* Opens the logbook, and follows spots that are published after this call. Returns false, after a
 * line in the system log, if the logbook cannot be read. */
bool follow_open(struct follow *follow, const char *path);
void follow_close(struct follow *follow);

/* Selects only spots that are new to the log of the member with this callsign and code, until
 * needed_end. Returns false, without a change, if the code does not belong to a member with this
 * callsign, or if the logbook cannot be read. */
bool follow_identify(struct follow *follow, struct text callsign, struct text code);

/* Returns whether spots may have been published since the last check. A call costs only a few
 * system calls. now_ms is the monotonic time. */
bool follow_has_spots(struct follow *follow, int64_t now_ms);

/* Returns the next spot that passes the filter, as a line. If more than FOLLOW_BEHIND_MAX spots
 * wait, the oldest of these spots are skipped. Returns false if no spot waits, or if the logbook
 * cannot be read. *more receives whether another spot waits. */
bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more);

/* A position in the list of spots that sh/dx shows. */
struct showing {
    int64_t before_id; /* id of the last spot shown; INT64_MAX at the beginning */
    int looked_at;     /* spots examined so far; at most SPOTS_LOOKED_AT */
};

/* Returns the next spot, newest first, that passes the filter and can be formatted, as a line or as
 * a row. Returns false if no spot passes, if SPOTS_LOOKED_AT spots were examined, or if the logbook
 * cannot be read. */
bool follow_show(struct follow *follow, const struct filter *filter, bool as_line,
                 struct showing *showing, char out[SPOT_ROW_LENGTH + 1]);

#endif
