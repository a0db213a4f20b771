/* Decides whether descriptions by two programs describe the same contact. Clocks, dials and
 * spellings differ a little, so one difference is allowed. Two differences mean two contacts. */
#include "qso/contact.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/text.h"
#include "qso/fold.h"
#include "qso/match.h"
#include "qso/qso.h"

/* Programs whose ids are unique. Other programs can restart their numbers, or use another value as
 * an id. The ids of other programs count only if at least the station or the time is the same. */
#define TRUSTED_PROGRAMS "N1MM"

bool contact_is_own(const struct contact_own *own, const struct match_callsign *callsign)
{
    struct match_callsign base;
    match_base_callsign(callsign, &base);
    for (size_t i = 0; i < own->count; i++)
        if (match_equal_callsigns(&base, &own->callsigns[i]))
            return true;
    return false;
}

void contact_read(const struct qso *qso, struct text name, int64_t end_ms,
                  const struct contact_own *own, struct contact *out)
{
    const int64_t start_ms = qso->values[FIELD_QSO_AT].integer;
    const bool has_end = end_ms > start_ms && end_ms - start_ms <= CONTACT_LENGTH_MAX_MS;
    *out = (struct contact){
        .name = text_trim(name),
        .band = qso->values[FIELD_BAND].integer,
        .start_ms = start_ms,
        .end_ms = has_end ? end_ms : start_ms,
        .frequency_khz = qso_integer_or(qso, FIELD_FREQUENCY, 0),
        .channel = qso_integer_or(qso, FIELD_CHANNEL, 0),
        .mode_family = match_mode_family(qso_integer_or(qso, FIELD_MODE, MATCH_NO_MODE)),
        .is_heard = qso_integer_or(qso, FIELD_QSO_STATUS, QSO_STATUS_WKD) == QSO_STATUS_HRD,
    };
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &out->worked);
    match_normalise_callsign(qso_text(qso, FIELD_OPERATOR_CALLSIGN), &out->station);
    if (contact_is_own(own, &out->station))
        out->station.length = 0;
}

static bool is_same_name(struct text a, struct text b)
{
    struct buffer folded_a = {0}, folded_b = {0};
    fold_text(a, &folded_a);
    fold_text(b, &folded_b);
    const bool is_same = text_equals((struct text){folded_a.bytes, folded_a.length},
                                     (struct text){folded_b.bytes, folded_b.length});
    buffer_free(&folded_a);
    buffer_free(&folded_b);
    return is_same;
}

/* Returns whether both contacts have the same callsign or, if neither has a callsign, no different
 * names. */
static bool is_same_station(const struct contact *a, const struct contact *b)
{
    if (a->worked.length > 0 || b->worked.length > 0)
        return match_equal_callsigns(&a->worked, &b->worked);
    return a->name.length == 0 || b->name.length == 0 || is_same_name(a->name, b->name);
}

static bool is_near(const struct contact *a, const struct contact *b)
{
    return llabs(a->start_ms - b->start_ms) <= CONTACT_WINDOW_MS ||
           (a->start_ms <= b->end_ms && b->start_ms <= a->end_ms);
}

static bool is_tuned(const struct contact *contact)
{
    return contact->frequency_khz > 0 || contact->channel > 0;
}

static bool lacks_callsign(const struct contact *contact)
{
    return contact->worked.length == 0 && contact->name.length == 0;
}

int contact_compare(const struct contact *a, const struct contact *b)
{
    const bool starts_apart = llabs(a->start_ms - b->start_ms) > CONTACT_START_MS;
    const bool may_differ = !lacks_callsign(a) && !lacks_callsign(b);
    if (a->band != b->band || a->is_heard != b->is_heard || !is_near(a, b) ||
        !match_equal_callsigns(&a->station, &b->station) || !is_same_station(a, b) ||
        (starts_apart && (!is_tuned(a) || !is_tuned(b))))
        return CONTACT_ANOTHER;
    int differences = starts_apart;
    differences += a->channel && b->channel && a->channel != b->channel;
    differences += a->frequency_khz && b->frequency_khz &&
                   llabs(a->frequency_khz - b->frequency_khz) > CONTACT_FREQUENCY_KHZ;
    differences += a->mode_family != MATCH_NO_MODE && b->mode_family != MATCH_NO_MODE &&
                   a->mode_family != b->mode_family;
    return differences <= (may_differ ? 1 : 0) ? differences : CONTACT_ANOTHER;
}

bool contact_may_share(struct contact_id id, const struct contact *one, const struct contact *other)
{
    return text_is_one_of(id.program, TRUSTED_PROGRAMS) ||
           contact_compare(one, other) != CONTACT_ANOTHER;
}

bool contact_is_believed(struct contact_id id, const struct contact *record,
                         const struct contact *stored)
{
    return contact_may_share(id, record, stored) ||
           match_equal_callsigns(&record->worked, &stored->worked) ||
           llabs(record->start_ms - stored->start_ms) <= CONTACT_START_MS;
}
