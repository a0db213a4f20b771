/* Reads which spots a request wants from the parameters of its query. A parameter without a value
 * is no wish, as forms send it; one that is wrong is refused, so that nobody takes all spots for
 * those of a band. Which spots these are is left to spot_list.c. */
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "qso/fields.h"
#include "site/profile.h"
#include "site/spot_list.h"

#define LIMIT_MAX 500
#define DIVISION_MAX 9999
#define MINUTES_MAX (INT64_C(366) * 1440)

bool spot_list_read_khz(struct text text, struct arena *arena, int64_t *hz)
{
    char *end, *copy = arena_copy(arena, text.bytes, text.length);
    if (copy[strspn(copy, "0123456789.")] != '\0')
        return false;
    double khz = strtod(copy, &end);
    if (*end != '\0' || khz < 1 || khz > 1e6)
        return false;
    *hz = (int64_t)(khz * 1000 + 0.5);
    return true;
}

/* The name of a choice, as the field has it; an empty value is no wish. */
static const struct error *read_name(struct exchange *exchange, const char *parameter,
                                     const char *const *names, const char **name)
{
    struct text value;
    const struct error *error = profile_read_parameter(exchange, parameter, &value);
    if (error || value.length == 0)
        return error;
    for (; *names; names++)
        if (text_equals(value, text_of(*names)))
            *name = *names;
    return *name ? NULL : profile_refuse(exchange, parameter, "must be one of its names");
}

static const struct error *read_integer(struct exchange *exchange, const char *parameter,
                                        int64_t most, int64_t *number)
{
    struct text value;
    const struct error *error = profile_read_parameter(exchange, parameter, &value);
    if (error || value.length == 0)
        return error;
    return text_parse_integer(value, 1, most, number)
               ? NULL
               : profile_refuse(exchange, parameter,
                                arena_print(exchange->arena, "must be an integer from 1 to %lld",
                                            (long long)most));
}

static const struct error *read_frequency(struct exchange *exchange, const char *parameter,
                                          int64_t *hz)
{
    struct text value;
    const struct error *error = profile_read_parameter(exchange, parameter, &value);
    if (error || value.length == 0)
        return error;
    return spot_list_read_khz(value, exchange->arena, hz)
               ? NULL
               : profile_refuse(exchange, parameter, "must be kHz from 1 to 1000000");
}

static const struct error *read_callsign(struct exchange *exchange, struct match_callsign *part)
{
    struct text value;
    const struct error *error = profile_read_parameter(exchange, "callsign", &value);
    if (error)
        return error;
    if (value.length > MATCH_CALLSIGN_BYTES)
        return profile_refuse(exchange, "callsign", "must have at most 20 characters");
    match_normalise_callsign(value, part);
    return NULL;
}

static const struct error *read_numbers(struct exchange *exchange, struct spot_list *list)
{
    struct spot_wishes *wishes = &list->wishes;
    int64_t division = 0, minutes = 0;
    const struct error *error = read_integer(exchange, "division", DIVISION_MAX, &division);
    if (!error)
        error = read_integer(exchange, "minutes", MINUTES_MAX, &minutes);
    if (!error)
        error = read_integer(exchange, "before", INT64_MAX, &wishes->before_id);
    if (!error)
        error = read_integer(exchange, "limit", LIMIT_MAX, &list->most);
    wishes->division = (int)division;
    if (minutes)
        wishes->not_before_ms = exchange->request->arrived_ms - minutes * DATETIME_MINUTE_MS;
    return error;
}

const struct error *spot_list_read_query(struct exchange *exchange, struct spot_list *list)
{
    static const char *const bands[] = {"11m", "pmr446", NULL};
    struct spot_wishes *wishes = &list->wishes;
    const struct error *error = read_name(exchange, "band", bands, &wishes->band);
    if (!error)
        error = read_name(exchange, "mode", fields[FIELD_MODE].choices, &wishes->mode);
    if (!error)
        error = read_callsign(exchange, &wishes->callsign);
    if (!error)
        error = read_frequency(exchange, "from", &wishes->from_hz);
    if (!error)
        error = read_frequency(exchange, "to", &wishes->to_hz);
    return error ? error : read_numbers(exchange, list);
}
