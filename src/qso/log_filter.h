/* Selects QSOs from a log. */
#ifndef QSOSYNC_QSO_LOG_FILTER_H
#define QSOSYNC_QSO_LOG_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "qso/match_callsign.h"
#include "qso/qso.h"
#include "qso/search.h"

#define LOG_FILTER_NO_MODE MODE_COUNT /* the bit of QSOs without a mode */

enum log_filter_state { LOG_FILTER_BOTH, LOG_FILTER_YES, LOG_FILTER_NO };

/* Some years or divisions. An empty list does not filter. */
struct log_filter_list {
    int *numbers;
    size_t count;
};

/* The conditions for a QSO. The filter selects a QSO if all conditions are met. log_filter_begin
 * creates a filter that selects all QSOs. */
struct log_filter {
    int64_t from_ms, to_ms;           /* earliest and latest qsoAt, both included */
    struct log_filter_list years;     /* from_ms and to_ms span these years, and perhaps others */
    uint32_t bands;                   /* a bit for each value of enum band; 0: any band */
    uint32_t modes;                   /* a bit for each value of enum mode; 0: any mode */
    struct log_filter_list divisions; /* their numbers (divisions.h) */
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
