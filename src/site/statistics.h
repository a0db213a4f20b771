/* What a log, or a part of it, is in numbers: QSOs by month and hour, stations, squares, divisions
 * and distances. QSOs are added one after the other, in any order. */
#ifndef QSOSYNC_SITE_STATISTICS_H
#define QSOSYNC_SITE_STATISTICS_H

#include "site/distinct.h"
#include "worker/route.h"

#define STATISTICS_HOURS 24
#define STATISTICS_FIELDS 18 /* letters of a locator */
#define STATISTICS_SQUARES (STATISTICS_FIELDS * STATISTICS_FIELDS * 100)
#define STATISTICS_DISTANCES 10

/* Distances are counted below each of these, in km; the last one is beyond all. */
extern const int statistics_distances[STATISTICS_DISTANCES];

struct statistics_month {
    int64_t first_ms, end_ms, qsos, confirmed;
};

struct statistics {
    struct arena *arena;
    struct text member_locator;
    struct distinct stations;
    int64_t qsos, confirmed;
    struct statistics_month *months; /* in order after statistics_end */
    size_t month_count, month_capacity, last_month;
    int32_t *month_places; /* by the number of a month: its place among them plus 1; 0: none */
    int64_t hours[STATISTICS_HOURS];
    int64_t *squares;   /* by their number */
    int64_t *divisions; /* by their number */
    int64_t by_distance[STATISTICS_DISTANCES];
    double farthest_km; /* less than 0: no distance is known */
    int64_t farthest_id, farthest_at_ms;
};

/* Begins with nothing; the memory is the arena's. The locator is where QSOs that name no other were
 * made. */
void statistics_begin(struct statistics *counts, struct text member_locator, struct arena *arena);

/* Adds a QSO that has at least the fields that are FIELD_FILTERED. */
void statistics_add(struct statistics *counts, const struct qso *qso);

/* After the last QSO. */
void statistics_end(struct statistics *counts);

/* Appends what was counted before statistics_end (base/packed.h), and goes on from there. False:
 * *rest does not begin with that. */
void statistics_save(const struct statistics *counts, struct buffer *out);
bool statistics_load(struct statistics *counts, struct text member_locator, struct text *rest,
                     struct arena *arena);

/* Appends them as members of a JSON object, in the snapshot in which they were counted. Empties
 * what it has written. */
enum store_result statistics_write(struct statistics *counts, struct exchange *exchange,
                                   struct buffer *body);

#endif
