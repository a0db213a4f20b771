/* Keeps how far awards.c has counted, as it is in memory, so that it can go on from there. Where it
 * is kept, and how long it holds, is left to others.
 */
#include "base/packed.h"
#include "qso/awards.h"

/* Of other sizes on other processors. */
static const size_t sizes[] = {sizeof(struct awards), sizeof(struct award_item),
                               sizeof(struct award_year)};

static void save_list(const struct award_list *list, struct buffer *out)
{
    buffer_append(out, list->items, list->count * sizeof *list->items);
    buffer_append(out, list->slots, list->slot_count * sizeof *list->slots);
}

void awards_save(const struct awards *awards, struct buffer *out)
{
    struct awards saved = *awards;
    saved.arena = NULL;
    saved.years = NULL;
    saved.year_places = NULL;
    saved.in_years.numbers = NULL;
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++) {
        saved.lists[subject].items = NULL;
        saved.lists[subject].slots = NULL;
    }
    buffer_append(out, sizes, sizeof sizes);
    buffer_append(out, &saved, sizeof saved);
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++)
        save_list(&awards->lists[subject], out);
    buffer_append(out, awards->years, awards->year_count * sizeof *awards->years);
    buffer_append(out, awards->in_years.numbers,
                  awards->in_years.size * sizeof *awards->in_years.numbers);
}

/* With space for as many as before: there are twice as many slots. */
static bool load_list(struct award_list *list, struct text *rest, struct arena *arena)
{
    if (list->capacity == 0)
        return list->count == 0 && list->slot_count == 0;
    if ((list->slot_count & (list->slot_count - 1)) != 0 ||
        list->slot_count != 2 * list->capacity ||
        !packed_take_array(rest, arena, list->count, list->capacity, sizeof *list->items,
                           &list->items) ||
        !packed_take_array(rest, arena, list->slot_count, list->slot_count, sizeof *list->slots,
                           &list->slots))
        return false;
    for (size_t i = 0; i < list->slot_count; i++)
        if (list->slots[i] < 0 || (size_t)list->slots[i] > list->count)
            return false;
    return true;
}

static bool load_years(struct awards *awards, struct text *rest)
{
    awards->years = NULL;
    awards->last_year = 0;
    awards->year_capacity = awards->year_count;
    if (awards->year_count > 0 &&
        !packed_take_array(rest, awards->arena, awards->year_count, awards->year_count,
                           sizeof *awards->years, &awards->years))
        return false;
    for (size_t i = 0; i < awards->year_count; i++) {
        if (awards->years[i].year < 0 || awards->years[i].year >= AWARD_YEARS_END)
            return false;
        awards->year_places[awards->years[i].year] = (int16_t)(i + 1);
    }
    return true;
}

bool awards_load(struct awards *awards, struct text *rest, struct arena *arena)
{
    struct award_pairs *pairs = &awards->in_years;
    size_t saved_sizes[sizeof sizes / sizeof *sizes];
    if (!packed_take(rest, saved_sizes, sizeof saved_sizes) ||
        memcmp(saved_sizes, sizes, sizeof sizes) != 0 || !packed_take(rest, awards, sizeof *awards))
        return false;
    awards->arena = arena;
    awards->year_places = arena_allocate_zeroed(arena, AWARD_YEARS_END * sizeof(int16_t));
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++)
        if (!load_list(&awards->lists[subject], rest, arena))
            return false;
    if (!load_years(awards, rest) || (pairs->size & (pairs->size - 1)) != 0 ||
        pairs->count > pairs->size / 2)
        return false;
    return packed_take_array(rest, arena, pairs->size, pairs->size, sizeof *pairs->numbers,
                             &pairs->numbers);
}
