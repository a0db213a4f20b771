/* Counts the last year of a log for the statistics: QSOs per day; stations worked per month; and
 * the divisions, the squares and the greatest distance up to the end of each month. The year ends
 * with a given time, and the walk over the log can be in any order. */
#ifndef QSOSYNC_SITE_STATISTICS_YEAR_H
#define QSOSYNC_SITE_STATISTICS_YEAR_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/number_set.h"

#define STATISTICS_YEAR_MONTHS 12
#define STATISTICS_YEAR_DAYS 371 /* 53 weeks */

struct statistics_year_qso {
    int64_t at_ms;
    int month;        /* datetime_count_months(at_ms) */
    uint64_t station; /* hash of the callsign; 0: no callsign */
    int division;     /* DIVISIONS_NONE: unknown */
    int square;       /* -1: unknown */
    double km;        /* negative: unknown */
};

struct statistics_year {
    int first_month;
    int64_t first_day; /* days since 1970 */
    int64_t days[STATISTICS_YEAR_DAYS];
    struct {
        struct number_set *stations;
        int64_t station_count;
    } months[STATISTICS_YEAR_MONTHS];
    /* Number of the first month with a QSO, plus 1, by division and by square; 0: never. */
    int *divisions, *squares;
    /* Greatest distance, by month; the first element is for all earlier months. */
    double km[1 + STATISTICS_YEAR_MONTHS];
};

/* Begins a year that ends with the month and the day of last_ms. */
void statistics_year_begin(struct statistics_year *year, struct arena *arena, int64_t last_ms);

/* Counts a QSO, which can be outside the year. */
void statistics_year_count(struct statistics_year *year, const struct statistics_year_qso *qso);

/* Writes the fields recentMonths and recentDays. */
void statistics_year_write(const struct statistics_year *year, struct arena *arena,
                           struct buffer *body);

#endif
