/* Reads the query of the page Logbook: a filter, which the list, the statistics, the map, the
 * awards and the files share, and the list's order. qso/log_filter.c applies filters, and
 * qso/log_order.c applies orders. */
#include "site/profile/log_query.h"

#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "base/text_utf8.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/log_filter.h"
#include "qso/log_order.h"
#include "qso/values.h"
#include "site/profile/profile.h"

#define TEXT_MAX 500 /* maximum length in code points */
#define FIELD_OF_LOCATOR 2

struct parsed_parameter {
    struct arena *arena;
    struct log_filter *filter;
    void *place;
};

/* Reads a non-empty value of a parameter into the filter. Returns NULL, or the reason why the value
 * is invalid. */
typedef const char *take_value(struct text value, const struct parsed_parameter *to);

struct period {
    int64_t first_ms, last_ms;
};

/* Reads a year, a month or a day: 2026, 2026-05, 2026-05-17. */
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
    const time_t seconds = (time_t)(period->first_ms / 1000);
    struct tm next;
    gmtime_r(&seconds, &next);
    next.tm_year += text.length == 4;
    next.tm_mon += text.length == 7;
    next.tm_mday += text.length == 10;
    period->last_ms = (int64_t)timegm(&next) * 1000 - 1;
    return true;
}

static const char *take_from(struct text value, const struct parsed_parameter *to)
{
    struct period period;
    if (!read_period(value, &period))
        return "must be a day, a month or a year, such as 2026-05-17, 2026-05 or 2026";
    *(int64_t *)to->place = to->place == &to->filter->to_ms ? period.last_ms : period.first_ms;
    return NULL;
}

static void add_number(const struct parsed_parameter *to, int number)
{
    struct log_filter_list *list = to->place;
    int *numbers = arena_allocate(to->arena, (list->count + 1) * sizeof *numbers);
    if (list->count > 0)
        memcpy(numbers, list->numbers, list->count * sizeof *numbers);
    numbers[list->count++] = number;
    list->numbers = numbers;
}

static const char *take_year(struct text value, const struct parsed_parameter *to)
{
    struct period period;
    if (value.length != 4 || !read_period(value, &period))
        return "must be years, such as 2026 or 2025,2026";
    add_number(to, datetime_count_months(period.first_ms) / 12);
    return NULL;
}

static const char *take_choice(struct text value, const struct parsed_parameter *to)
{
    struct value choice;
    bool is_mode = to->place == &to->filter->modes;
    if (is_mode && text_equals(value, text_of("none")))
        choice.integer = LOG_FILTER_NO_MODE;
    else if (values_parse(&fields[is_mode ? FIELD_MODE : FIELD_BAND], value, to->arena, &choice))
        return "must be names in the API, separated by commas";
    *(uint32_t *)to->place |= 1u << choice.integer;
    return NULL;
}

static const char *take_state(struct text value, const struct parsed_parameter *to)
{
    bool is_yes = text_equals(value, text_of("yes"));
    *(enum log_filter_state *)to->place = is_yes ? LOG_FILTER_YES : LOG_FILTER_NO;
    return is_yes || text_equals(value, text_of("no")) ? NULL : "must be yes or no";
}

static const char *take_division(struct text value, const struct parsed_parameter *to)
{
    int64_t number;
    if (!text_parse_integer(value, 0, DIVISIONS_END - 1, &number) || !divisions_at((int)number))
        return "must be the numbers of divisions, such as 26 or 1,26";
    add_number(to, (int)number);
    return NULL;
}

/* Reads a locator of 2, 4 or 6 characters. A locator of 2 characters has no normal form, so the
 * first square in it is normalised. */
static const char *take_square(struct text value, const struct parsed_parameter *to)
{
    char normal[LOCATOR_LENGTH_MAX];
    const char *rest = value.length == FIELD_OF_LOCATOR ? "00" : "";
    if (!locator_normalise(
            text_of(arena_print(to->arena, "%.*s%s", (int)value.length, value.bytes, rest)),
            normal))
        return "must be a locator of 2, 4 or 6 characters, such as JO, JO59 or JO59jw";
    char *upper = arena_allocate(to->arena, value.length);
    text_to_upper(value, upper);
    to->filter->square = (struct text){upper, value.length};
    return NULL;
}

static const char *take_callsign(struct text value, const struct parsed_parameter *to)
{
    if (text_count_code_points(value) > MEMBER_CALLSIGN_MAX)
        return "must be at most 20 characters long";
    match_normalise_callsign(value, &to->filter->callsign);
    return NULL;
}

static const char *take_text(struct text value, const struct parsed_parameter *to)
{
    if (text_count_code_points(value) > TEXT_MAX)
        return "must be at most 500 characters long";
    return search_read(value, to->arena, &to->filter->search)
               ? NULL
               : "must contain a letter, a digit or a sign";
}

/* Reads the values of a parameter. Returns NULL, or the reason why a value is invalid. */
static const char *take_all(struct text value, take_value *take, bool has_several,
                            const struct parsed_parameter *to)
{
    const char *fault = NULL;
    if (!has_several)
        return take(value, to);
    while (!fault && value.bytes)
        fault = take(text_trim(text_split_next(&value, ',')), to);
    return fault;
}

