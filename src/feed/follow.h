/* New spots of a logbook: the next spot to send, and when to check for one. */
#ifndef QSOSYNC_FEED_FOLLOW_H
#define QSOSYNC_FEED_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/filter.h"

/* The most lines that a client may be behind; after that, it continues with the newest spots. */
#define FOLLOW_BEHIND_MAX 50

struct follow {
    const char *path;            /* path of the logbook */
    struct store *store;         /* NULL: the logbook cannot be read now */
    int64_t last_id;             /* id of the spot that was taken last */
    struct needed_filter needed; /* the spots must be new for this log */
    int failed_reads;            /* in succession */
    int64_t looked_ms;           /* last check for spots; monotonic */
};

/* Opens the logbook, and follows spots from now on. Returns false, after a line in the log, if the
 * logbook cannot be read. */
bool follow_open(struct follow *follow, const char *path);
void follow_close(struct follow *follow);

/* Limits spots, until needed_end, to new ones for the log of the member with this callsign and
 * code. False: no such member. */
bool follow_identify(struct follow *follow, struct text callsign, struct text code);

/* True if a spot may have been published since the last check. Costs a few system calls; now_ms is
 * the monotonic clock. */
bool follow_has_news(struct follow *follow, int64_t now_ms);

/* Returns the next spot that passes the filter, as a line. If there are more than
 * FOLLOW_BEHIND_MAX, the oldest of them are skipped. False: no spot for now. *more: another spot
 * follows. */
bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more);

/* The position in a list of spots. */
struct showing {
    int64_t before_id; /* id of the last spot shown; INT64_MAX at the beginning */
    int looked_at;     /* spots examined so far; at most SPOTS_LOOKED_AT */
};

/* Returns the next spot, newest first, that passes the filter and can be formatted, as a line or as
 * a row. False: no such spot among the examined ones. */
bool follow_show(struct follow *follow, const struct filter *filter, bool as_line,
                 struct showing *showing, char out[SPOT_ROW_LENGTH + 1]);

#endif
