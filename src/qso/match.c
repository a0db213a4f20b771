/* The conditions under which two QSOs confirm each other, and the keys that find candidates.
 *
 * Both are written down here together, because a pair that match_confirms accepts must also be
 * found by the keys: they hash nothing that match_confirms does not compare. */
#include "qso/match.h"

#include <string.h>

#include "base/datetime.h"

#define MATCH_WINDOW_MS INT64_C(900000) /* 15 minutes */
void match_normalise_callsign(struct text text, struct match_callsign *out)
{
    char upper[MATCH_CALLSIGN_BYTES];
    if (text.length > sizeof upper)
        text.length = sizeof upper;
    text_to_upper(text, upper);
    out->length = 0;
    for (size_t i = 0; i < text.length; i++)
        if (upper[i] != ' ' && upper[i] != '-' && upper[i] != '.')
            out->bytes[out->length++] = upper[i];
}

static bool same_callsign(const struct match_callsign *a, const struct match_callsign *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

bool match_same_callsign(struct text a, struct text b)
{
    struct match_callsign normal_a, normal_b;
    match_normalise_callsign(a, &normal_a);
    match_normalise_callsign(b, &normal_b);
    return same_callsign(&normal_a, &normal_b);
}

struct text match_station(const struct qso *qso, struct text member_callsign)
{
    struct text station = qso_text(qso, FIELD_OPERATOR_CALLSIGN);
    return station.bytes ? station : member_callsign;
}

/* The lower half of a key. */
static int64_t hash_contact(const struct match_side *side, const struct match_callsign *station,
                            const struct match_callsign *worked)
{
    int64_t numbers[] = {side->band, side->channel};
    uint64_t hash = text_hash(TEXT_HASH_START, numbers, sizeof numbers);
    hash = text_hash(hash, station->bytes, station->length);
    hash = text_hash(hash, ">", 1);
    hash = text_hash(hash, worked->bytes, worked->length);
    return (int64_t)((hash >> 32) ^ (hash & UINT32_MAX));
}

static void make_keys(struct match_side *side)
{
    const int64_t slot_unit = INT64_C(1) << 32;
    int64_t slot = (side->qso_at_ms - DATETIME_MINIMUM_MS) / MATCH_WINDOW_MS;
    int64_t partner_hash = hash_contact(side, &side->worked, &side->station);
    side->own_key = slot * slot_unit + hash_contact(side, &side->station, &side->worked);
    for (int i = 0; i < MATCH_SLOTS; i++)
        side->partner_keys[i] = (slot - 1 + i) * slot_unit + partner_hash;
}

static int64_t integer_or(const struct qso *qso, enum field_index field, int64_t otherwise)
{
    const struct value *value = &qso->values[field];
    return value->presence == VALUE_PRESENT ? value->integer : otherwise;
}

/* SSB, USB and LSB are one family. */
static int64_t mode_family(int64_t mode)
{
    return mode == MODE_USB || mode == MODE_LSB ? MODE_SSB : mode;
}

void match_read_side(const struct qso *qso, struct text member_callsign, struct match_side *out)
{
    out->confirmable = false;
    if (integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WORKED) == QSO_STATUS_HEARD)
        return;
    match_normalise_callsign(match_station(qso, member_callsign), &out->station);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &out->worked);
    if (out->worked.length == 0 || out->station.length == 0)
        return;
    out->confirmable = true;
    out->qso_at_ms = qso->values[FIELD_QSO_AT].integer;
    out->band = qso->values[FIELD_BAND].integer;
    out->channel = integer_or(qso, FIELD_CHANNEL, 0);
    out->mode_family = mode_family(integer_or(qso, FIELD_MODE, -1));
    make_keys(out);
}

static bool within_window(int64_t a_ms, int64_t b_ms)
{
    int64_t distance_ms = a_ms > b_ms ? a_ms - b_ms : b_ms - a_ms;
    return distance_ms <= MATCH_WINDOW_MS;
}

bool match_confirms(const struct match_side *a, const struct match_side *b)
{
    return a->confirmable && b->confirmable && same_callsign(&a->worked, &b->station) &&
           same_callsign(&b->worked, &a->station) && a->band == b->band &&
           a->channel == b->channel && within_window(a->qso_at_ms, b->qso_at_ms) &&
           (a->mode_family < 0 || b->mode_family < 0 || a->mode_family == b->mode_family);
}
