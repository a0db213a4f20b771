/* Orders QSOs of a log, and finds the first of very many in that order. */
#ifndef QSOSYNC_QSO_LOG_ORDER_H
#define QSOSYNC_QSO_LOG_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/match_callsign.h"
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

#endif
