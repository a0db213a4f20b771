/* The filter and the order of a log in a request's query. */
#ifndef QSOSYNC_SITE_LOG_QUERY_H
#define QSOSYNC_SITE_LOG_QUERY_H

#include "http/error.h"
#include "qso/log_filter.h"
#include "qso/log_order.h"
#include "store/log/log.h"
#include "worker/route.h"

/* Reads band, mode, year, from, to, confirmed, qslSent, qslReceived, division, square, callsign and
 * text. An empty value does not filter. Several bands, modes, years or divisions are separated by
 * commas, and select the QSOs with any of them. Returns NULL and fills *filter, or returns the
 * error about an invalid value, with a text for the page. */
const struct error *log_query_read_filter(struct exchange *exchange, struct log_filter *filter);

/* Returns the walk over a log that visits all QSOs that match the filter, and possibly other QSOs.
 */
struct log_walk log_query_walk(const struct log_filter *filter);

/* Reads the parameter "sort": a key of qso/log_order.h, after a minus sign for descending order. If
 * the parameter is missing, the order is -time. */
const struct error *log_query_read_order(struct exchange *exchange, struct log_order *order);

/* Reads the filter, and calls `visit` for each matching QSO. The QSOs are in no particular
 * order. */
const struct error *log_query_visit(struct exchange *exchange, qso_visitor *visit, void *context);

#endif
