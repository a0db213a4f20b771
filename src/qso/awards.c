/* Counts what a log is worth, and says what is new in it. Which QSOs there are is left to the
 * store; what a division is to divisions.c, a special station to special.c, a square to
 * locator.c. */
#include "qso/awards.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/match.h"

#define FIRST_CAPACITY 64
#define YEARS_END 10000

const char *award_subject_name(enum award_subject subject)
{
    static const char *const names[AWARD_SUBJECTS] = {[AWARD_DIVISIONS] = "divisions",
                                                      [AWARD_SQUARES] = "squares",
                                                      [AWARD_SPECIAL] = "special",
                                                      [AWARD_UNKNOWN] = "unknown"};
    return names[subject];
}

/* -- Cells ------------------------------------------------------------------------------------- */

#define CELLS_OF_BAND (MODE_COUNT + 1)

award_cells award_cells_of(int band, int mode)
{
    if (band == BAND_COUNT) {
        award_cells cells = 0;
        for (int each = 0; each < BAND_COUNT; each++)
            cells |= award_cells_of(each, mode);
        return cells;
    }
    const award_cells in_band = mode == MODE_COUNT ? (1u << CELLS_OF_BAND) - 1 : 1u << (mode + 1);
    return in_band << (band * CELLS_OF_BAND);
}

static award_cells cells_of_family(int band, int mode)
{
    award_cells cells = 0;
    for (int each = 0; each < MODE_COUNT; each++)
        if (match_mode_family(each) == match_mode_family(mode))
            cells |= award_cells_of(band, each);
    return cells;
}

static int mode_of(const struct qso *qso)
{
    const struct value *mode = &qso->values[FIELD_MODE];
    return mode->presence == VALUE_PRESENT ? (int)mode->integer : MATCH_NO_MODE;
}

/* -- Lists ------------------------------------------------------------------------------------- */

void awards_begin(struct awards *awards, struct arena *arena)
{
    *awards = (struct awards){
        .arena = arena,
        .hash = keyed_hash_begin(),
        .year_places = arena_allocate_zeroed(arena, YEARS_END * sizeof(int16_t)),
    };
}

/* Where the item of this name stands, or would stand. */
static size_t find_slot(const struct awards *awards, const struct award_list *list,
                        struct text name)
{
    size_t at =
        (size_t)keyed_hash_of(&awards->hash, name.bytes, name.length) & (list->slot_count - 1);
    for (; list->slots[at] != 0; at = (at + 1) & (list->slot_count - 1)) {
        const struct match_callsign *other = &list->items[list->slots[at] - 1].name;
        if (text_equals(name, match_text(other)))
            break;
    }
    return at;
}

/* There are twice as many slots as items, and one more grows both. */
static void grow(struct awards *awards, struct award_list *list)
{
    const struct award_item *old = list->items;
    list->capacity = old ? 2 * list->capacity : FIRST_CAPACITY;
    list->slot_count = 2 * list->capacity;
    list->items = arena_allocate(awards->arena, list->capacity * sizeof *list->items);
    list->slots = arena_allocate_zeroed(awards->arena, list->slot_count * sizeof *list->slots);
    if (old)
        memcpy(list->items, old, list->count * sizeof *old);
    for (size_t i = 0; i < list->count; i++) {
        const struct match_callsign *name = &list->items[i].name;
        list->slots[find_slot(awards, list, match_text(name))] = (int32_t)i + 1;
    }
}

/* NULL: there are too many. */
static struct award_item *take_item(struct awards *awards, enum award_subject subject,
                                    struct text name)
{
    struct award_list *list = &awards->lists[subject];
    if (list->count == list->capacity)
        grow(awards, list);
    size_t slot = find_slot(awards, list, name);
    if (list->slots[slot] != 0)
        return &list->items[list->slots[slot] - 1];
    if (list->count == AWARD_ITEMS_MAX)
        return NULL;
    struct award_item *item = &list->items[list->count++];
    *item = (struct award_item){.name.length = name.length};
    memcpy(item->name.bytes, name.bytes, name.length);
    list->slots[slot] = (int32_t)list->count;
    return item;
}

