/* Reads what the page My log asks for, for its list, its numbers and its files alike, and says what
 * is wrong with it: which QSOs, and in which order. What a filter and an order mean is left to
 * qso/log_filter.c. */
#include "site/log_query.h"

#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "qso/log_filter.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/values.h"
#include "site/profile.h"

#define TEXT_MAX 100 /* code points */
#define FIELD_OF_LOCATOR 2

/* No text if the parameter is not there, or empty. */
static const struct error *read_text(struct exchange *exchange, const char *name,
                                     struct text *value)
{
    const struct error *error = profile_read_parameter(exchange, name, value);
    if (!error)
        *value = text_trim(*value);
    if (value->length == 0)
        *value = (struct text){0};
    return error;
}

/* -- Times ------------------------------------------------------------------------------------- */

struct period {
    int64_t first_ms, last_ms;
};

/* The same day of the next month, or of the next year. */
static int64_t add_to_date(int64_t ms, int months, int years)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm date;
    gmtime_r(&seconds, &date);
    date.tm_mon += months;
    date.tm_year += years;
    return (int64_t)timegm(&date) * 1000;
}

/* A year, a month of it or a day: 2026, 2026-05, 2026-05-17. */
static bool read_period(struct text text, struct period *period)
{
    static const char rest[] = "0000-01-01T00:00Z";
    char moment[sizeof rest];
    if (text.length != 4 && text.length != 7 && text.length != 10)
        return false;
    memcpy(moment, rest, sizeof rest);
    memcpy(moment, text.bytes, text.length);
    if (!datetime_parse(text_of(moment), &period->first_ms))
        return false;
    period->last_ms = text.length == 10
                          ? period->first_ms + DATETIME_DAY_MS - 1
                          : add_to_date(period->first_ms, text.length == 7, text.length == 4) - 1;
    return true;
}

static const struct error *read_day(struct exchange *exchange, const char *name,
                                    struct period *period, bool *is_there)
{
    struct text value;
    const struct error *error = read_text(exchange, name, &value);
    *is_there = !error && value.bytes;
    if (!*is_there || read_period(value, period))
        return error;
    return profile_refuse(exchange, name,
                          "must be a day, a month or a year, as 2026-05-17, 2026-05 or 2026");
}

static const struct error *read_times(struct exchange *exchange, struct log_filter *filter)
{
    struct period period;
    struct text year = {0};
    bool is_there;
    const struct error *error = read_day(exchange, "from", &period, &is_there);
    if (is_there)
        filter->from_ms = period.first_ms;
    if (!error)
        error = read_day(exchange, "to", &period, &is_there);
    if (!error && is_there)
        filter->to_ms = period.last_ms;
    if (!error)
        error = read_text(exchange, "year", &year);
    if (error || !year.bytes)
        return error;
    if (year.length != 4 || !read_period(year, &period))
        return profile_refuse(exchange, "year", "must be a year, as 2026");
    if (period.first_ms > filter->from_ms)
        filter->from_ms = period.first_ms;
    if (period.last_ms < filter->to_ms)
        filter->to_ms = period.last_ms;
    return NULL;
}

/* -- Choices ----------------------------------------------------------------------------------- */

static const struct error *read_choice(struct exchange *exchange, const char *name,
                                       enum field_index field, int *choice)
{
    struct text text;
    struct value value;
    const struct error *error = read_text(exchange, name, &text);
    if (error || !text.bytes)
        return error;
    if (values_parse(&fields[field], text, exchange->arena, &value))
        return profile_refuse(exchange, name, "must be one of its names, as in the API");
    *choice = (int)value.integer;
    return NULL;
}

static const struct error *read_mode(struct exchange *exchange, int *mode)
{
    struct text text;
    const struct error *error = read_text(exchange, "mode", &text);
    if (error || !text_equals(text, text_of("none")))
        return error ? error : read_choice(exchange, "mode", FIELD_MODE, mode);
    *mode = LOG_FILTER_NO_MODE;
    return NULL;
}

static const struct error *read_state(struct exchange *exchange, const char *name,
                                      enum log_filter_state *state)
{
    struct text text;
    const struct error *error = read_text(exchange, name, &text);
    if (error || !text.bytes)
        return error;
    if (!text_equals(text, text_of("yes")) && !text_equals(text, text_of("no")))
        return profile_refuse(exchange, name, "must be yes or no");
    *state = text_equals(text, text_of("yes")) ? LOG_FILTER_YES : LOG_FILTER_NO;
    return NULL;
}

static const struct error *read_division(struct exchange *exchange, int *division)
{
    struct text text;
    int64_t number;
    const struct error *error = read_text(exchange, "division", &text);
    if (error || !text.bytes)
        return error;
    if (!text_parse_integer(text, 0, DIVISIONS_END - 1, &number) || !divisions_at((int)number))
        return profile_refuse(exchange, "division", "must be the number of a division, as 26");
    *division = (int)number;
    return NULL;
}

