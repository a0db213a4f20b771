/* Counts the awards of a log, and finds what is needed for them. The store supplies the QSOs;
 * divisions.c defines divisions, match.c special stations, locator.c squares. */
#include "qso/awards.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/format.h"
#include "qso/divisions.h"
#include "qso/locator.h"
#include "qso/match.h"

const char *award_subject_name(enum award_subject subject)
{
    static const char *const names[AWARD_SUBJECTS] = {"divisions", "squares", "special", "unknown"};
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

/* -- Lists ------------------------------------------------------------------------------------- */

/* Whether the item has been counted for a year. */
struct in_year {
    bool worked, confirmed;
};

void awards_begin(struct awards *awards, struct arena *arena)
{
    *awards = (struct awards){.arena = arena};
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++)
        table_begin(&awards->lists[subject], arena, sizeof(struct award_item));
    table_begin(&awards->all_years, arena, sizeof(struct award_year));
    table_begin(&awards->in_years, arena, sizeof(struct in_year));
}

/* NULL: there are too many. */
static struct award_item *take_item(struct awards *awards, int subject,
                                    const struct match_callsign *name)
{
    struct table *list = &awards->lists[subject];
    struct award_item *item = list->count < AWARD_ITEMS_MAX ? table_at(list, match_text(name))
                                                            : table_find(list, match_text(name));
    if (item)
        item->name = *name;
    return item;
}

const struct award_item *awards_find(const struct awards *awards, enum award_subject subject,
                                     struct text name)
{
    return table_find(&awards->lists[subject], name);
}

static const struct award_item *item_of(const struct table_entry *entry)
{
    return (const struct award_item *)entry->value;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* The items for which a callsign and a locator count, by name; an empty name: none. */
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
            format_cut(names->of[AWARD_DIVISIONS].bytes, sizeof names->of[AWARD_DIVISIONS].bytes,
                       "%d", division);
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

static void keep_earlier(const struct award_first *qso, bool is_only_one, struct award_first *kept)
{
    if (is_only_one || qso->qso_at_ms < kept->qso_at_ms ||
        (qso->qso_at_ms == kept->qso_at_ms && qso->id < kept->id))
        *kept = *qso;
}

static void add_to_item(struct award_item *item, const struct qso *qso,
                        const struct match_callsign *callsign)
{
    const struct value *confirmed = &qso->values[FIELD_CROSS_CONFIRMED_AT];
    const award_cells cell = award_cells_of((int)qso->values[FIELD_BAND].integer,
                                            (int)qso_integer_or(qso, FIELD_MODE, MATCH_NO_MODE));
    const struct award_first this = {qso->values[FIELD_QSO_AT].integer,
                                     qso->values[FIELD_ID].integer, *callsign};
    keep_earlier(&this, item->qsos++ == 0, &item->first);
    item->worked_in |= cell;
    if (confirmed->state != VALUE_PRESENT)
        return;
    keep_earlier(&this, item->confirmed++ == 0, &item->first_confirmed);
    item->confirmed_in |= cell;
    if (item->confirmed_at_ms == 0 || confirmed->integer < item->confirmed_at_ms)
        item->confirmed_at_ms = confirmed->integer;
}

/* -- Years ------------------------------------------------------------------------------------- */

static struct award_year *take_year(struct awards *awards, int64_t ms)
{
    const time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
    struct tm date;
    gmtime_r(&seconds, &date);
    const int number = date.tm_year + 1900;
    struct award_year *year =
        table_at(&awards->all_years, (struct text){(const char *)&number, sizeof number});
    year->year = number;
    return year;
}

static void add_to_year(struct awards *awards, struct award_year *year, int subject,
                        const struct award_item *item, bool is_confirmed)
{
    const struct {
        const struct award_item *item;
        struct award_year *year;
    } pair = {item, year};
    struct in_year *in_year =
        table_at(&awards->in_years, (struct text){(const char *)&pair, sizeof pair});
    year->worked[subject] += !in_year->worked;
    in_year->worked = true;
    year->confirmed[subject] += is_confirmed && !in_year->confirmed;
    in_year->confirmed |= is_confirmed;
}

static int compare_years(const void *a, const void *b)
{
    return ((const struct award_year *)b)->year - ((const struct award_year *)a)->year;
}

void awards_end(struct awards *awards)
{
    for (int subject = 0; subject < AWARD_COUNTED; subject++)
        for (const struct table_entry *at = awards->lists[subject].first; at; at = at->next)
            take_year(awards, item_of(at)->first.qso_at_ms)->first[subject]++;
    awards->years = arena_allocate(awards->arena, awards->all_years.count * sizeof *awards->years);
    for (const struct table_entry *at = awards->all_years.first; at; at = at->next)
        awards->years[awards->year_count++] = *(const struct award_year *)at->value;
    qsort(awards->years, awards->year_count, sizeof *awards->years, compare_years);
}

/* -- Adding ------------------------------------------------------------------------------------ */

void awards_add(struct awards *awards, const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    const bool is_confirmed = qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT;
    struct match_callsign callsign;
    struct names names;
    if (qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD)
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
        struct award_item *item = take_item(awards, subject, name);
        if (!item)
            continue;
        add_to_item(item, qso, &callsign);
        if (subject < AWARD_COUNTED)
            add_to_year(awards, year, subject, item, is_confirmed);
    }
}

/* -- What is new ------------------------------------------------------------------------------- */

static enum award_needed needed_of(const struct award_item *item, int band, int mode)
{
    if (!item)
        return AWARD_NEW;
    if (!(item->worked_in & award_cells_of(band, MODE_COUNT)))
        return AWARD_NEW_ON_BAND;
    if (mode != MATCH_NO_MODE && !(item->worked_in & cells_of_family(band, mode)))
        return AWARD_NEW_IN_MODE;
    return item->confirmed == 0 ? AWARD_UNCONFIRMED : AWARD_NOTHING;
}

void awards_find_needed(const struct awards *awards, const struct award_question *question,
                        enum award_needed needed[AWARD_COUNTED])
{
    struct names names;
    name_all(question->callsign, question->locator, &names);
    for (int subject = 0; subject < AWARD_COUNTED; subject++) {
        const struct match_callsign *name = &names.of[subject];
        const struct award_item *item =
            awards_find(awards, (enum award_subject)subject, match_text(name));
        needed[subject] =
            name->length > 0 ? needed_of(item, question->band, question->mode) : AWARD_NOTHING;
    }
}

/* Sorts the counts: totals by band and mode, thresholds with the dates on which they were passed,
 * and sorted lists. Adds no QSO itself. */

void awards_count_items(const struct awards *awards, enum award_subject subject, award_cells cells,
                        int64_t *worked, int64_t *confirmed)
{
    *worked = *confirmed = 0;
    for (const struct table_entry *at = awards->lists[subject].first; at; at = at->next) {
        *worked += (item_of(at)->worked_in & cells) != 0;
        *confirmed += (item_of(at)->confirmed_in & cells) != 0;
    }
}

/* -- Thresholds -------------------------------------------------------------------------------- */

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
