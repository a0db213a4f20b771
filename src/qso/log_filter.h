/* Selects QSOs from a log. */
#ifndef QSOSYNC_QSO_LOG_FILTER_H
#define QSOSYNC_QSO_LOG_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "qso/match_callsign.h"
#include "qso/qso.h"
#include "qso/search.h"

#define LOG_FILTER_ANY (-1)
#define LOG_FILTER_NO_MODE (-2)

enum log_filter_state { LOG_FILTER_BOTH, LOG_FILTER_YES, LOG_FILTER_NO };

/* The conditions for a QSO. The filter selects a QSO if all conditions are met. log_filter_begin
 * creates a filter that selects all QSOs. */
struct log_filter {
    int64_t from_ms, to_ms; /* earliest and latest qsoAt, both included */
    int band;               /* a value of enum band, or LOG_FILTER_ANY */
    int mode;               /* a value of enum mode, LOG_FILTER_ANY, or LOG_FILTER_NO_MODE */
    int division;           /* a division's number (divisions.h), or LOG_FILTER_ANY */
    enum log_filter_state confirmed, qsl_sent, qsl_received;
    /* beginning of the locator, in upper case; no text: any locator */
    struct text square;
    /* beginning of the normalised callsign worked; empty: any callsign */
    struct match_callsign callsign;
    struct search search;
};

void log_filter_begin(struct log_filter *filter);

/* Returns whether the filter selects all QSOs. */
bool log_filter_wants_all(const struct log_filter *filter);

/* Returns whether the filter selects the QSO. The QSO must have at least the fields marked
 * FIELD_FILTERED or, if the filter has a search, all fields. */
bool log_filter_fits(const struct log_filter *filter, const struct qso *qso);

#endif