static const struct error *read_choices(struct exchange *exchange, struct log_filter *filter)
{
    TRY(read_choice(exchange, "band", FIELD_BAND, &filter->band));
    TRY(read_mode(exchange, &filter->mode));
    TRY(read_division(exchange, &filter->division));
    TRY(read_state(exchange, "confirmed", &filter->confirmed));
    TRY(read_state(exchange, "qslSent", &filter->qsl_sent));
    return read_state(exchange, "qslReceived", &filter->qsl_received);
}

/* -- Texts ------------------------------------------------------------------------------------- */

/* The field of two letters has no normal form of its own: it is that of its first square. */
static bool is_locator(struct text text, struct arena *arena)
{
    char normal[LOCATOR_LENGTH_MAX];
    const char *square = text.length == FIELD_OF_LOCATOR
                             ? arena_print(arena, "%.*s00", FIELD_OF_LOCATOR, text.bytes)
                             : arena_copy(arena, text.bytes, text.length);
    return locator_normalise(text_of(square), normal);
}

static const struct error *read_square(struct exchange *exchange, struct text *square)
{
    struct text text;
    const struct error *error = read_text(exchange, "square", &text);
    if (error || !text.bytes)
        return error;
    if (!is_locator(text, exchange->arena))
        return profile_refuse(exchange, "square",
                              "must be a locator of 2, 4 or 6 characters, as JO, JO59 or JO59jw");
    char *upper = arena_copy(exchange->arena, text.bytes, text.length);
    text_to_upper(text, upper);
    *square = (struct text){upper, text.length};
    return NULL;
}

static const struct error *read_callsign(struct exchange *exchange, struct match_callsign *callsign)
{
    struct text text;
    const struct error *error = read_text(exchange, "callsign", &text);
    if (!error && text_count_code_points(text) > MEMBER_CALLSIGN_MAX)
        error = profile_refuse(exchange, "callsign", "must have at most 20 characters");
    if (!error)
        match_normalise_callsign(text, callsign);
    return error;
}

static const struct error *read_part(struct exchange *exchange, struct log_filter *filter)
{
    struct text text;
    const struct error *error = read_text(exchange, "text", &text);
    if (error || !text.bytes)
        return error;
    if (text_count_code_points(text) > TEXT_MAX)
        return profile_refuse(exchange, "text", "must have at most 100 characters");
    fold_text(text, &filter->scratch);
    if (filter->scratch.length == 0)
        return profile_refuse(exchange, "text", "must have a letter, a digit or a sign");
    filter->text.length = filter->scratch.length;
    filter->text.bytes = arena_copy(exchange->arena, filter->scratch.bytes, filter->scratch.length);
    if (text.length <= MATCH_CALLSIGN_BYTES)
        match_normalise_callsign(text, &filter->text_callsign);
    return NULL;
}

const struct error *log_query_read_filter(struct exchange *exchange, struct log_filter *filter)
{
    log_filter_begin(filter);
    const struct error *error = read_times(exchange, filter);
    if (!error)
        error = read_choices(exchange, filter);
    if (!error)
        error = read_square(exchange, &filter->square);
    if (!error)
        error = read_callsign(exchange, &filter->callsign);
    if (!error)
        error = read_part(exchange, filter);
    if (error)
        log_filter_free(filter);
    return error;
}

struct log_walk log_query_walk(const struct log_filter *filter)
{
    return (struct log_walk){
        .from_ms = filter->from_ms,
        .to_ms = filter->to_ms,
        .with_texts = log_filter_needs_texts(filter),
        .asks_confirmed = filter->confirmed != LOG_FILTER_BOTH,
        .confirmed = filter->confirmed == LOG_FILTER_YES,
        .division = filter->division == LOG_FILTER_ANY ? 0 : filter->division,
        .callsign = filter->callsign,
    };
}

/* -- Order ------------------------------------------------------------------------------------- */

const struct error *log_query_read_order(struct exchange *exchange, struct log_order *order)
{
    static const char *const names[LOG_ORDER_KEYS] = {
        [LOG_BY_TIME] = "time",         [LOG_BY_CALLSIGN] = "callsign", [LOG_BY_BAND] = "band",
        [LOG_BY_MODE] = "mode",         [LOG_BY_DIVISION] = "division", [LOG_BY_SQUARE] = "square",
        [LOG_BY_DISTANCE] = "distance",
    };
    struct text text;
    const struct error *error = read_text(exchange, "sort", &text);
    *order = (struct log_order){.key = LOG_BY_TIME,
                                .descending = !text.bytes || *text.bytes == '-',
                                .member_locator = exchange->member.locator};
    if (error || !text.bytes)
        return error;
    struct text name = {text.bytes + order->descending, text.length - order->descending};
    for (int key = 0; key < LOG_ORDER_KEYS; key++)
        if (text_equals(name, text_of(names[key]))) {
            order->key = (enum log_order_key)key;
            return NULL;
        }
    return profile_refuse(exchange, "sort",
                          "must be time, callsign, band, mode, division, square or distance, or "
                          "one of them after a minus sign");
}
