/* Selects and orders the QSOs of a log. Each QSO is compared during a walk through the log; of an
 * order, only the first few of very many are kept. Callers decide what a page shows. */
#include "qso/log_filter.h"

#include <ctype.h>
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/values.h"

static void release(void *scratch)
{
    buffer_free(scratch);
}

void log_filter_begin(struct log_filter *filter, struct arena *arena)
{
    *filter = (struct log_filter){.from_ms = DATETIME_MINIMUM_MS,
                                  .to_ms = DATETIME_MAXIMUM_MS,
                                  .band = LOG_FILTER_ANY,
                                  .mode = LOG_FILTER_ANY,
                                  .division = LOG_FILTER_ANY,
                                  .scratch = arena_allocate_zeroed(arena, sizeof *filter->scratch)};
    arena_add_cleanup(arena, filter->scratch, release);
}

bool log_filter_wants_all(const struct log_filter *filter)
{
    return filter->from_ms <= DATETIME_MINIMUM_MS && filter->to_ms >= DATETIME_MAXIMUM_MS &&
           filter->band == LOG_FILTER_ANY && filter->mode == LOG_FILTER_ANY &&
           filter->division == LOG_FILTER_ANY && filter->confirmed == LOG_FILTER_BOTH &&
           filter->qsl_sent == LOG_FILTER_BOTH && filter->qsl_received == LOG_FILTER_BOTH &&
           !filter->square.bytes && filter->callsign.length == 0 && !filter->text.bytes;
}

static bool fits_state(enum log_filter_state wanted, bool is_so)
{
    return wanted == LOG_FILTER_BOTH || (wanted == LOG_FILTER_YES) == is_so;
}

static bool fits_square(const struct log_filter *filter, const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    return !filter->square.bytes ||
           (place_find_locator(qso, locator) >= filter->square.length &&
            memcmp(locator, filter->square.bytes, filter->square.length) == 0);
}

static bool fits_callsign(const struct log_filter *filter, const struct qso *qso)
{
    struct match_callsign worked;
    if (filter->callsign.length == 0)
        return true;
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked);
    return worked.length >= filter->callsign.length &&
           memcmp(worked.bytes, filter->callsign.bytes, filter->callsign.length) == 0;
}

/* -- Text anywhere ----------------------------------------------------------------------------- */

/* In the form in which the API writes it. */
static bool value_holds(const struct log_filter *filter, const struct field *field,
                        const struct value *value)
{
    buffer_clear(filter->scratch);
    if (field->kind == KIND_FREQUENCY)
        values_format(field, value, filter->scratch);
    else if (fields_has_text(field) && field->kind != KIND_UUID)
        fold_text((struct text){value->text, value->length}, filter->scratch);
    return fold_holds(filter->scratch, filter->text);
}

/* However its parts are put together: 26-AT-101 is found by "at10". */
static bool callsign_holds(const struct log_filter *filter, struct text callsign)
{
    struct match_callsign normal;
    if (filter->text_callsign.length == 0 || !callsign.bytes)
        return false;
    match_normalise_callsign(callsign, &normal);
    return normal.length >= filter->text_callsign.length &&
           memmem(normal.bytes, normal.length, filter->text_callsign.bytes,
                  filter->text_callsign.length) != NULL;
}

static bool fits_text(const struct log_filter *filter, const struct qso *qso)
{
    if (!filter->text.bytes || callsign_holds(filter, qso_text(qso, FIELD_CALLSIGN_WORKED)) ||
        callsign_holds(filter, qso_text(qso, FIELD_OPERATOR_CALLSIGN)))
        return true;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (qso->values[i].state == VALUE_PRESENT &&
            value_holds(filter, &fields[i], &qso->values[i]))
            return true;
    return false;
}

/* The cheapest comparison comes first. */
bool log_filter_fits(const struct log_filter *filter, const struct qso *qso)
{
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer;
    return at_ms >= filter->from_ms && at_ms <= filter->to_ms &&
           (filter->band == LOG_FILTER_ANY || qso->values[FIELD_BAND].integer == filter->band) &&
           (filter->mode == LOG_FILTER_ANY ||
            qso_integer_or(qso, FIELD_MODE, LOG_FILTER_NO_MODE) == filter->mode) &&
           fits_state(filter->confirmed,
                      qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT) &&
           fits_state(filter->qsl_sent, qso_integer_or(qso, FIELD_QSL_SENT, 0)) &&
           fits_state(filter->qsl_received, qso_integer_or(qso, FIELD_QSL_RECEIVED, 0)) &&
           (filter->division == LOG_FILTER_ANY ||
            divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED)) == filter->division) &&
           fits_callsign(filter, qso) && fits_square(filter, qso) && fits_text(filter, qso);
}

/* Brings texts into the form in which a search compares them. The tables of letters are those of
 * utf8proc; most texts are ASCII and need none of them. Nothing is kept in this form, and which
 * texts are searched is left to others. */

void fold_text(struct text text, struct buffer *out)
{
    utf8proc_uint8_t *folded = NULL;
    size_t whole = 0, step;
    buffer_clear(out);
    if (text_count_leading(text, isascii) == text.length) {
        char *at = buffer_reserve(out, text.length);
        for (size_t i = 0; i < text.length; i++)
            at[i] = (char)tolower((unsigned char)text.bytes[i]);
        out->length = text.length;
        return;
    }
    while (whole < text.length && (step = text_first_length(text_skip(text, whole))) > 0)
        whole += step;
    utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)text.bytes, (utf8proc_ssize_t)whole, &folded,
                     UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK);
    if (length > 0)
        buffer_append(out, folded, (size_t)length);
    free(folded);
}

bool fold_holds(const struct buffer *folded, struct text part)
{
    return folded->length >= part.length &&
           memmem(folded->bytes, folded->length, part.bytes, part.length) != NULL;
}

/* -- Order ------------------------------------------------------------------------------------- */

#define CHANNELS_BEGIN 1000000 /* kHz: above all frequencies */

/* -- Values ------------------------------------------------------------------------------------ */

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

/* -- Order ------------------------------------------------------------------------------------- */

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

/* -- The first of very many -------------------------------------------------------------------- */

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

/* Makes and reads the cursor of GET /logs: (synced_at, id) and 32 bits of hash over both, in
 * hexadecimal digits. The hash finds cursors that were cut or mistyped; it keeps nothing secret,
 * since a cursor opens nothing that its key does not. */

#define NUMBER_DIGITS 32 /* length of both */

void cursor_format(int64_t synced_at_ms, int64_t id, char *out)
{
    const uint64_t numbers[] = {htobe64((uint64_t)synced_at_ms), htobe64((uint64_t)id)};
    text_format_hex(numbers, sizeof numbers, out);
    const uint32_t check = htobe32((uint32_t)text_hash(TEXT_HASH_START, out, NUMBER_DIGITS));
    text_format_hex(&check, sizeof check, out + NUMBER_DIGITS);
}

bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id)
{
    uint64_t numbers[2];
    char again[CURSOR_LENGTH];
    if (text.length != CURSOR_LENGTH ||
        !text_parse_hex((struct text){text.bytes, NUMBER_DIGITS}, numbers))
        return false;
    cursor_format((int64_t)be64toh(numbers[0]), (int64_t)be64toh(numbers[1]), again);
    if (memcmp(again, text.bytes, CURSOR_LENGTH) != 0)
        return false;
    *synced_at_ms = (int64_t)be64toh(numbers[0]);
    *id = (int64_t)be64toh(numbers[1]);
    return true;
}
