/* The order in which a log is listed, and the first QSOs of it among very many. */
#ifndef QSOSYNC_QSO_LOG_ORDER_H
#define QSOSYNC_QSO_LOG_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/match.h"
#include "qso/qso.h"

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

/* Where a QSO stands in an order. QSOs without a value come last in either direction, and those of
 * the same value newest first; ids tell apart what is left. */
struct log_rank {
    bool has_value;
    int64_t number;             /* of what is ordered by a number */
    struct match_callsign text; /* of what is ordered by a text */
    int64_t qso_at_ms, id;
};

void log_rank_of(const struct qso *qso, const struct log_order *order, struct log_rank *rank);

/* Less than 0 if a comes before b. */
int log_rank_compare(const struct log_rank *a, const struct log_rank *b,
                     const struct log_order *order);

/* The first `most` of the ranks that were added, in time that grows with their logarithm alone. */
struct log_first {
    const struct log_order *order;
    struct log_rank *ranks; /* a heap: the last of them at the top */
    size_t count, most;
};

/* The memory is the arena's. */
void log_first_begin(struct log_first *first, const struct log_order *order, size_t most,
                     struct arena *arena);
void log_first_add(struct log_first *first, const struct log_rank *rank);

/* Puts them in their order, after which no more may be added. */
void log_first_end(struct log_first *first);

/* The cursor of GET /logs: opaque text made of the position after the last QSO of a page. */

#define CURSOR_LENGTH 40 /* without a NUL */

/* Writes CURSOR_LENGTH characters that need no encoding in a query string, no NUL. */
void cursor_format(int64_t synced_at_ms, int64_t id, char *out);

/* Reads what cursor_format wrote. Returns false for anything else: the last characters are a
 * checksum, so that a damaged cursor is noticed and never skips QSOs. */
bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id);

#endif
