/* The spots of a logbook as they come: which is the next one, and whether it is time to look. */
#ifndef QSOSYNC_FEED_FOLLOW_H
#define QSOSYNC_FEED_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/filter.h"

/* Lines; a client that would get more goes on with the newest ones. */
#define FOLLOW_BEHIND_MAX 50

struct follow {
    const char *path;    /* of the logbook */
    struct store *store; /* NULL: it cannot be read now */
    int64_t last_id;     /* of the spot that was taken last */
    struct news news;    /* that spots are to bring */
    int failed_reads;    /* in a row */
    int64_t looked_ms;   /* the last look at the spots; monotonic */
};

/* Opens the logbook; spots from now on count. Returns false, after a line in the log, when it
 * cannot be read. */
bool follow_open(struct follow *follow, const char *path);
void follow_close(struct follow *follow);

/* From now on only spots pass that are new in the log of the member with this callsign and code,
 * until news_end. False: there is none. */
bool follow_identify(struct follow *follow, struct text callsign, struct text code);

/* True if somebody may have published a spot since the last look. Costs a few system calls;
 * now_ms is the monotonic clock. */
bool follow_has_news(struct follow *follow, int64_t now_ms);

/* Returns the next spot that passes the filter, as a line; if there are more than
 * FOLLOW_BEHIND_MAX, the oldest of them are passed over. False: there is none for now. *more:
 * another one comes after it. */
bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more);

/* How far a list of spots has come. */
struct showing {
    int64_t before_id; /* of the spot that was shown last; INT64_MAX: none was */
    int looked_at;     /* spots so far; at most SPOTS_LOOKED_AT */
};

/* The next spot, newest first, that passes the filter and has a line, as a line or as a row. False:
 * there is none among those that may be looked at. */
bool follow_show(struct follow *follow, const struct filter *filter, bool as_line,
                 struct showing *showing, char out[SPOT_ROW_LENGTH + 1]);

#endif
