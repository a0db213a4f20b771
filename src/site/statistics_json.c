/* How the numbers of a log are answered (src/pages/log-statistics.js draws them). They are counted
 * in statistics.c.
 */
#include <math.h>

#include "base/datetime.h"
#include "json/write.h"
#include "qso/divisions.h"
#include "qso/place.h"
#include "site/statistics.h"
#include "store/log.h"

#define SQUARES_SHOWN 10

static void write_months(struct buffer *body, const struct statistics *counts)
{
    buffer_append_string(body, "\"months\":[");
    for (size_t i = 0; i < counts->month_count; i++) {
        char text[DATETIME_TEXT_LENGTH];
        datetime_format(counts->months[i].first_ms, text);
        json_write_element(body);
        buffer_append(body, "{", 1);
        json_write_text(body, "month", (struct text){text, sizeof "YYYY-MM" - 1});
        json_write_integer(body, "qsos", counts->months[i].qsos);
        json_write_integer(body, "confirmed", counts->months[i].confirmed);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

static void write_hours(struct buffer *body, const struct statistics *counts)
{
    json_write_name(body, "hours");
    buffer_append(body, "[", 1);
    for (int i = 0; i < STATISTICS_HOURS; i++) {
        json_write_element(body);
        buffer_append_integer(body, counts->hours[i]);
    }
    buffer_append(body, "]", 1);
}

static void write_distances(struct buffer *body, const struct statistics *counts)
{
    json_write_name(body, "distances");
    buffer_append(body, "[", 1);
    for (size_t i = 0; i < STATISTICS_DISTANCES; i++) {
        json_write_element(body);
        buffer_append(body, "{", 1);
        json_write_integer(body, "belowKm", statistics_distances[i]);
        json_write_integer(body, "qsos", counts->by_distance[i]);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

/* The number with the highest count, which is set to 0; count tells how many numbers there are. */
static int take_highest(int64_t *counts, int count, int64_t *highest)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (counts[i] > counts[best])
            best = i;
    *highest = counts[best];
    counts[best] = 0;
    return best;
}

static void write_squares(struct buffer *body, const struct statistics *counts)
{
    int64_t known = 0, qsos;
    for (int i = 0; i < STATISTICS_SQUARES; i++)
        known += counts->squares[i] > 0;
    json_write_integer(body, "squareCount", known);
    json_write_name(body, "squares");
    buffer_append(body, "[", 1);
    for (int i = 0; i < SQUARES_SHOWN && i < known; i++) {
        int best = take_highest(counts->squares, STATISTICS_SQUARES, &qsos);
        const char name[PLACE_SQUARE_LENGTH] = {(char)('A' + best / 100 / STATISTICS_FIELDS),
                                                (char)('A' + best / 100 % STATISTICS_FIELDS),
                                                (char)('0' + best / 10 % 10),
                                                (char)('0' + best % 10)};
        json_write_element(body);
        buffer_append(body, "{", 1);
        json_write_text(body, "square", (struct text){name, sizeof name});
        json_write_integer(body, "qsos", qsos);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

/* All of them, the one with most QSOs first. */
static void write_divisions(struct buffer *body, const struct statistics *counts)
{
    int64_t qsos;
    int number;
    json_write_name(body, "divisions");
    buffer_append(body, "[", 1);
    while (number = take_highest(counts->divisions, DIVISIONS_END, &qsos), qsos > 0) {
        const struct division *division = divisions_at(number);
        json_write_element(body);
        buffer_append(body, "{", 1);
        json_write_integer(body, "number", number);
        json_write_text(body, "name", text_of(division->name));
        json_write_text(body, "iso", text_of(*division->iso ? division->iso : NULL));
        json_write_integer(body, "qsos", qsos);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "]", 1);
}

/* The farthest station; nothing where no distance is known. */
static enum store_result write_farthest(struct exchange *exchange, const struct statistics *counts,
                                        struct buffer *body)
{
    struct qso qso;
    char locator[LOCATOR_LENGTH_MAX];
    json_write_name(body, "farthest");
    if (counts->farthest_km < 0) {
        buffer_append_string(body, "null");
        return STORE_DONE;
    }
    enum store_result result = store_find_own_qso(exchange->store, exchange->member.id,
                                                  counts->farthest_id, exchange->arena, &qso);
    if (result != STORE_DONE)
        return result;
    buffer_append(body, "{", 1);
    json_write_integer(body, "km", llround(counts->farthest_km));
    json_write_text(body, "callsign", qso_text(&qso, FIELD_CALLSIGN_WORKED));
    json_write_text(body, "locator", (struct text){locator, place_find_locator(&qso, locator)});
    json_write_time(body, "qsoAt", qso.values[FIELD_QSO_AT].integer);
    buffer_append(body, "}", 1);
    return STORE_DONE;
}

enum store_result statistics_write(struct statistics *counts, struct exchange *exchange,
                                   struct buffer *body)
{
    write_months(body, counts);
    json_write_integer(body, "qsos", counts->qsos);
    json_write_integer(body, "confirmed", counts->confirmed);
    json_write_integer(body, "stations", (int64_t)counts->stations.count);
    write_hours(body, counts);
    write_distances(body, counts);
    write_squares(body, counts);
    write_divisions(body, counts);
    return write_farthest(exchange, counts, body);
}