const struct award_item *awards_find(const struct awards *awards, enum award_subject subject,
                                     struct text name)
{
    const struct award_list *list = &awards->lists[subject];
    if (list->count == 0)
        return NULL;
    const int32_t number = list->slots[find_slot(awards, list, name)];
    return number ? &list->items[number - 1] : NULL;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* What a callsign and a locator count for, by their names; an empty one: for nothing. */
struct names {
    struct match_callsign of[AWARD_SUBJECTS];
};

static void name_all(struct text callsign, struct text locator, struct names *names)
{
    struct match_callsign normal;
    const int division = divisions_number(callsign);
    for (int i = 0; i < AWARD_SUBJECTS; i++)
        names->of[i].length = 0;
    match_normalise_callsign(callsign, &normal);
    if (division != DIVISIONS_NONE)
        names->of[AWARD_DIVISIONS].length =
            (size_t)snprintf(names->of[AWARD_DIVISIONS].bytes,
                             sizeof names->of[AWARD_DIVISIONS].bytes, "%d", division);
    else if (normal.length > 0 && isdigit((unsigned char)normal.bytes[0]))
        names->of[AWARD_UNKNOWN] = normal;
    if (division != DIVISIONS_NONE && special_is(&normal))
        names->of[AWARD_SPECIAL] = normal;
    if (locator.length >= PLACE_SQUARE_LENGTH) {
        names->of[AWARD_SQUARES].length = PLACE_SQUARE_LENGTH;
        text_to_upper((struct text){locator.bytes, PLACE_SQUARE_LENGTH},
                      names->of[AWARD_SQUARES].bytes);
    }
}

/* -- Counting ---------------------------------------------------------------------------------- */

static bool is_earlier(const struct award_moment *a, const struct award_moment *b)
{
    return a->qso_at_ms != b->qso_at_ms ? a->qso_at_ms < b->qso_at_ms : a->id < b->id;
}

static void keep_earlier(const struct award_moment *moment, bool is_first_one,
                         const struct match_callsign *callsign, struct award_moment *kept,
                         struct match_callsign *kept_callsign)
{
    if (!is_first_one && !is_earlier(moment, kept))
        return;
    *kept = *moment;
    kept_callsign->length = callsign->length;
    memcpy(kept_callsign->bytes, callsign->bytes, callsign->length);
}

static void add_to_item(struct award_item *item, const struct qso *qso,
                        const struct match_callsign *callsign)
{
    const struct value *confirmed = &qso->values[FIELD_CROSS_CONFIRMED_AT];
    const award_cells cell = award_cells_of((int)qso->values[FIELD_BAND].integer, mode_of(qso));
    const struct award_moment moment = {qso->values[FIELD_QSO_AT].integer,
                                        qso->values[FIELD_ID].integer};
    keep_earlier(&moment, item->qsos++ == 0, callsign, &item->first, &item->first_callsign);
    item->worked_in |= cell;
    if (confirmed->presence != VALUE_PRESENT)
        return;
    keep_earlier(&moment, item->confirmed++ == 0, callsign, &item->first_confirmed,
                 &item->first_confirmed_callsign);
    item->confirmed_in |= cell;
    if (item->confirmed_at_ms == 0 || confirmed->integer < item->confirmed_at_ms)
        item->confirmed_at_ms = confirmed->integer;
}

/* -- Years ------------------------------------------------------------------------------------- */

#define PAIRS_SIZE 1024

static int year_of(int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
    struct tm date;
    gmtime_r(&seconds, &date);
    return date.tm_year + 1900;
}

static struct award_year *take_year(struct awards *awards, int64_t ms)
{
    const int number = year_of(ms);
    int16_t *place = &awards->year_places[number];
    if (*place == 0) {
        awards->years = arena_grow(awards->arena, awards->years, awards->year_count,
                                   &awards->year_capacity, sizeof *awards->years);
        awards->years[awards->year_count] = (struct award_year){.year = number};
        *place = (int16_t)++awards->year_count;
    }
    return &awards->years[*place - 1];
}

static bool insert_pair(struct award_pairs *pairs, uint64_t number)
{
    /* the upper bits of the product are those of all of the number */
    size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (pairs->size - 1);
    while (pairs->numbers[at] != 0 && pairs->numbers[at] != number)
        at = (at + 1) & (pairs->size - 1);
    const bool is_new = pairs->numbers[at] == 0;
    pairs->numbers[at] = number;
    pairs->count += is_new;
    return is_new;
}

/* True the first time. */
static bool take_pair(struct awards *awards, uint64_t number)
{
    struct award_pairs *pairs = &awards->in_years;
    if (pairs->count * 2 >= pairs->size) {
        const struct award_pairs old = *pairs;
        pairs->size = old.size ? 4 * old.size : PAIRS_SIZE;
        pairs->count = 0;
        pairs->numbers = arena_allocate_zeroed(awards->arena, pairs->size * sizeof *pairs->numbers);
        for (size_t i = 0; i < old.size; i++)
            if (old.numbers[i] != 0)
                insert_pair(pairs, old.numbers[i]);
    }
    return insert_pair(pairs, number);
}

/* `item` is the number of the item in its list. */
static void add_to_year(struct awards *awards, struct award_year *year, int subject, size_t item,
                        bool is_confirmed)
{
    const uint64_t pair =
        (((uint64_t)item * AWARD_COUNTED + (uint64_t)subject) << 16 | (uint64_t)year->year) * 2;
    year->worked[subject] += take_pair(awards, pair);
    if (is_confirmed)
        year->confirmed[subject] += take_pair(awards, pair + 1);
}

static int compare_years(const void *a, const void *b)
{
    return ((const struct award_year *)b)->year - ((const struct award_year *)a)->year;
}

void awards_end(struct awards *awards)
{
    for (int subject = 0; subject < AWARD_COUNTED; subject++)
        for (size_t i = 0; i < awards->lists[subject].count; i++)
            take_year(awards, awards->lists[subject].items[i].first.qso_at_ms)->first[subject]++;
    if (awards->year_count > 0)
        qsort(awards->years, awards->year_count, sizeof *awards->years, compare_years);
}

/* -- Adding ------------------------------------------------------------------------------------ */

static bool was_only_heard(const struct qso *qso)
{
    const struct value *status = &qso->values[FIELD_QSO_STATUS];
    return status->presence == VALUE_PRESENT && status->integer == QSO_STATUS_HRD;
}

void awards_add(struct awards *awards, const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    const bool is_confirmed = qso->values[FIELD_CROSS_CONFIRMED_AT].presence == VALUE_PRESENT;
    struct match_callsign callsign;
    struct names names;
    if (was_only_heard(qso))
        return;
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &callsign);
    name_all(qso_text(qso, FIELD_CALLSIGN_WORKED),
             (struct text){locator, place_find_locator(qso, locator)}, &names);
    awards->qsos++;
    awards->confirmed += is_confirmed;
    struct award_year *year = take_year(awards, qso->values[FIELD_QSO_AT].integer);
    year->qsos++;
    awards->unknown += names.of[AWARD_UNKNOWN].length > 0;
    awards->without_number +=
        names.of[AWARD_UNKNOWN].length == 0 && names.of[AWARD_DIVISIONS].length == 0;
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++) {
        const struct match_callsign *name = &names.of[subject];
        if (name->length == 0)
            continue;
        struct award_item *item = take_item(awards, (enum award_subject)subject, match_text(name));
        if (!item)
            continue;
        add_to_item(item, qso, &callsign);
        if (subject < AWARD_COUNTED)
            add_to_year(awards, year, subject, (size_t)(item - awards->lists[subject].items),
                        is_confirmed);
    }
}

