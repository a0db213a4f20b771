/* Compares the QSOs in a log, and finds the first QSOs among very many. */
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
    LOG_BY_CALLSIGN, /* the callsign worked, normalised */
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
    struct text member_locator; /* the point from which the distance is measured */
};

/* The rank of a QSO in an order. QSOs without a value are last in both directions. QSOs with the
 * same value are sorted by time, newest first, and then by id. */
struct log_rank {
    bool has_value;
    int64_t number;             /* the value, if the order compares numbers */
    struct match_callsign text; /* the value, if the order compares texts */
    int64_t qso_at_ms, id;
};

void log_rank_of(const struct qso *qso, const struct log_order *order, struct log_rank *rank);

/* Returns a number less than, equal to or greater than 0 if a is before, equal to or after b. */
int log_rank_compare(const struct log_rank *a, const struct log_rank *b,
                     const struct log_order *order);

/* Collects the first ranks, at most `most`, among all ranks that are added. The collected ranks are
 * sorted. */
struct log_first {
    const struct log_order *order;
    struct log_rank *ranks;
    size_t count, most;
};

/* Begins an empty collection, whose memory is in the arena. */
void log_first_begin(struct log_first *first, const struct log_order *order, size_t most,
                     struct arena *arena);
void log_first_add(struct log_first *first, const struct log_rank *rank);

#endif
