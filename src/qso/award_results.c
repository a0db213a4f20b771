/* Puts in order what awards.c has counted: totals by band and mode, the thresholds that members aim
 * at, with the dates on which they were passed, and sorted lists. Adds no QSO itself.
 */
#include <stdlib.h>
#include <string.h>

#include "qso/awards.h"

void awards_count_items(const struct awards *awards, enum award_subject subject, award_cells cells,
                        int64_t *worked, int64_t *confirmed)
{
    const struct award_list *list = &awards->lists[subject];
    *worked = *confirmed = 0;
    for (size_t i = 0; i < list->count; i++) {
        *worked += (list->items[i].worked_in & cells) != 0;
        *confirmed += (list->items[i].confirmed_in & cells) != 0;
    }
}

/* -- Thresholds -------------------------------------------------------------------------------- */

const struct award_threshold award_thresholds[] = {
    {AWARD_DIVISIONS, 25},  {AWARD_DIVISIONS, 50},  {AWARD_DIVISIONS, 100}, {AWARD_DIVISIONS, 150},
    {AWARD_DIVISIONS, 200}, {AWARD_DIVISIONS, 250}, {AWARD_DIVISIONS, 300}, {AWARD_SQUARES, 50},
    {AWARD_SQUARES, 100},   {AWARD_SQUARES, 200},   {AWARD_SQUARES, 300},   {AWARD_SQUARES, 500},
    {AWARD_SQUARES, 1000},  {AWARD_SPECIAL, 10},    {AWARD_SPECIAL, 25},    {AWARD_SPECIAL, 50},
    {AWARD_SPECIAL, 100},
};
const size_t award_threshold_count = sizeof award_thresholds / sizeof *award_thresholds;

static int compare_times(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

bool awards_find_passing(const struct awards *awards, const struct award_threshold *threshold,
                         bool confirmed, int64_t *ms)
{
    const struct award_list *list = &awards->lists[threshold->subject];
    int64_t *times = arena_allocate(awards->arena, (list->count + 1) * sizeof *times);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!confirmed || list->items[i].confirmed > 0)
            times[count++] =
                confirmed ? list->items[i].confirmed_at_ms : list->items[i].first.qso_at_ms;
    if ((int64_t)count < threshold->items)
        return false;
    qsort(times, count, sizeof *times, compare_times);
    *ms = times[threshold->items - 1];
    return true;
}

/* -- Order ------------------------------------------------------------------------------------- */

/* Numbers without leading zeros are in order where the shorter comes first. */
static int compare_numbers(const void *a, const void *b)
{
    const struct match_callsign *left = &(*(struct award_item *const *)a)->name,
                                *right = &(*(struct award_item *const *)b)->name;
    if (left->length != right->length)
        return left->length < right->length ? -1 : 1;
    return memcmp(left->bytes, right->bytes, left->length);
}

static int compare_texts(const void *a, const void *b)
{
    const struct match_callsign *left = &(*(struct award_item *const *)a)->name,
                                *right = &(*(struct award_item *const *)b)->name;
    const size_t shorter = left->length < right->length ? left->length : right->length;
    const int order = memcmp(left->bytes, right->bytes, shorter);
    return order ? order : (left->length > right->length) - (left->length < right->length);
}

const struct award_item **awards_list(const struct awards *awards, enum award_subject subject)
{
    const struct award_list *list = &awards->lists[subject];
    const struct award_item **items =
        arena_allocate(awards->arena, (list->count + 1) * sizeof *items);
    for (size_t i = 0; i < list->count; i++)
        items[i] = &list->items[i];
    qsort(items, list->count, sizeof *items,
          subject == AWARD_DIVISIONS ? compare_numbers : compare_texts);
    return items;
}
