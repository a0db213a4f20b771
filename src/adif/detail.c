/* Compares two QSOs' values for the same field. */
#include "adif/detail.h"

#include <string.h>

#include "adif/serials.h"
#include "base/datetime.h"
#include "qso/match_callsign.h"

static bool is_same_unit(int64_t exact_ms, int64_t whole_ms, int64_t unit_ms)
{
    return whole_ms % unit_ms == 0 && whole_ms <= exact_ms && exact_ms < whole_ms + unit_ms;
}

/* Returns whether the new callsign has less detail than the old callsign, or only another spelling.
 * A QSO without a station callsign was made under one of the log's own callsigns, perhaps with a
 * portable suffix. */
static bool says_less_of_station(const struct contact_own *own, struct text old_text,
                                 struct text new_text)
{
    struct match_callsign old, new, base;
    match_normalise_callsign(old_text, &old);
    match_normalise_callsign(new_text, &new);
    if (!own || !contact_is_own(own, &new) || (old.length > 0 && !contact_is_own(own, &old)))
        return match_equal_callsigns(&old, &new);
    match_base_callsign(&new, &base);
    return match_equal_callsigns(&new, &base) || match_equal_callsigns(&old, &new);
}

bool detail_is_less(enum field_index field, const struct value *less, const struct value *more)
{
    const struct text less_text = {less->text, less->length},
                      more_text = {more->text, more->length};
    switch (field) {
    case FIELD_QSO_AT:
        return is_same_unit(more->integer, less->integer, DATETIME_MINUTE_MS) ||
               is_same_unit(more->integer, less->integer, DATETIME_SECOND_MS);
    case FIELD_MODE:
        return less->integer == MODE_SSB &&
               (more->integer == MODE_USB || more->integer == MODE_LSB);
    case FIELD_RST_SENT:
    case FIELD_RST_RECEIVED:
        return serials_adds(more_text, less_text);
    case FIELD_DX_LOCATOR:
    case FIELD_MY_LOCATOR:
        return less_text.length < more_text.length &&
               memcmp(less_text.bytes, more_text.bytes, less_text.length) == 0;
    default:
        return false;
    }
}

bool detail_says_less(const struct contact_own *own, const struct qso *stored,
                      const struct qso *sent, enum field_index field)
{
    const struct value *old = &stored->values[field], *new = &sent->values[field];
    const struct text old_text = qso_text(stored, field), new_text = qso_text(sent, field);
    if (field == FIELD_OPERATOR_CALLSIGN)
        return says_less_of_station(own, old_text, new_text);
    if (old->state != VALUE_PRESENT)
        return false;
    return field == FIELD_CALLSIGN_WORKED ? match_same_callsign(old_text, new_text)
                                          : detail_is_less(field, new, old);
}
