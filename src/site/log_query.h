/* A filter and an order of a log, as the query of an address holds them. */
#ifndef QSOSYNC_SITE_LOG_QUERY_H
#define QSOSYNC_SITE_LOG_QUERY_H

#include "http/error.h"
#include "qso/log_filter.h"
#include "qso/log_order.h"
#include "store/log.h"
#include "worker/route.h"

/* Reads band, mode, year, from, to, confirmed, qslSent, qslReceived, division, square, callsign and
 * text; an empty one wants everything. NULL: *filter is filled. A
 * value that none of them can have is refused, in words for the page. */
const struct error *log_query_read_filter(struct exchange *exchange, struct log_filter *filter);

/* The walk over a log on which everything that the filter wants comes by. */
struct log_walk log_query_walk(const struct log_filter *filter);

/* Reads sort: a key of log_filter.h, after a minus sign if the greatest comes first; -time if
 * it is not there. */
const struct error *log_query_read_order(struct exchange *exchange, struct log_order *order);

/* Reads the filter, and calls visit for each QSO that it wants, in any order. */
const struct error *log_query_visit(struct exchange *exchange, qso_visitor *visit, void *context);

#endif