static int64_t start_of_year(int year)
{
    struct tm start = {.tm_year = year - 1900, .tm_mday = 1};
    return (int64_t)timegm(&start) * 1000;
}

/* Limits the filter's time to the period from the first year to the last year in the list. */
static void narrow_to_years(struct log_filter *filter)
{
    const struct log_filter_list *years = &filter->years;
    int first = years->numbers[0], last = first;
    for (size_t i = 1; i < years->count; i++) {
        first = years->numbers[i] < first ? years->numbers[i] : first;
        last = years->numbers[i] > last ? years->numbers[i] : last;
    }
    const int64_t first_ms = start_of_year(first), last_ms = start_of_year(last + 1) - 1;
    filter->from_ms = first_ms > filter->from_ms ? first_ms : filter->from_ms;
    filter->to_ms = last_ms < filter->to_ms ? last_ms : filter->to_ms;
}

const struct error *log_query_read_filter(struct exchange *exchange, struct log_filter *filter)
{
    const struct {
        const char *name;
        take_value *take;
        void *place;
        bool has_several; /* whether the parameter can have several values */
    } parameters[] = {{"from", take_from, &filter->from_ms, false},
                      {"to", take_from, &filter->to_ms, false},
                      {"year", take_year, &filter->years, true},
                      {"band", take_choice, &filter->bands, true},
                      {"mode", take_choice, &filter->modes, true},
                      {"division", take_division, &filter->divisions, true},
                      {"confirmed", take_state, &filter->confirmed, false},
                      {"qslSent", take_state, &filter->qsl_sent, false},
                      {"qslReceived", take_state, &filter->qsl_received, false},
                      {"square", take_square, NULL, false},
                      {"callsign", take_callsign, NULL, false},
                      {"text", take_text, NULL, false}};
    log_filter_begin(filter);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct text value;
        TRY(input_read_parameter(exchange, parameters[i].name, &value));
        value = text_trim(value);
        const struct parsed_parameter to = {exchange->arena, filter, parameters[i].place};
        const char *fault =
            value.length == 0 ? NULL
                              : take_all(value, parameters[i].take, parameters[i].has_several, &to);
        if (fault)
            return input_refuse(exchange, parameters[i].name, fault);
    }
    if (filter->years.count > 0)
        narrow_to_years(filter);
    return NULL;
}

struct log_walk log_query_walk(const struct log_filter *filter)
{
    return (struct log_walk){
        .from_ms = filter->from_ms,
        .to_ms = filter->to_ms,
        .with_texts = filter->search.count > 0,
        .asks_confirmed = filter->confirmed != LOG_FILTER_BOTH,
        .confirmed = filter->confirmed == LOG_FILTER_YES,
        .division = filter->divisions.count == 1 ? filter->divisions.numbers[0] : 0,
        .callsign = filter->callsign,
    };
}

struct counting {
    struct log_filter filter;
    qso_visitor *visit;
    void *context;
};

static bool visit_wanted(void *context, const struct qso *qso)
{
    struct counting *counting = context;
    if (log_filter_fits(&counting->filter, qso))
        counting->visit(counting->context, qso);
    return true;
}

const struct error *log_query_visit(struct exchange *exchange, qso_visitor *visit, void *context)
{
    struct counting counting = {.visit = visit, .context = context};
    TRY(log_query_read_filter(exchange, &counting.filter));
    if (log_filter_wants_all(&counting.filter))
        return profile_store_error(
            store_count_whole_log(exchange->store, exchange->member.id, visit, context));
    struct log_walk walk = log_query_walk(&counting.filter);
    walk.in_any_order = true;
    return profile_store_error(
        store_walk_log(exchange->store, exchange->member.id, &walk, visit_wanted, &counting));
}

const struct error *log_query_read_order(struct exchange *exchange, struct log_order *order)
{
    static const char *const names[LOG_ORDER_KEYS] = {
        [LOG_BY_TIME] = "time",         [LOG_BY_CALLSIGN] = "callsign", [LOG_BY_BAND] = "band",
        [LOG_BY_MODE] = "mode",         [LOG_BY_DIVISION] = "division", [LOG_BY_SQUARE] = "square",
        [LOG_BY_DISTANCE] = "distance",
    };
    struct text text;
    TRY(input_read_parameter(exchange, "sort", &text));
    text = text_trim(text);
    *order = (struct log_order){.key = LOG_BY_TIME,
                                .descending = text.length == 0 || *text.bytes == '-',
                                .member_locator = exchange->member.locator};
    if (text.length == 0)
        return NULL;
    const struct text name = text_skip(text, order->descending);
    for (int key = 0; key < LOG_ORDER_KEYS; key++)
        if (text_equals(name, text_of(names[key]))) {
            order->key = (enum log_order_key)key;
            return NULL;
        }
    return input_refuse(exchange, "sort",
                        "must be time, callsign, band, mode, division, square or distance, or "
                        "one of them after a minus sign");
}
