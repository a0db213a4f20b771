/* Counts a log's awards. The store supplies the QSOs; award_names.c finds the items for which a QSO
 * counts. */
#include "qso/awards.h"

#include <stdlib.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/match.h"
#include "qso/place.h"

/* Flags for an item in a year: whether the item has been counted as worked, and as confirmed. */
struct award_in_year {
    bool worked, confirmed;
};

void awards_begin(struct awards *awards, struct arena *arena)
{
    *awards = (struct awards){.arena = arena};
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++)
        table_begin(&awards->lists[subject], arena, sizeof(struct award_item));
    awards->divisions = arena_allocate_zeroed(arena, DIVISIONS_END * sizeof *awards->divisions);
    table_begin(&awards->all_years, arena, sizeof(struct award_year));
    table_begin(&awards->in_years, arena, sizeof(struct award_in_year));
}

/* Returns the item with this name, and creates a missing item. Returns NULL if the item is missing
 * and the list is full. */
static struct award_item *take_item(struct awards *awards, int subject,
                                    const struct match_callsign *name)
{
    struct table *list = &awards->lists[subject];
    struct award_item *item = list->count < AWARD_ITEMS_MAX ? table_at(list, match_text(name))
                                                            : table_find(list, match_text(name));
    if (item && item->qsos == 0)
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

static void keep_earlier(const struct qso *qso, bool is_only_one, struct award_first *kept)
{
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer, id = qso->values[FIELD_ID].integer;
    if (!is_only_one && (at_ms > kept->qso_at_ms || (at_ms == kept->qso_at_ms && id > kept->id)))
        return;
    kept->qso_at_ms = at_ms;
    kept->id = id;
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &kept->callsign);
}

static void add_to_item(struct award_item *item, const struct qso *qso)
{
    const struct value *confirmed = &qso->values[FIELD_CROSS_CONFIRMED_AT];
    const award_cells cell = award_cells_of((int)qso->values[FIELD_BAND].integer,
                                            (int)qso_integer_or(qso, FIELD_MODE, MATCH_NO_MODE));
    keep_earlier(qso, item->qsos++ == 0, &item->first);
    item->worked_in |= cell;
    if (confirmed->state != VALUE_PRESENT)
        return;
    keep_earlier(qso, item->confirmed++ == 0, &item->first_confirmed);
    item->confirmed_in |= cell;
    if (item->confirmed_at_ms == 0 || confirmed->integer < item->confirmed_at_ms)
        item->confirmed_at_ms = confirmed->integer;
}

static struct award_year *take_year(struct awards *awards, int64_t ms)
{
    const int number = datetime_count_months(ms) / 12;
    if (awards->last_year && awards->last_year->year == number)
        return awards->last_year;
    struct award_year *year =
        table_at(&awards->all_years, (struct text){(const char *)&number, sizeof number});
    year->year = number;
    return awards->last_year = year;
}

static struct award_in_year *take_in_year(struct awards *awards, const struct award_year *year,
                                          struct award_item *item)
{
    const struct {
        const struct award_item *item;
        const struct award_year *year;
    } pair = {item, year};
    if (item->last_year != year) {
        item->in_last_year =
            table_at(&awards->in_years, (struct text){(const char *)&pair, sizeof pair});
        item->last_year = year;
    }
    return item->in_last_year;
}

static void add_to_year(struct awards *awards, struct award_year *year, int subject,
                        struct award_item *item, bool is_confirmed)
{
    struct award_in_year *in_year = take_in_year(awards, year, item);
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

/* The next two functions find items by their numbers, which is faster than by their names. */
static struct award_item *take_division(struct awards *awards, int division)
{
    struct award_item **item = &awards->divisions[division];
    struct match_callsign name;
    if (!*item) {
        award_names_of_division(division, &name);
        *item = take_item(awards, AWARD_DIVISIONS, &name);
    }
    return *item;
}

static struct award_item *take_square(struct awards *awards, int square)
{
    struct award_item ***field = &awards->squares[square / AWARD_SQUARES_OF_FIELD];
    struct match_callsign name;
    if (!*field)
        *field = arena_allocate_zeroed(awards->arena, AWARD_SQUARES_OF_FIELD * sizeof **field);
    struct award_item **item = &(*field)[square % AWARD_SQUARES_OF_FIELD];
    if (!*item) {
        award_names_of_square(square, &name);
        *item = take_item(awards, AWARD_SQUARES, &name);
    }
    return *item;
}

static void count_for(struct awards *awards, int subject, struct award_item *item,
                      struct award_year *year, const struct qso *qso)
{
    if (!item)
        return;
    add_to_item(item, qso);
    if (subject < AWARD_COUNTED)
        add_to_year(awards, year, subject, item,
                    qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT);
}

void awards_add(struct awards *awards, const struct qso *qso)
{
    if (qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD)
        return;
    const struct text callsign = qso_text(qso, FIELD_CALLSIGN_WORKED);
    const int division = divisions_number(callsign), square = place_find_square(qso);
    struct match_callsign station;
    const int subject = (int)award_names_of_station(callsign, division, &station);
    struct award_year *year = take_year(awards, qso->values[FIELD_QSO_AT].integer);
    year->qsos++;
    awards->qsos++;
    awards->confirmed += qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT;
    awards->unknown += subject == AWARD_UNKNOWN;
    awards->without_number += division == DIVISIONS_NONE && subject != AWARD_UNKNOWN;
    if (division != DIVISIONS_NONE)
        count_for(awards, AWARD_DIVISIONS, take_division(awards, division), year, qso);
    if (square >= 0)
        count_for(awards, AWARD_SQUARES, take_square(awards, square), year, qso);
    if (subject != AWARD_SUBJECTS)
        count_for(awards, subject, take_item(awards, subject, &station), year, qso);
}
