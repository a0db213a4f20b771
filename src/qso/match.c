/* The conditions under which two QSOs confirm each other, and the keys that find candidates.
 *
 * Both are written down here together, because a pair that match_confirms accepts must also be
 * found by the keys: they hash nothing that match_confirms does not compare. */
#include "qso/match.h"

#include <string.h>

#include "base/datetime.h"

#define MATCH_WINDOW_MS INT64_C(900000) /* 15 minutes */
#define CALLSIGN_BYTES_MAX 128          /* callsigns have at most 20 code points of 4 bytes */

struct callsign {
    char bytes[CALLSIGN_BYTES_MAX];
    size_t length;
};

/* Operators write 21-SD-333, 21 SD 333 and 21sd333: letters without case, no separators. A suffix
 * such as /P is part of the callsign. */
static void normalise_callsign(struct text text, struct callsign *out)
{
    char upper[CALLSIGN_BYTES_MAX];
    if (text.length > sizeof upper)
        text.length = sizeof upper;
    text_to_upper(text, upper);
    out->length = 0;
    for (size_t i = 0; i < text.length; i++)
        if (upper[i] != ' ' && upper[i] != '-' && upper[i] != '.')
            out->bytes[out->length++] = upper[i];
}

static bool same_callsign(const struct callsign *a, const struct callsign *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

struct text match_station(const struct qso *qso, struct text member_callsign)
{
    struct text station = qso_text(qso, FIELD_OPERATOR_CALLSIGN);
    return station.bytes ? station : member_callsign;
}

static bool is_confirmable(const struct qso *qso)
{
    const struct value *status = &qso->values[FIELD_QSO_STATUS];
    return !(status->presence == VALUE_PRESENT && status->integer == QSO_STATUS_HEARD);
}

static int64_t channel_of(const struct qso *qso)
{
    const struct value *channel = &qso->values[FIELD_CHANNEL];
    return channel->presence == VALUE_PRESENT ? channel->integer : 0;
}

static int64_t make_key(int64_t slot, const struct qso *qso, const struct callsign *station,
                        const struct callsign *worked)
{
    int64_t numbers[] = {qso->values[FIELD_BAND].integer, channel_of(qso)};
    uint64_t hash = text_hash(TEXT_HASH_START, numbers, sizeof numbers);
    hash = text_hash(hash, station->bytes, station->length);
    hash = text_hash(hash, ">", 1);
    hash = text_hash(hash, worked->bytes, worked->length);
    return slot * (INT64_C(1) << 32) + (int64_t)((hash >> 32) ^ (hash & UINT32_MAX));
}

bool match_make_keys(const struct qso *qso, struct text member_callsign, struct match_keys *keys)
{
    struct callsign station, worked;
    if (!is_confirmable(qso))
        return false;
    normalise_callsign(match_station(qso, member_callsign), &station);
    normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked);
    if (worked.length == 0 || station.length == 0)
        return false;
    int64_t slot = (qso->values[FIELD_QSO_AT].integer - DATETIME_MINIMUM_MS) / MATCH_WINDOW_MS;
    keys->own = make_key(slot, qso, &station, &worked);
    for (int i = 0; i < MATCH_SLOTS; i++)
        keys->partner[i] = make_key(slot - 1 + i, qso, &worked, &station);
    return true;
}

/* SSB, USB and LSB are one family. */
static int mode_family(int64_t mode)
{
    return mode == MODE_USB || mode == MODE_LSB ? MODE_SSB : (int)mode;
}

static bool same_mode(const struct value *a, const struct value *b)
{
    return a->presence != VALUE_PRESENT || b->presence != VALUE_PRESENT ||
           mode_family(a->integer) == mode_family(b->integer);
}

static bool within_window(int64_t a_ms, int64_t b_ms)
{
    int64_t distance_ms = a_ms > b_ms ? a_ms - b_ms : b_ms - a_ms;
    return distance_ms <= MATCH_WINDOW_MS;
}

bool match_confirms(const struct qso *a, struct text a_member_callsign, const struct qso *b,
                    struct text b_member_callsign)
{
    struct callsign a_station, a_worked, b_station, b_worked;
    normalise_callsign(match_station(a, a_member_callsign), &a_station);
    normalise_callsign(match_station(b, b_member_callsign), &b_station);
    normalise_callsign(qso_text(a, FIELD_CALLSIGN_WORKED), &a_worked);
    normalise_callsign(qso_text(b, FIELD_CALLSIGN_WORKED), &b_worked);
    return is_confirmable(a) && is_confirmable(b) && a_worked.length > 0 && b_worked.length > 0 &&
           same_callsign(&a_worked, &b_station) && same_callsign(&b_worked, &a_station) &&
           a->values[FIELD_BAND].integer == b->values[FIELD_BAND].integer &&
           channel_of(a) == channel_of(b) &&
           within_window(a->values[FIELD_QSO_AT].integer, b->values[FIELD_QSO_AT].integer) &&
           same_mode(&a->values[FIELD_MODE], &b->values[FIELD_MODE]);
}
