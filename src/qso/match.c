/* The conditions under which two QSOs confirm each other. The columns by which the store finds
 * candidates (schema/schema.sql) state the same conditions in SQL. Which QSOs there are, and
 * which of several fits best, is left to src/store/confirm/partners.c. */
#include "qso/match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "qso/divisions.h"

#define SLOT_MS (INT64_C(2) * 60 * 60 * 1000)

void match_normalise_callsign(struct text text, struct match_callsign *out)
{
    out->length = letters_of_callsign(text, out->bytes, sizeof out->bytes);
}

struct text match_find_unicode_key(struct text text, struct match_callsign *key)
{
    if (text_count_leading(text, isascii) == text.length)
        return (struct text){0};
    match_normalise_callsign(text, key);
    return match_text(key);
}

bool match_equal_callsigns(const struct match_callsign *a, const struct match_callsign *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

bool match_same_callsign(struct text a, struct text b)
{
    struct match_callsign normal_a, normal_b;
    match_normalise_callsign(a, &normal_a);
    match_normalise_callsign(b, &normal_b);
    return match_equal_callsigns(&normal_a, &normal_b);
}

struct text match_station(const struct qso *qso, struct text member_callsign)
{
    struct text station = qso_text(qso, FIELD_OPERATOR_CALLSIGN);
    return station.bytes ? station : member_callsign;
}

int64_t match_mode_family(int64_t mode)
{
    return mode == MODE_USB || mode == MODE_LSB ? MODE_SSB : mode;
}

void match_read_side(const struct qso *qso, struct text member_callsign, struct match_side *out)
{
    *out = (struct match_side){0};
    if (qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD)
        return;
    match_normalise_callsign(match_station(qso, member_callsign), &out->station);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &out->worked);
    if (out->worked.length == 0 || out->station.length == 0)
        return;
    out->confirmable = true;
    out->qso_at_ms = qso->values[FIELD_QSO_AT].integer;
    out->band = qso->values[FIELD_BAND].integer;
    out->channel = qso_integer_or(qso, FIELD_CHANNEL, 0);
    out->mode_family = match_mode_family(qso_integer_or(qso, FIELD_MODE, MATCH_NO_MODE));
}

int64_t match_slot(int64_t ms)
{
    return ms / SLOT_MS - (ms % SLOT_MS < 0);
}

size_t match_list_families(const struct match_side *side, int64_t families[MATCH_FAMILIES_MAX])
{
    size_t count = 0;
    families[count++] = MATCH_NO_MODE;
    for (int64_t mode = 0; mode < MODE_COUNT; mode++)
        if (match_mode_family(mode) == mode &&
            (side->mode_family == MATCH_NO_MODE || side->mode_family == mode))
            families[count++] = mode;
    return count;
}

static bool same_stations(const struct match_side *a, const struct match_side *b)
{
    return a->confirmable && b->confirmable && match_equal_callsigns(&a->worked, &b->station) &&
           match_equal_callsigns(&b->worked, &a->station);
}

static bool keeps(enum match_rule rule, const struct match_side *a, const struct match_side *b)
{
    switch (rule) {
    case MATCH_RULE_TIME:
        return llabs(a->qso_at_ms - b->qso_at_ms) <= MATCH_WINDOW_MS;
    case MATCH_RULE_BAND:
        return a->band == b->band;
    case MATCH_RULE_CHANNEL:
        return a->channel == b->channel;
    case MATCH_RULE_MODE:
    case MATCH_RULE_CALLSIGN:
        break;
    }
    return a->mode_family == MATCH_NO_MODE || b->mode_family == MATCH_NO_MODE ||
           a->mode_family == b->mode_family;
}

static bool keeps_all(const struct match_side *a, const struct match_side *b)
{
    for (int rule = MATCH_RULE_TIME; rule <= MATCH_RULE_MODE; rule++)
        if (!keeps((enum match_rule)rule, a, b))
            return false;
    return true;
}

bool match_confirms(const struct match_side *a, const struct match_side *b)
{
    return same_stations(a, b) && keeps_all(a, b);
}

/* A part of a callsign between strokes that names no station. */
static bool is_affix(struct text part)
{
    return text_is_one_of(part, "P M MM AM QRP") || divisions_read_number(part) != DIVISIONS_NONE;
}

