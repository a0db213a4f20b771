/* The public page of a station's log. */
#ifndef QSOSYNC_SITE_LOG_PAGE_H
#define QSOSYNC_SITE_LOG_PAGE_H

#include "http/request.h"

/* Joins the segments of a station's callsign in the path of its page into one. */
void log_page_simplify_path(struct request *request);

#endif
