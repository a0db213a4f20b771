/* Totals of awards: counts by band and mode, dates on which thresholds were reached, and sorted
 * lists. */
#ifndef QSOSYNC_QSO_AWARD_TOTALS_H
#define QSOSYNC_QSO_AWARD_TOTALS_H

#include "qso/awards.h"

/* Counts the items that were worked in any of these cells, and the items that were confirmed in any
 * of these cells. */
void awards_count_items(const struct awards *awards, enum award_subject subject, award_cells cells,
                        int64_t *worked, int64_t *confirmed);

/* A number of items that members try to reach. */
struct award_threshold {
    enum award_subject subject;
    int64_t items;
};
extern const struct award_threshold award_thresholds[];
extern const size_t award_threshold_count;

/* Finds the time at which the number of worked items or, with `confirmed`, of confirmed items
 * reached a threshold. Returns false if the threshold has not been reached so far. */
bool awards_find_passing(const struct awards *awards, const struct award_threshold *threshold,
                         bool confirmed, int64_t *ms);

/* Returns the sorted items: divisions by number, all others by text. The array is in the awards'
 * arena. */
const struct award_item **awards_list(const struct awards *awards, enum award_subject subject);

#endif
