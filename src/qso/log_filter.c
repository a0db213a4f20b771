/* Compares each QSO with the filter while the log is read. Callers decide what a page shows. */
#include "qso/log_filter.h"

#include <string.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/place.h"

void log_filter_begin(struct log_filter *filter)
{
    *filter = (struct log_filter){.from_ms = DATETIME_MINIMUM_MS,
                                  .to_ms = DATETIME_MAXIMUM_MS,
                                  .band = LOG_FILTER_ANY,
                                  .mode = LOG_FILTER_ANY,
                                  .division = LOG_FILTER_ANY};
}

bool log_filter_wants_all(const struct log_filter *filter)
{
    return filter->from_ms <= DATETIME_MINIMUM_MS && filter->to_ms >= DATETIME_MAXIMUM_MS &&
           filter->band == LOG_FILTER_ANY && filter->mode == LOG_FILTER_ANY &&
           filter->division == LOG_FILTER_ANY && filter->confirmed == LOG_FILTER_BOTH &&
           filter->qsl_sent == LOG_FILTER_BOTH && filter->qsl_received == LOG_FILTER_BOTH &&
           !filter->square.bytes && filter->callsign.length == 0 && filter->search.count == 0;
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

/* Compares in the order of cost: the cheapest comparison is first. */
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
           fits_callsign(filter, qso) && fits_square(filter, qso) &&
           search_finds(&filter->search, qso);
}