void match_base_callsign(const struct match_callsign *callsign, struct match_callsign *out)
{
    struct text rest = match_text(callsign), base = {0};
    *out = *callsign;
    while (rest.bytes) {
        struct text part = text_split_next(&rest, '/');
        if (is_affix(part))
            continue;
        if (base.bytes)
            return;
        base = part;
    }
    if (base.length == 0)
        return;
    memcpy(out->bytes, base.bytes, base.length);
    out->length = base.length;
}

static bool same_base(const struct match_callsign *a, const struct match_callsign *b)
{
    struct match_callsign base_a, base_b;
    match_base_callsign(a, &base_a);
    match_base_callsign(b, &base_b);
    return match_equal_callsigns(&base_a, &base_b);
}

bool match_fails_by_callsign(const struct match_side *a, const struct match_side *b)
{
    return a->confirmable && b->confirmable && !same_stations(a, b) && keeps_all(a, b) &&
           same_base(&a->worked, &b->station) && same_base(&b->worked, &a->station);
}

bool match_fails_by_one(const struct match_side *a, const struct match_side *b,
                        enum match_rule *rule)
{
    int broken = 0;
    for (int i = MATCH_RULE_TIME; i <= MATCH_RULE_MODE; i++) {
        bool counts = i != MATCH_RULE_CHANNEL || a->band == b->band;
        if (counts && !keeps((enum match_rule)i, a, b)) {
            *rule = (enum match_rule)i;
            broken++;
        }
    }
    return broken == 1 && same_stations(a, b);
}

const char *match_rule_name(enum match_rule rule)
{
    static const char *const names[] = {"TIME", "BAND", "CHANNEL", "MODE", "CALLSIGN"};
    return names[rule];
}

/* The forms follow the groups' own rules for activations. Those of the radio group Alfa Tango,
 * which most groups follow, name the suffixes 0, DX, IOTA and SES. Each of them is a callsign of
 * its own, not a member's unit. On PMR446 no group issues callsigns: a callsign in an 11 m form is
 * read like one, and all others are names. */

#define ISLAND_DIGITS_MAX 3

static int is_zero(int byte)
{
    return byte == '0';
}

static bool is_all_zeros(struct text text)
{
    return text.length > 0 && text_count_leading(text, is_zero) == text.length;
}

/* Whether the text is an island reference: a continent and a number, such as EU011. */
static bool is_island(struct text text)
{
    struct text number = text_skip(text, text.length < 2 ? text.length : 2);
    return number.length > 0 && number.length <= ISLAND_DIGITS_MAX &&
           text_count_leading(number, isdigit) == number.length &&
           text_is_one_of((struct text){text.bytes, 2}, "AF AN AS EU NA OC SA");
}

/* Also a whole callsign: 14FR/26AT1 is a member of 26AT in division 14. */
static bool is_of_moving(struct text suffix)
{
    return isdigit(suffix.length > 0 ? (unsigned char)suffix.bytes[0] : '0') ||
           text_is_one_of(suffix, "P M MM AM A QRP");
}

/* The group's letters, and the unit behind them; false: it has another form. */
static bool read_station(struct text part, struct text *unit)
{
    struct text rest = text_skip(part, text_count_leading(part, isdigit));
    size_t letters = text_count_leading(rest, isupper);
    *unit = text_skip(rest, letters);
    return letters > 0 && text_count_leading(*unit, isdigit) == unit->length;
}

bool special_is(const struct match_callsign *callsign)
{
    struct text rest = match_text(callsign), unit;
    if (divisions_number(rest) == DIVISIONS_NONE)
        return false;
    struct text station = text_split_next(&rest, '/');
    if (text_count_leading(station, isdigit) == station.length)
        station = text_split_next(&rest, '/'); /* 161/21SD333 */
    if (!read_station(station, &unit))
        return false;
    bool special = is_all_zeros(unit);
    while (!special && rest.bytes) {
        struct text suffix = text_split_next(&rest, '/');
        special = is_all_zeros(suffix) || text_is_one_of(suffix, "DX DXP EXP SES IOTA") ||
                  is_island(suffix) ||
                  (unit.length == 0 && text_count_leading(suffix, isalnum) == suffix.length &&
                   !is_of_moving(suffix));
    }
    return special;
}
