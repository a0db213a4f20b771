/* Selects QSOs of a log, orders them, and finds the first of very many in that order. */
#ifndef QSOSYNC_QSO_LOG_FILTER_H
#define QSOSYNC_QSO_LOG_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/match.h"
#include "qso/qso.h"

#define LOG_FILTER_ANY (-1)
#define LOG_FILTER_NO_MODE (-2)

enum log_filter_state { LOG_FILTER_BOTH, LOG_FILTER_YES, LOG_FILTER_NO };

/* Only what fits all of it. Begin with log_filter_begin, which wants everything. */
struct log_filter {
    int64_t from_ms, to_ms; /* bounds of qsoAt, both included */
    int band;               /* enum band, or LOG_FILTER_ANY */
    int mode;               /* enum mode, LOG_FILTER_ANY, or LOG_FILTER_NO_MODE */
    int division;           /* number in divisions.h, or LOG_FILTER_ANY */
    enum log_filter_state confirmed, qsl_sent, qsl_received;
    struct text square;             /* how the locator begins, in upper case; no text: any */
    struct match_callsign callsign; /* how the callsign worked begins; empty: any */
    struct text text;               /* text contained in any text of the QSO, folded by fold_text */
    struct match_callsign text_callsign; /* the same as part of a callsign; empty: as no part */
    struct buffer *scratch;              /* the arena's */
};

void log_filter_begin(struct log_filter *filter, struct arena *arena);

/* True if it wants everything. */
bool log_filter_wants_all(const struct log_filter *filter);

/* True if the QSO is wanted. It has at least the fields that are FIELD_FILTERED, or if the filter
 * has a text, all of them. */
bool log_filter_fits(const struct log_filter *filter, const struct qso *qso);

/* Texts as a search compares them: letters without case and without accents. */

/* Replaces the buffer's content by the text in the form that is compared: canonical decomposition
 * with full case folding (Unicode, sections 3.11 and 5.18), without combining marks, so that
 * "zürich" and "ZURICH" are the same, however the letter is put together. What is not UTF-8 ends
 * the text. */
void fold_text(struct text text, struct buffer *out);

/* True if the folded text holds the folded part somewhere. */
bool fold_holds(const struct buffer *folded, struct text part);

/* -- Order ------------------------------------------------------------------------------------- */

enum log_order_key {
    LOG_BY_TIME,
    LOG_BY_CALLSIGN, /* worked, in the form that is compared */
    LOG_BY_BAND,     /* 11 m by frequency, then PMR446 by channel */
    LOG_BY_MODE,
    LOG_BY_DIVISION,
    LOG_BY_SQUARE,
    LOG_BY_DISTANCE,
    LOG_ORDER_KEYS,
};

struct log_order {
    enum log_order_key key;
    bool descending;
    struct text member_locator; /* from where the distance is measured */
};

/* The place of a QSO in an order. QSOs without a value come last in either direction, and QSOs of
 * the same value newest first; ids order the rest. */
struct log_rank {
    bool has_value;
    int64_t number;             /* if ordered by a number */
    struct match_callsign text; /* if ordered by a text */
    int64_t qso_at_ms, id;
};

void log_rank_of(const struct qso *qso, const struct log_order *order, struct log_rank *rank);

/* Less than 0 if a comes before b. */
int log_rank_compare(const struct log_rank *a, const struct log_rank *b,
                     const struct log_order *order);

/* The first `most` of the ranks that were added, in their order. */
struct log_first {
    const struct log_order *order;
    struct log_rank *ranks;
    size_t count, most;
};

/* The memory is the arena's. */
void log_first_begin(struct log_first *first, const struct log_order *order, size_t most,
                     struct arena *arena);
void log_first_add(struct log_first *first, const struct log_rank *rank);

/* The cursor of GET /logs: opaque text made of the position after the last QSO of a page. */

#define CURSOR_LENGTH 40 /* without a NUL */

/* Writes CURSOR_LENGTH characters that need no encoding in a query string, no NUL. */
void cursor_format(int64_t synced_at_ms, int64_t id, char *out);

/* Reads what cursor_format wrote. Returns false for anything else: the last characters are a
 * checksum, so that a damaged cursor is noticed and never skips QSOs. */
bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id);

#endif
