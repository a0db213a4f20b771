/* Reads any bytes as a request body: JSON, then each entry as a QSO within the API's bounds. The
 * QSO is written as JSON and read again as the same QSO. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "demand.h"
#include "json/list.h"
#include "qso/entry.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "qso/render.h"
#include "qso/spot.h"
#include "json/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_present(const struct qso *qso, enum field_index field)
{
    return qso->values[field].state == VALUE_PRESENT;
}

static void demand_integer(const struct qso *qso, enum field_index field, int64_t minimum,
                           int64_t maximum)
{
    const struct value *value = &qso->values[field];
    demand(!is_present(qso, field) || (value->integer >= minimum && value->integer <= maximum));
}

static void demand_real(const struct qso *qso, enum field_index field, double limit)
{
    const struct value *value = &qso->values[field];
    demand(!is_present(qso, field) || (value->real >= -limit && value->real <= limit));
}

static void demand_text(const struct qso *qso, enum field_index field, size_t maximum)
{
    struct text text = qso_text(qso, field);
    if (!text.bytes)
        return;
    demand(text.length > 0 && text_trim(text).length == text.length);
    demand(text_is_utf8(text.bytes, text.length) && text_count_code_points(text) <= maximum);
    demand(!memchr(text.bytes, '\0', text.length));
}

static void demand_bounds(const struct qso *qso)
{
    bool is_pmr = qso->values[FIELD_BAND].integer == BAND_PMR446;
    demand(is_present(qso, FIELD_CLIENT_ID) && is_present(qso, FIELD_BAND));
    demand(is_present(qso, FIELD_QSO_AT) && is_present(qso, FIELD_CHANNEL) == is_pmr);
    demand(is_pmr ? !is_present(qso, FIELD_FREQUENCY)
                  : !is_present(qso, FIELD_CTCSS_TONE) && !is_present(qso, FIELD_DCS_CODE));
    demand_integer(qso, FIELD_QSO_AT, DATETIME_MINIMUM_MS, DATETIME_MAXIMUM_MS);
    demand_integer(qso, FIELD_FREQUENCY, 26000, 28000);
    demand_integer(qso, FIELD_CHANNEL, 1, 16);
    demand_integer(qso, FIELD_TX_POWER, 0, 100000);
    demand_integer(qso, FIELD_SPLIT, -99999, 99999);
    demand_real(qso, FIELD_DX_LAT, 90);
    demand_real(qso, FIELD_DX_LNG, 180);
    demand_text(qso, FIELD_CALLSIGN_WORKED, 20);
    demand_text(qso, FIELD_OPERATOR_CALLSIGN, 20);
    demand_text(qso, FIELD_RST_SENT, 10);
    demand_text(qso, FIELD_RST_RECEIVED, 10);
    demand_text(qso, FIELD_RADIO, 80);
    demand_text(qso, FIELD_ANTENNA, 80);
    demand_text(qso, FIELD_NOTES, 2000);
}

static const struct json_list_plan plan = {
    .list = "entries", .elements_max = 200, .fields_max = FIELD_COUNT, .find = fields_find_sent};

static const struct json_bounds bounds = {
    .items_max = JSON_ITEMS_MAX, .lists = {"entries"}, .elements_max = 200};

static bool read_list(struct text body, struct arena *arena, struct json_list *list)
{
    const char *message;
    const struct json_fields *object = json_read_object(body, &bounds, arena, &message);
    if (object)
        json_list_of(object, &plan, arena, list);
    return object != NULL;
}

static void demand_same_again(const struct buffer *first, struct arena *arena)
{
    struct buffer body = {0}, second = {0};
    struct json_list list;
    struct qso qso;
    buffer_append_string(&body, "{\"entries\":[");
    buffer_append(&body, first->bytes, first->length);
    buffer_append_string(&body, "]}");
    demand(read_list((struct text){body.bytes, body.length}, arena, &list));
    demand(list.is_array && list.count == 1 && list.elements[0]);
    demand(!validate_qso(list.elements[0], arena, &qso));
    render_qso(&qso, &second);
    demand(second.length == first->length &&
           memcmp(second.bytes, first->bytes, first->length) == 0);
    buffer_free(&body);
    buffer_free(&second);
}

static void try_entry(const struct json_value *entry, struct arena *arena)
{
    char line[SPOT_LINE_LENGTH + 1];
    struct buffer out = {0};
    struct match_side side;
    struct spot spot;
    struct qso qso;
    if (validate_qso(entry, arena, &qso))
        return;
    demand_bounds(&qso);
    render_qso(&qso, &out);
    demand(text_is_utf8(out.bytes, out.length));
    demand_same_again(&out, arena);
    match_read_side(&qso, text_of("21SD333"), &side);
    demand(!side.confirmable || !match_confirms(&side, &side) ||
           side.station.length == side.worked.length);
    spot_of_qso(&qso, text_of("21SD333"), 0, &spot);
    if (spot_format_line(&spot, line))
        for (size_t i = 0; i < SPOT_LINE_LENGTH; i++)
            demand(line[i] >= ' ' && line[i] <= '~');
    buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct text text = {arena_copy(&arena, data, size), size};
    struct json_list list;
    if (read_list(text, &arena, &list) && list.is_array)
        for (size_t i = 0; i < list.count && i < plan.elements_max; i++)
            if (list.elements[i])
                try_entry(list.elements[i], &arena);
    arena_free(&arena);
    return 0;
}
