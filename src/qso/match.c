/* Decides whether two QSOs confirm each other. The store finds candidates by columns that express
 * the same conditions in SQL (schema/schema.sql). src/store/confirm/partners.c finds the QSOs, and
 * chooses among several candidates. */
#include "qso/match.h"

#include <stdlib.h>

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
    return ms / MATCH_SLOT_MS - (ms % MATCH_SLOT_MS < 0);
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
