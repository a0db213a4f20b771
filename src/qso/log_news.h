/* Finds the QSOs that were the first of their kind in a log: with a division, a square or a special
 * station, or with a division on a band or in a mode. QSOs count as for awards (awards.h): a
 * station that was only heard does not count. */
#ifndef QSOSYNC_QSO_LOG_NEWS_H
#define QSOSYNC_QSO_LOG_NEWS_H

#include "base/arena.h"
#include "base/table.h"
#include "qso/qso.h"

/* The things that can be new, in ascending order of value. */
enum log_news_kind {
    LOG_NEWS_MODE,
    LOG_NEWS_BAND,
    LOG_NEWS_SPECIAL,
    LOG_NEWS_SQUARE,
    LOG_NEWS_DIVISION,
    LOG_NEWS_KINDS
};

/* The earliest QSO of a kind, for example with a division; id 0: no QSO. */
struct log_news_first {
    int64_t qso_at_ms, id;
};

struct log_news {
    struct arena *arena;
    struct log_news_first *in_divisions; /* indexed by division, band, and mode or no mode */
    struct log_news_first *squares;      /* indexed by square */
    struct table special;                /* struct log_news_first, by callsign */
};

/* A QSO that was new, and its most valuable kind. */
struct log_news_qso {
    int64_t id;
    enum log_news_kind kind;
};

void log_news_begin(struct log_news *news, struct arena *arena);

/* Adds a QSO of the log, which must have at least the fields marked FIELD_COUNTED, with its
 * division (DIVISIONS_NONE: none) and square (-1: unknown). QSOs can be added in any order. */
void log_news_add(struct log_news *news, const struct qso *qso, int division, int square);

/* Lists the QSOs that were new, in the order of their ids, in the arena. Returns their number. */
size_t log_news_list(const struct log_news *news, struct log_news_qso **list);

#endif
