/* The public page about a station's log. */
#ifndef QSOSYNC_SITE_LOG_PAGE_H
#define QSOSYNC_SITE_LOG_PAGE_H

#include "http/request.h"
#include "worker/route.h"
#include "site/public/routes.h"

#define LOG_PAGE_SEGMENT 1 /* /log/{station} */

/* Joins the segments of a station's callsign in the page's path into one segment. */
void log_page_simplify_path(struct request *request);

/* Finds the station in the path. Returns NULL and fills exchange->identity with the identity of the
 * station, not of a visitor, so the answer need not be private. Otherwise returns the error to
 * answer with. */
const struct error *log_page_find_station(struct exchange *exchange);

/* Defines a row of the route table, for the page or its data. */
#define LOG_ROUTE(name, where, function, ...)                                                      \
    SITE_ROUTE(name, METHOD_GET, "/log/{station}" where, .use = USES_SNAPSHOT, .status = 200,      \
               .answer = function, __VA_ARGS__)

#endif
