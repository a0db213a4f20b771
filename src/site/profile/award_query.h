/* The awards of a log, or of its filtered part, for the answers that show them. */
#ifndef QSOSYNC_SITE_AWARD_QUERY_H
#define QSOSYNC_SITE_AWARD_QUERY_H

#include "base/buffer.h"
#include "qso/awards.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "worker/route.h"

#define AWARD_QUERY_ALL_CELLS award_cells_of(BAND_COUNT, MODE_COUNT)

/* Counts the awards for the QSOs that match the request's filter. Returns NULL and fills *awards,
 * in the exchange's arena, or returns the error to answer with. */
const struct error *award_query_count(struct exchange *exchange, struct awards *awards);

/* Returns the division with this number if it is neither worked nor abolished; NULL otherwise. */
const struct division *award_query_missing(const struct awards *awards, int number);

/* Returns the division of an item of AWARD_DIVISIONS. */
const struct division *award_query_division(const struct award_item *item);

/* Returns the cells of a band in all modes, or of a mode on all bands. */
award_cells award_query_cells(enum field_index field, int choice);

/* Appends the names of the bands or modes that have a cell in `cells`, each between two copies of
 * `quote`, with `between` as the separator. */
void award_query_append(struct buffer *out, enum field_index field, award_cells cells,
                        const char *quote, const char *between);

#endif
