/* Counts a log's awards. The store supplies the QSOs; award_names.c finds the items for which a QSO
 * counts. */
#include "qso/awards.h"

#include <stdlib.h>

#include "base/datetime.h"
#include "qso/locator.h"
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

void awards_add(struct awards *awards, const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    const bool is_confirmed = qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT;
    struct award_names names;
    if (qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD)
        return;
    award_names_find(qso_text(qso, FIELD_CALLSIGN_WORKED),
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
        add_to_item(item, qso);
        if (subject < AWARD_COUNTED)
            add_to_year(awards, year, subject, item, is_confirmed);
    }
}
