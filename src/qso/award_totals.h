/* Totals of awards: counts by band and mode, dates on which thresholds were passed, and sorted
 * lists. */
#ifndef QSOSYNC_QSO_AWARD_TOTALS_H
#define QSOSYNC_QSO_AWARD_TOTALS_H

#include "qso/awards.h"

/* The numbers of items worked and confirmed, in any of these cells. */
void awards_count_items(const struct awards *awards, enum award_subject subject, award_cells cells,
                        int64_t *worked, int64_t *confirmed);

/* Numbers of items that members aim at. */
struct award_threshold {
    enum award_subject subject;
    int64_t items;
};
extern const struct award_threshold award_thresholds[];
extern const size_t award_threshold_count;

/* When a threshold was passed: the time of the QSO that made enough items worked, or the time at
 * which enough of them were confirmed. False: not yet. */
bool awards_find_passing(const struct awards *awards, const struct award_threshold *threshold,
                         bool confirmed, int64_t *ms);

/* The items' names in order: divisions by number, all else by text. The array is the arena's. */
const struct award_item **awards_list(const struct awards *awards, enum award_subject subject);

#endif