/* -- What is new ------------------------------------------------------------------------------- */

const char *award_news_name(enum award_news news)
{
    static const char *const names[AWARD_NEWS_COUNT] = {[AWARD_NOTHING] = "NOTHING",
                                                        [AWARD_UNCONFIRMED] = "UNCONFIRMED",
                                                        [AWARD_NEW_IN_MODE] = "NEW_IN_MODE",
                                                        [AWARD_NEW_ON_BAND] = "NEW_ON_BAND",
                                                        [AWARD_NEW] = "NEW"};
    return names[news];
}

static enum award_news news_of(const struct award_item *item, int band, int mode)
{
    if (!item)
        return AWARD_NEW;
    if (!(item->worked_in & award_cells_of(band, MODE_COUNT)))
        return AWARD_NEW_ON_BAND;
    if (mode != MATCH_NO_MODE && !(item->worked_in & cells_of_family(band, mode)))
        return AWARD_NEW_IN_MODE;
    return item->confirmed == 0 ? AWARD_UNCONFIRMED : AWARD_NOTHING;
}

void awards_find_news(const struct awards *awards, const struct award_question *question,
                      enum award_news news[AWARD_COUNTED])
{
    struct names names;
    name_all(question->callsign, question->locator, &names);
    for (int subject = 0; subject < AWARD_COUNTED; subject++) {
        const struct match_callsign *name = &names.of[subject];
        const struct award_item *item =
            awards_find(awards, (enum award_subject)subject, match_text(name));
        news[subject] =
            name->length > 0 ? news_of(item, question->band, question->mode) : AWARD_NOTHING;
    }
}

/* Puts in order what awards.c has counted: totals by band and mode, the thresholds that members aim
 * at, with the dates on which they were passed, and sorted lists. Adds no QSO itself.
 */

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

/* Numbers without leading zeros are in order if the shorter comes first. */
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
    const struct award_list *list = &awards->lists[subject];
    const struct award_item **items =
        arena_allocate(awards->arena, (list->count + 1) * sizeof *items);
    for (size_t i = 0; i < list->count; i++)
        items[i] = &list->items[i];
    qsort(items, list->count, sizeof *items,
          subject == AWARD_DIVISIONS ? compare_numbers : compare_texts);
    return items;
}
