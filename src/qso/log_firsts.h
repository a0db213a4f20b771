/* Finds the QSOs that were the first of their kind in a log: with a division, a square or a special
 * station, or with a division on a band or in a mode. QSOs count as for awards (awards.h): a
 * station that was only heard does not count. */
#ifndef QSOSYNC_QSO_LOG_FIRST_H
#define QSOSYNC_QSO_LOG_FIRST_H

#include "base/arena.h"
#include "base/table.h"
#include "qso/qso.h"

/* The things that can be new, in ascending order of value. */
enum log_firsts_kind {
    LOG_FIRST_MODE,
    LOG_FIRST_BAND,
    LOG_FIRST_SPECIAL,
    LOG_FIRST_SQUARE,
    LOG_FIRST_DIVISION,
    LOG_FIRST_KINDS
};

/* The earliest QSO of a kind, for example with a division; id 0: no QSO. */
struct log_first_qso {
    int64_t qso_at_ms, id;
};

struct log_firsts {
    struct arena *arena;
    struct log_first_qso *in_divisions; /* indexed by division, band, and mode or no mode */
    struct log_first_qso *squares;      /* indexed by square */
    struct table special;               /* struct log_first_qso, by callsign */
};

/* A QSO that was new, and its most valuable kind. */
struct log_listed_first {
    int64_t qso_at_ms, id;
    enum log_firsts_kind kind;
};

void log_firsts_begin(struct log_firsts *firsts, struct arena *arena);

/* Adds a QSO of the log, which must have at least the fields marked FIELD_COUNTED, with its
 * division (DIVISIONS_NONE: none) and square (-1: unknown). QSOs can be added in any order. */
void log_firsts_add(struct log_firsts *firsts, const struct qso *qso, int division, int square);

/* Lists the QSOs that were new, in the order of their ids, in the arena. Returns their number. */
size_t log_firsts_list(const struct log_firsts *firsts, struct log_listed_first **list);

#endif
