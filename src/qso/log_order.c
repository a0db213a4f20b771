/* Reads the value by which QSOs are sorted, and keeps the first QSOs in a sorted array. */
#include "qso/log_order.h"

#include <math.h>
#include <string.h>

#include "qso/divisions.h"
#include "qso/place.h"
#include "qso/values.h"

#define CHANNELS_BEGIN 1000000 /* added to channels; greater than all frequencies in kHz */

static bool read_number(const struct qso *qso, enum field_index field, int64_t *number)
{
    *number = qso_integer_or(qso, field, 0);
    return qso->values[field].state == VALUE_PRESENT;
}

static bool read_band(const struct qso *qso, int64_t *number)
{
    if (!read_number(qso, FIELD_CHANNEL, number))
        return read_number(qso, FIELD_FREQUENCY, number);
    *number += CHANNELS_BEGIN;
    return true;
}

static bool read_distance(const struct qso *qso, struct text member_locator, int64_t *metres)
{
    struct place from, to;
    bool exact;
    if (!place_of_dx(qso, &to, &exact) || !place_of_member(qso, member_locator, &from))
        return false;
    *metres = llround(place_distance_km(&from, &to) * 1000);
    return true;
}

void log_rank_of(const struct qso *qso, const struct log_order *order, struct log_rank *rank)
{
    rank->has_value = true;
    rank->number = 0;
    rank->text.length = 0;
    rank->qso_at_ms = qso->values[FIELD_QSO_AT].integer;
    rank->id = qso->values[FIELD_ID].integer;
    switch (order->key) {
    case LOG_BY_CALLSIGN:
        match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &rank->text);
        rank->has_value = rank->text.length > 0;
        break;
    case LOG_BY_BAND:
        rank->has_value = read_band(qso, &rank->number);
        break;
    case LOG_BY_MODE:
        rank->has_value = read_number(qso, FIELD_MODE, &rank->number);
        break;
    case LOG_BY_DIVISION:
        rank->number = divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED));
        rank->has_value = rank->number != DIVISIONS_NONE;
        break;
    case LOG_BY_SQUARE:
        rank->text.length = place_find_locator(qso, rank->text.bytes);
        rank->has_value = rank->text.length > 0;
        break;
    case LOG_BY_DISTANCE:
        rank->has_value = read_distance(qso, order->member_locator, &rank->number);
        break;
    case LOG_BY_TIME:
    case LOG_ORDER_KEYS:
        rank->number = rank->qso_at_ms;
        break;
    }
    if (!rank->has_value)
        rank->number = 0;
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

int log_rank_compare(const struct log_rank *a, const struct log_rank *b,
                     const struct log_order *order)
{
    if (a->has_value != b->has_value)
        return a->has_value ? -1 : 1;
    int difference = compare_numbers(a->number, b->number);
    if (difference == 0)
        difference = text_compare(match_text(&a->text), match_text(&b->text));
    if (order->descending)
        difference = -difference;
    bool newest_first = order->key != LOG_BY_TIME || order->descending;
    if (difference == 0)
        difference = newest_first ? compare_numbers(b->qso_at_ms, a->qso_at_ms) : 0;
    if (difference == 0)
        difference = newest_first ? compare_numbers(b->id, a->id) : compare_numbers(a->id, b->id);
    return difference;
}

void log_first_begin(struct log_first *first, const struct log_order *order, size_t most,
                     struct arena *arena)
{
    *first = (struct log_first){.order = order, .most = most};
    first->ranks = arena_allocate(arena, most * sizeof *first->ranks);
}

void log_first_add(struct log_first *first, const struct log_rank *rank)
{
    size_t low = 0, high = first->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (log_rank_compare(rank, &first->ranks[middle], first->order) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == first->most)
        return;
    size_t moved = first->count - low - (first->count == first->most);
    memmove(&first->ranks[low + 1], &first->ranks[low], moved * sizeof *first->ranks);
    first->ranks[low] = *rank;
    first->count += first->count < first->most;
}
