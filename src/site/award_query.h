/* What the part of a log is worth that the query of an address wants. */
#ifndef QSOSYNC_SITE_AWARD_QUERY_H
#define QSOSYNC_SITE_AWARD_QUERY_H

#include "http/error.h"
#include "qso/awards.h"
#include "qso/divisions.h"
#include "worker/route.h"

/* Counts on one walk over the log. The query is that of log_query.h. NULL: *awards is filled, from
 * the exchange's arena. */
const struct error *award_query_count(struct exchange *exchange, struct awards *awards);

/* The division with this number where it is neither worked nor abolished; NULL otherwise. */
const struct division *award_query_missing(const struct awards *awards, int number);

/* The division of an item of AWARD_DIVISIONS. */
const struct division *award_query_division(const struct award_item *item);

#endif
