/* Orders of a log: the value of a QSO in each, how two compare, and the first few of very many.
 * Only these are kept, in a heap. Which QSOs there are, and what a page shows of them, is left to
 * others. */
#include "qso/log_order.h"

#include <math.h>
#include <string.h>

#include "qso/divisions.h"
#include "qso/locator.h"

#define CHANNELS_BEGIN 1000000 /* kHz: above all frequencies */

/* -- Values ------------------------------------------------------------------------------------ */

static bool read_number(const struct qso *qso, enum field_index field, int64_t *number)
{
    const struct value *value = &qso->values[field];
    *number = value->presence == VALUE_PRESENT ? value->integer : 0;
    return value->presence == VALUE_PRESENT;
}

static bool read_band(const struct qso *qso, int64_t *number)
{
    if (!read_number(qso, FIELD_CHANNEL, number))
        return read_number(qso, FIELD_FREQUENCY, number);
    *number += CHANNELS_BEGIN;
    return true;
}

static bool read_division(const struct qso *qso, int64_t *number)
{
    *number = divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED));
    return *number != DIVISIONS_NONE;
}

static bool read_square(const struct qso *qso, struct match_callsign *text)
{
    text->length = place_find_locator(qso, text->bytes);
    return text->length > 0;
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
        rank->has_value = read_division(qso, &rank->number);
        break;
    case LOG_BY_SQUARE:
        rank->has_value = read_square(qso, &rank->text);
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

static int compare_texts(const struct match_callsign *a, const struct match_callsign *b)
{
    size_t shorter = a->length < b->length ? a->length : b->length;
    int difference = shorter ? memcmp(a->bytes, b->bytes, shorter) : 0;
    return difference ? difference : compare_numbers((int64_t)a->length, (int64_t)b->length);
}

int log_rank_compare(const struct log_rank *a, const struct log_rank *b,
                     const struct log_order *order)
{
    if (a->has_value != b->has_value)
        return a->has_value ? -1 : 1;
    int difference = compare_numbers(a->number, b->number);
    if (difference == 0)
        difference = compare_texts(&a->text, &b->text);
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

static bool is_before(const struct log_first *first, size_t a, size_t b)
{
    return log_rank_compare(&first->ranks[a], &first->ranks[b], first->order) < 0;
}

static void swap(struct log_first *first, size_t a, size_t b)
{
    struct log_rank rank = first->ranks[a];
    first->ranks[a] = first->ranks[b];
    first->ranks[b] = rank;
}

static void rise(struct log_first *first, size_t at)
{
    for (; at > 0 && is_before(first, (at - 1) / 2, at); at = (at - 1) / 2)
        swap(first, at, (at - 1) / 2);
}

static void sink(struct log_first *first, size_t count)
{
    for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(first, child, child + 1))
            child++;
        if (!is_before(first, at, child))
            return;
        swap(first, at, child);
    }
}

void log_first_add(struct log_first *first, const struct log_rank *rank)
{
    if (first->count < first->most) {
        first->ranks[first->count] = *rank;
        rise(first, first->count++);
    } else if (log_rank_compare(rank, &first->ranks[0], first->order) < 0) {
        first->ranks[0] = *rank;
        sink(first, first->count);
    }
}

void log_first_end(struct log_first *first)
{
    for (size_t count = first->count; count > 1;) {
        swap(first, 0, --count);
        sink(first, count);
    }
}

/* Makes and reads the cursor of GET /logs: (synced_at, id) and 32 bits of hash over both, in
 * hexadecimal digits. The hash finds cursors that were cut or mistyped; it keeps nothing secret,
 * since a cursor opens nothing that its key does not. */

static void write_hex(uint64_t value, size_t digits, char *out)
{
    while (digits-- > 0) {
        out[digits] = "0123456789abcdef"[value & 15];
        value >>= 4;
    }
}

static bool read_hex(const char *digits, size_t count, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        const char *found = digits[i] ? strchr("0123456789abcdef", digits[i]) : NULL;
        if (!found)
            return false;
        *value = *value << 4 | (uint64_t)(found - "0123456789abcdef");
    }
    return true;
}

#define NUMBER_DIGITS 16
#define CHECK_DIGITS 8
#define CHECK_MASK UINT64_C(0xffffffff)

static uint64_t check_of(const char *digits)
{
    return text_hash(TEXT_HASH_START, digits, CURSOR_LENGTH - CHECK_DIGITS) & CHECK_MASK;
}

void cursor_format(int64_t synced_at_ms, int64_t id, char *out)
{
    write_hex((uint64_t)synced_at_ms, NUMBER_DIGITS, out);
    write_hex((uint64_t)id, NUMBER_DIGITS, out + NUMBER_DIGITS);
    write_hex(check_of(out), CHECK_DIGITS, out + CURSOR_LENGTH - CHECK_DIGITS);
}

bool cursor_parse(struct text text, int64_t *synced_at_ms, int64_t *id)
{
    uint64_t time, number, check;
    if (text.length != CURSOR_LENGTH || !read_hex(text.bytes, NUMBER_DIGITS, &time) ||
        !read_hex(text.bytes + NUMBER_DIGITS, NUMBER_DIGITS, &number) ||
        !read_hex(text.bytes + CURSOR_LENGTH - CHECK_DIGITS, CHECK_DIGITS, &check) ||
        check != check_of(text.bytes))
        return false;
    *synced_at_ms = (int64_t)time;
    *id = (int64_t)number;
    return true;
}
