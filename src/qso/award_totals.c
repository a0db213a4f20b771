/* Counts and sorts the awards' items. */
#include "qso/award_totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/match_callsign.h"

static const struct award_item *item_of(const struct table_entry *entry)
{
    return (const struct award_item *)entry->value;
}

void awards_count_items(const struct awards *awards, enum award_subject subject, award_cells cells,
                        int64_t *worked, int64_t *confirmed)
{
    *worked = *confirmed = 0;
    for (const struct table_entry *at = awards->lists[subject].first; at; at = at->next) {
        *worked += (item_of(at)->worked_in & cells) != 0;
        *confirmed += (item_of(at)->confirmed_in & cells) != 0;
    }
}

const struct award_threshold award_thresholds[] = {
#define ROW(subject, items) {AWARD_##subject, items},
#include "schema/awards.inc"
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
    const struct table *list = &awards->lists[threshold->subject];
    int64_t *times = arena_allocate(awards->arena, (list->count + 1) * sizeof *times);
    size_t count = 0;
    for (const struct table_entry *at = list->first; at; at = at->next)
        if (!confirmed || item_of(at)->confirmed > 0)
            times[count++] =
                confirmed ? item_of(at)->confirmed_at_ms : item_of(at)->first.qso_at_ms;
    if ((int64_t)count < threshold->items)
        return false;
    qsort(times, count, sizeof *times, compare_times);
    *ms = times[threshold->items - 1];
    return true;
}

/* Compares numbers without leading zeros, given as text. A shorter number is less. */
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
    const struct award_item *left = *(struct award_item *const *)a,
                            *right = *(struct award_item *const *)b;
    return text_compare(match_text(&left->name), match_text(&right->name));
}

const struct award_item **awards_list(const struct awards *awards, enum award_subject subject)
{
    const struct table *list = &awards->lists[subject];
    const struct award_item **items =
        arena_allocate(awards->arena, (list->count + 1) * sizeof *items);
    size_t count = 0;
    for (const struct table_entry *at = list->first; at; at = at->next)
        items[count++] = item_of(at);
    qsort(items, count, sizeof *items,
          subject == AWARD_DIVISIONS ? compare_numbers : compare_texts);
    return items;
}
