/* The newest spots that somebody asked for, whatever form they are shown in. */
#ifndef QSOSYNC_SITE_SPOTS_H
#define QSOSYNC_SITE_SPOTS_H

#include "base/buffer.h"
#include "qso/match.h"
#include "qso/spot.h"
#include "site/routes.h"

#define SPOT_LIST_MAX 100

/* Which spots are wanted. What is zero or NULL sets no bound. */
struct spot_wishes {
    const char *band; /* "11m" or "pmr446" */
    const char *mode; /* as spot_mode_name has it */
    int division;     /* of the station that was heard */
    int64_t from_hz, to_hz;
    int64_t not_before_ms;
    int64_t before_id;              /* those before this spot */
    struct match_callsign callsign; /* a part of either callsign */
};

struct spot_list {
    struct spot_wishes wishes;
    int64_t most;    /* spots in the list */
    bool is_network; /* those of other clusters */
    void (*append)(struct buffer *out, const struct spot *spot);
    struct buffer *out;
    int64_t count;   /* so many were appended */
    bool has_more;   /* older ones that are wanted may be before the spot last_id */
    int64_t last_id; /* the last one that was looked at */
    int64_t looked_at, too_old;
};

/* Appends the spots to out, newest first. An answer looks at no more than a few thousand spots:
 * has_more and last_id tell where the next one goes on. */
const struct error *spot_list_append(struct exchange *exchange, struct spot_list *list);

/* Spots as rows of a table in HTML. */

/* Appends a row of five cells: station, time, frequency, mode, and who heard it. */
void spot_rows_append(struct buffer *out, const struct spot *spot);

#endif
