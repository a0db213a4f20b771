/* The newest spots that somebody asked for, whatever form they are shown in. */
#ifndef QSOSYNC_SITE_SPOT_LIST_H
#define QSOSYNC_SITE_SPOT_LIST_H

#include "qso/spot.h"
#include "site/routes.h"

#define SPOT_LIST_MAX 100

struct spot_list {
    const char *band; /* as spot_list_band_name has it; NULL: every band */
    int64_t near_hz;  /* 0: any frequency */
    int64_t most;     /* spots in the list */
    void (*append)(struct buffer *out, const struct spot *spot);
    struct buffer *out;
    int64_t count; /* so many were appended */
    int64_t looked_at;
};

/* The name that DXClusterAPI's clients know: "11m" or "pmr446". */
const char *spot_list_band_name(const struct spot *spot);

/* The band that stands in this segment of the path. */
const char *spot_list_band_of_path(const struct exchange *exchange, int segment);

/* Appends the spots to out, newest first, those of the last thousand at most. */
const struct error *spot_list_append(struct exchange *exchange, struct spot_list *list);

#endif
