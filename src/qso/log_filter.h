/* Which QSOs of a log somebody wants to see: one filter for the list, the numbers and the files;
 * and texts as a search compares them. */
#ifndef QSOSYNC_QSO_LOG_FILTER_H
#define QSOSYNC_QSO_LOG_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/text.h"
#include "qso/match.h"
#include "qso/qso.h"

#define LOG_FILTER_ANY (-1)
#define LOG_FILTER_NO_MODE (-2)

enum log_filter_state { LOG_FILTER_BOTH, LOG_FILTER_YES, LOG_FILTER_NO };

/* Only what fits all of it. Begin with log_filter_begin, which wants everything. */
struct log_filter {
    int64_t from_ms, to_ms; /* of qsoAt, both included */
    int band;               /* enum band, or LOG_FILTER_ANY */
    int mode;               /* enum mode, LOG_FILTER_ANY, or LOG_FILTER_NO_MODE */
    int division;           /* of divisions.h, or LOG_FILTER_ANY */
    enum log_filter_state confirmed, qsl_sent, qsl_received;
    struct text square;             /* how the locator begins, in upper case; no text: any */
    struct match_callsign callsign; /* how the callsign worked begins; empty: any */
    struct text text;               /* what some text of the QSO holds, as fold_text makes it */
    struct match_callsign text_callsign; /* the same as part of a callsign; empty: as no part */
    struct buffer scratch;               /* the filter's own, to be freed */
};

void log_filter_begin(struct log_filter *filter);
void log_filter_free(struct log_filter *filter);

/* True if the filter looks at fields that are not FIELD_FILTERED. */
bool log_filter_needs_texts(const struct log_filter *filter);

/* True if the QSO is wanted. It has at least the fields that are FIELD_FILTERED, or if
 * log_filter_needs_texts says so, all of them. */
bool log_filter_fits(struct log_filter *filter, const struct qso *qso);

/* Texts as a search compares them: letters without case and without accents. */

/* Replaces the buffer's content by the text in the form that is compared: canonical decomposition
 * with full case folding (Unicode, sections 3.11 and 5.18), without combining marks, so that
 * "zürich" and "ZURICH" are the same, however the letter is put together. What is not UTF-8 ends
 * the text. */
void fold_text(struct text text, struct buffer *out);

/* True if the folded text holds the folded part somewhere. */
bool fold_holds(const struct buffer *folded, struct text part);

#endif
