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
    *filter = (struct log_filter){.from_ms = DATETIME_MINIMUM_MS, .to_ms = DATETIME_MAXIMUM_MS};
}

bool log_filter_wants_all(const struct log_filter *filter)
{
    return filter->from_ms <= DATETIME_MINIMUM_MS && filter->to_ms >= DATETIME_MAXIMUM_MS &&
           filter->bands == 0 && filter->modes == 0 && filter->years.count == 0 &&
           filter->divisions.count == 0 && filter->confirmed == LOG_FILTER_BOTH &&
           filter->qsl_sent == LOG_FILTER_BOTH && filter->qsl_received == LOG_FILTER_BOTH &&
           !filter->square.bytes && filter->callsign.length == 0 && filter->search.count == 0;
}

static bool fits_list(const struct log_filter_list *list, int number)
{
    size_t at = 0;
    while (at < list->count && list->numbers[at] != number)
        at++;
    return list->count == 0 || at < list->count;
}

static bool fits_bit(uint32_t bits, int64_t bit)
{
    return bits == 0 || bits & 1u << bit;
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
           fits_bit(filter->bands, qso->values[FIELD_BAND].integer) &&
           fits_bit(filter->modes, qso_integer_or(qso, FIELD_MODE, LOG_FILTER_NO_MODE)) &&
           fits_state(filter->confirmed,
                      qso->values[FIELD_CROSS_CONFIRMED_AT].state == VALUE_PRESENT) &&
           fits_state(filter->qsl_sent, qso_integer_or(qso, FIELD_QSL_SENT, 0)) &&
           fits_state(filter->qsl_received, qso_integer_or(qso, FIELD_QSL_RECEIVED, 0)) &&
           (filter->years.count < 2 ||
            fits_list(&filter->years, datetime_count_months(at_ms) / 12)) &&
           (filter->divisions.count == 0 ||
            fits_list(&filter->divisions,
                      divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED)))) &&
           fits_callsign(filter, qso) && fits_square(filter, qso) &&
           search_finds(&filter->search, qso);
}
