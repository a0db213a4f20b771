/* The newest spots, as a list that an answer shows.
 *
 *     struct spot_list list = {.exchange = exchange, .query = spot_list_any, .most = SPOT_LIST_MAX,
 *                              .append = write_spot, .out = exchange->body};
 *     TRY(spot_list_read(exchange, &list));
 *     TRY(spot_list_append(&list)); */
#ifndef QSOSYNC_SITE_SPOT_LIST_H
#define QSOSYNC_SITE_SPOT_LIST_H

#include "base/buffer.h"
#include "qso/spot.h"
#include "store/log/spots.h"
#include "worker/route.h"

#define SPOT_LIST_MAX 100

struct spot_list {
    struct exchange *exchange;
    struct spot_query query;
    int64_t most;    /* maximum number of spots in the list */
    bool is_network; /* whether the list contains spots from other clusters */
    void (*append)(struct spot_list *list, const struct spot *spot);
    struct buffer *out;
    const struct error *error;
    int64_t count; /* number of spots appended */
    bool has_more; /* whether there can be matching spots before next_before_id */
    int64_t next_before_id;
    int64_t newest_ms, oldest_ms; /* times of the newest and the oldest appended spot, for the
                                   * statistics */
};

/* The index of the path's segment that contains the band or the frequency: /cluster/spots/{band},
 * /cluster/list/{band} and /cluster/spot/{khz}. */
#define SPOT_LIST_SEGMENT 2

extern const struct spot_query spot_list_any;

/* The bands' names for DXClusterAPI's clients, by the bands' numbers. The list ends with NULL. */
extern const char *const spot_list_bands[];

/* Returns the number of the band in the path. If the band is unknown, returns a number that no spot
 * has. */
int64_t spot_list_read_band(const struct exchange *exchange);

/* Reads the filter and the limit from the query: band, mode, callsign, division, from and to (kHz),
 * minutes (maximum age), before (the id of a spot) and limit. Returns NULL, or the error to answer
 * with. */
const struct error *spot_list_read(struct exchange *exchange, struct spot_list *list);

/* Calls list->append for each spot, newest first. Reads at most a few thousand spots; has_more and
 * next_before_id show where the next answer continues. */
const struct error *spot_list_append(struct spot_list *list);

#endif
