/* Tests the rules in src/qso for cursors, matches, callsigns, divisions, places, spots, rendered
 * QSOs and values. */
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/datetime.h"
#include "json/list.h"
#include "json/read.h"
#include "qso/cursor.h"
#include "qso/divisions.h"
#include "qso/entry.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/match.h"
#include "qso/place.h"
#include "qso/render.h"
#include "qso/spot.h"
#include "qso/values.h"

static struct arena arena;

static const struct rejection *validate(const char *json, struct qso *qso)
{
    static const struct json_list_plan plan = {
        .list = "entries", .elements_max = 1, .fields_max = FIELD_COUNT, .find = fields_find_sent};
    static const struct json_bounds bounds = {.items_max = JSON_ITEMS_MAX};
    const char *body = arena_print(&arena, "{\"entries\":[%s]}", json), *message;
    const struct json_fields *object = json_read_object(text_of(body), &bounds, &arena, &message);
    struct json_list list;
    assert_non_null(object);
    json_list_of(object, &plan, &arena, &list);
    return validate_qso(list.elements[0], &arena, qso);
}

#define ENTRY "\"clientId\":\"2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20\",\"band\":\"ELEVEN_METERS\","

static void a_cursor_reads_back_what_was_written(void **state)
{
    (void)state;
    static const int64_t numbers[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1795241043569};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[CURSOR_LENGTH];
        int64_t time, id;
        cursor_format(numbers[i], numbers[5 - i], text);
        assert_true(cursor_parse((struct text){text, sizeof text}, &time, &id));
        assert_true(time == numbers[i] && id == numbers[5 - i]);
    }
}

static void a_changed_cursor_is_detected(void **state)
{
    (void)state;
    char text[CURSOR_LENGTH];
    int64_t time, id;
    for (size_t i = 0; i < sizeof text; i++) {
        cursor_format(1795241043569, 42, text);
        text[i] = text[i] == '0' ? '1' : '0';
        assert_false(cursor_parse((struct text){text, sizeof text}, &time, &id));
    }
    for (size_t i = 0; i < sizeof text; i++) {
        cursor_format(1795241043569, 42, text);
        /* not digits of a cursor, in which upper-case digits are also invalid */
        text[i] = "AFGg -\0\xff"[i % 8];
        assert_false(cursor_parse((struct text){text, sizeof text}, &time, &id));
    }
    assert_false(cursor_parse((struct text){text, sizeof text - 1}, &time, &id));
    assert_false(cursor_parse(text_of(""), &time, &id));
}

static void qsos_match_up_to_fifteen_minutes_apart(void **state)
{
    (void)state;
    struct qso a, b;
    struct match_side a_side, b_side;
    for (int minutes = -16; minutes <= 16; minutes++) {
        char time[DATETIME_TEXT_LENGTH + 1] = {0};
        datetime_format(INT64_C(1779046920000) + minutes * 60000, time);
        assert_null(validate("{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\",\"callsignWorked\":"
                             "\"26-at 101\"}",
                             &a));
        assert_null(validate(arena_print(&arena,
                                         "{" ENTRY "\"qsoAt\":\"%s\",\"callsignWorked\":"
                                         "\"21.SD.333\"}",
                                         time),
                             &b));
        match_read_side(&a, text_of("21SD333"), &a_side);
        match_read_side(&b, text_of("26AT101"), &b_side);
        bool confirms = match_confirms(&a_side, &b_side);
        int64_t distance = a.values[FIELD_QSO_AT].integer - b.values[FIELD_QSO_AT].integer;
        assert_int_equal(confirms, distance <= 900000 && distance >= -900000);
    }
}

static void a_callsign_has_a_base_call(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"21SD333", "21SD333"},
                                           {"161/21SD333", "21SD333"},
                                           {"21-sd-333 /p", "21SD333"},
                                           {"1/26AT101/M", "26AT101"},
                                           {"26AT101/161", "26AT101"},
                                           {"26AT101/QRP", "26AT101"},
                                           {"26AT101/MM", "26AT101"},
                                           {"26AT101/AM/P", "26AT101"},
                                           {"013/26AT101", "26AT101"},
                                           {"353/26AT101", "353/26AT101"},
                                           {"0/26AT101", "0/26AT101"},
                                           {"0013/26AT101", "0013/26AT101"},
                                           {"SP/21SD333", "SP/21SD333"},
                                           {"21SD333/LH", "21SD333/LH"},
                                           {"161/21SD333/LH", "161/21SD333/LH"},
                                           {"161/P", "161/P"},
                                           {"P", "P"},
                                           {"/26AT101", "/26AT101"},
                                           {"26AT101/", "26AT101/"},
                                           {"//", "//"},
                                           {"/", "/"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct match_callsign callsign, base;
        match_normalise_callsign(text_of(cases[i][0]), &callsign);
        match_base_callsign(&callsign, &base);
        assert_memory_equal(base.bytes, cases[i][1], base.length);
        assert_int_equal(base.length, strlen(cases[i][1]));
    }
}

static void a_spot_line_has_fixed_columns(void **state)
{
    (void)state;
    struct qso qso;
    struct spot spot;
    char line[SPOT_LINE_LENGTH + 1];
    assert_null(
        validate("{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\",\"frequencyMhz\":\"27.555\","
                 "\"mode\":\"USB\",\"callsignWorked\":\"26AT101\",\"dxLocator\":\"io91WM\"}",
                 &qso));
    spot_of_qso(&qso, text_of("21SD333"), INT64_C(1779046920000), &spot);
    assert_true(spot_format_line(&spot, line));
    assert_string_equal(
        line, "DX de 21SD333:   27555.0  26AT101      USB IO91wm                     1942Z");
    assert_int_equal(strlen(line), SPOT_LINE_LENGTH);
}

static void control_characters_never_reach_a_spot_line(void **state)
{
    (void)state;
    struct qso qso;
    struct spot spot;
    char line[SPOT_LINE_LENGTH + 1];
    assert_null(validate("{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\",\"frequencyMhz\":\"27.555\","
                         "\"callsignWorked\":\"1a\\r\\n\\u0007\\u0085b\"}",
                         &qso));
    spot_of_qso(&qso, text_of("21SD333"), 0, &spot);
    assert_false(spot_format_line(&spot, line));
}

static void a_division_is_the_number_before_the_first_letter(void **state)
{
    (void)state;
    static const struct {
        const char *callsign, *name;
    } cases[] = {{"26AT101", "England"},          {"1AT1", "Italy"},
                 {"14-FR-001", "France"},         {"352SD1", "Kosovo"},
                 {"302RC1015", "Asiatic Russia"}, {"21 SD 333", "Sweden"}};
    static const char *const none[] = {"",       "AT101",   "26",          "0AT1",
                                       "353AT1", "1234AT1", "\xE2\x98\x83"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(divisions_find(text_of(cases[i].callsign))->name, cases[i].name);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(divisions_find(text_of(none[i])));
    assert_null(divisions_find((struct text){0}));
}

static void a_division_has_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *callsign;
        int number;
    } cases[] = {{"26AT101", 26},          {"1-AT-1", 1},
                 {"352XK1", 352},          {"353AT1", DIVISIONS_NONE},
                 {"0AT1", DIVISIONS_NONE}, {"AT26", DIVISIONS_NONE},
                 {"26", DIVISIONS_NONE},   {"00026AT1", DIVISIONS_NONE},
                 {"161/21SD333", 161},     {"26/7", DIVISIONS_NONE},
                 {"", DIVISIONS_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(divisions_number(text_of(cases[i].callsign)), cases[i].number);
    for (int number = 0; number <= DIVISIONS_END; number++) {
        const struct division *division = divisions_at(number);
        const char *callsign = arena_print(&arena, "%dAT1", number);
        assert_ptr_equal(divisions_find(text_of(callsign)), division);
        assert_int_equal(divisions_number(text_of(callsign)), division ? number : DIVISIONS_NONE);
    }
    arena_reset(&arena);
}

static void set_text(struct qso *qso, enum field_index field, const char *text)
{
    qso->values[field] =
        (struct value){.text = text, .length = (uint32_t)strlen(text), .state = VALUE_PRESENT};
}

static void set_place(struct qso *qso, double lat, double lng)
{
    qso->values[FIELD_DX_LAT] = (struct value){.real = lat, .state = VALUE_PRESENT};
    qso->values[FIELD_DX_LNG] = (struct value){.real = lng, .state = VALUE_PRESENT};
}

static void a_locator_is_sent_or_computed_from_coordinates(void **state)
{
    (void)state;
    static const struct {
        double lat, lng;
        const char *locator;
    } cases[] = {{51.507351, -0.127758, "IO91WM"},
                 {59.95, 10.8, "JO59JW"},
                 {-90, -180, "AA00AA"},
                 {90, 180, "RR99XX"},
                 {-0.0001, 0, "JI09AX"},
                 {0, 0, ""}};
    char out[LOCATOR_LENGTH_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct qso qso = {0};
        set_place(&qso, cases[i].lat, cases[i].lng);
        assert_int_equal(place_find_locator(&qso, out), strlen(cases[i].locator));
        assert_memory_equal(out, cases[i].locator, strlen(cases[i].locator));
        set_text(&qso, FIELD_DX_LOCATOR, "jn58");
        assert_int_equal(place_find_locator(&qso, out), 4);
        assert_memory_equal(out, "JN58", 4);
    }
    struct qso none = {0};
    assert_int_equal(place_find_locator(&none, out), 0);
}

static void a_distance_is_measured_over_the_ground(void **state)
{
    (void)state;
    struct place oslo, here, there;
    struct qso qso = {0};
    bool exact;
    assert_false(place_of_dx(&qso, &there, &exact));
    set_text(&qso, FIELD_DX_LOCATOR, "IO91wm");
    assert_true(place_of_dx(&qso, &there, &exact) && !exact);
    assert_true(place_of_member(&qso, text_of("JO59jw"), &oslo));
    assert_int_equal((int)place_distance_km(&oslo, &there), 1155);
    set_text(&qso, FIELD_MY_LOCATOR, "IO91wm");
    assert_true(place_of_member(&qso, text_of("JO59jw"), &here));
    assert_int_equal((int)place_distance_km(&here, &there), 0);
    set_place(&qso, -here.lat, here.lng + 180);
    assert_true(place_of_dx(&qso, &there, &exact) && exact);
    assert_int_equal((int)place_distance_km(&here, &there), 20015);
}

/* Divisions that are parts of one country share the country's code. Every other code occurs once.
 */
static void the_codes_of_divisions_are_all_codes_of_iso_3166(void **state)
{
    (void)state;
    static const char shared[] =
        "IT US BR VE CO CA MX PR DE FR CH GR JP GB ES PT CL NZ AU ZA RU IN "
        "MY EC SH CR AS UM NA CU YE FJ TF SB AQ TW MU SJ NC GQ PF AX GS "
        "KI CK PN SS BQ ";
    int times[26][26] = {{0}}, codes = 0;
    for (int number = 1; number <= 352; number++) {
        char callsign[16];
        snprintf(callsign, sizeof callsign, "%dSD1", number);
        const struct division *division = divisions_find(text_of(callsign));
        assert_non_null(division);
        assert_true(strlen(division->continent) == 2 &&
                    strstr("AF AN AS EU NA OC SA", division->continent));
        size_t prefix = strlen(division->prefix);
        assert_true(prefix > 0 && prefix == strspn(division->prefix, "0123456789"
                                                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
        if (!*division->iso)
            continue;
        assert_true(strlen(division->iso) == 2 && division->iso[0] >= 'A' &&
                    division->iso[0] <= 'Z' && division->iso[1] >= 'A' && division->iso[1] <= 'Z');
        if (++times[division->iso[0] - 'A'][division->iso[1] - 'A'] == 1)
            codes++;
        else if (!strstr(shared, division->iso))
            fail_msg("%s occurs twice", division->iso);
    }
    /* all of ISO 3166-1, and XK, which the standard reserves for users */
    assert_int_equal(codes, 249 + 1);
}

static void a_row_of_spots_ends_with_the_spotter_in_column_80(void **state)
{
    (void)state;
    struct qso qso;
    struct spot spot;
    char row[SPOT_ROW_LENGTH + 1];
    assert_null(
        validate("{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\",\"frequencyMhz\":\"27.555\","
                 "\"mode\":\"USB\",\"callsignWorked\":\"26-at-101\",\"dxLocator\":\"io91WM\"}",
                 &qso));
    spot_of_qso(&qso, text_of("21SD333"), INT64_C(1779046920000), &spot);
    assert_true(spot_format_row(&spot, row));
    assert_string_equal(
        row, "  27555.0 26AT101     17-May-2026 1942Z USB IO91wm                     <21SD333>");
    assert_int_equal(strlen(row), SPOT_ROW_LENGTH);
}

static void a_spot_without_callsign_or_frequency_has_no_line(void **state)
{
    (void)state;
    struct qso qso;
    struct spot spot;
    char line[SPOT_LINE_LENGTH + 1];
    assert_null(validate(
        "{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\",\"frequencyMhz\":\"27.555\"}", &qso));
    spot_of_qso(&qso, text_of("21SD333"), 0, &spot);
    assert_false(spot_format_line(&spot, line));
    assert_null(
        validate("{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\",\"callsignWorked\":\"A\"}", &qso));
    spot_of_qso(&qso, text_of("21SD333"), 0, &spot);
    assert_false(spot_format_line(&spot, line));
}

static void every_field_is_rendered_except_the_write_only_field(void **state)
{
    (void)state;
    struct buffer out = {0};
    struct qso qso;
    assert_null(validate("{" ENTRY "\"qsoAt\":\"2026-05-17T19:42:00Z\"}", &qso));
    render_qso(&qso, &out);
    buffer_append(&out, "", 1);
    struct json_object *json = json_tokener_parse(out.bytes);
    assert_int_equal(json_object_object_length(json), FIELD_COUNT - 1);
    for (int i = 0; i < FIELD_COUNT; i++)
        assert_int_equal(json_object_object_get_ex(json, fields[i].name, NULL),
                         !(fields[i].flags & FIELD_WRITE_ONLY));
    json_object_put(json);
    buffer_free(&out);
}

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct rejection *parse(enum field_index field, const char *text, struct value *value)
{
    *value = (struct value){0};
    return values_parse(&fields[field], text_of(text), &arena, value);
}

static void a_value_is_written_as_it_was_parsed(void **state)
{
    (void)state;
    static const struct {
        enum field_index field;
        const char *text;
    } cases[] = {
        {FIELD_CLIENT_ID, "2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20"},
        {FIELD_BAND, "PMR446"},
        {FIELD_QSO_AT, "2026-05-17T19:42:00.007Z"},
        {FIELD_FREQUENCY, "26.005"},
        {FIELD_CHANNEL, "16"},
        {FIELD_CTCSS_TONE, "88.5"},
        {FIELD_DX_LAT, "-33.8675"},
        {FIELD_DX_LOCATOR, "IO91wm"},
        {FIELD_SPLIT, "-99999"},
        {FIELD_QSL_SENT, "true"},
        {FIELD_NOTES, "a \"b\"\n\xc3\xa5"},
        {FIELD_ID, "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct field *field = &fields[cases[i].field];
        struct value value, again;
        struct buffer text = {0};
        assert_null(parse(cases[i].field, cases[i].text, &value));
        assert_int_equal(value.state, VALUE_PRESENT);
        values_format(field, &value, &text);
        assert_int_equal(text.length, strlen(cases[i].text));
        assert_memory_equal(text.bytes, cases[i].text, text.length);
        assert_null(parse(cases[i].field, cases[i].text, &again));
        assert_true(values_equal(field, &value, &again));
        again.state = VALUE_NULL;
        assert_false(values_equal(field, &value, &again));
        buffer_free(&text);
    }
}

static void an_invalid_value_is_rejected(void **state)
{
    (void)state;
    static const struct {
        enum field_index field;
        const char *text;
    } cases[] = {
        {FIELD_CLIENT_ID, "2f1c9a4e"}, {FIELD_BAND, "pmr446"},   {FIELD_QSO_AT, "20260517"},
        {FIELD_FREQUENCY, "28.001"},   {FIELD_CHANNEL, "17"},    {FIELD_CHANNEL, ""},
        {FIELD_CHANNEL, "1.5"},        {FIELD_DX_LAT, "90.001"}, {FIELD_DX_LAT, "nan"},
        {FIELD_DX_LAT, "0x10"},        {FIELD_DX_LAT, "1.5."},   {FIELD_DX_LAT, ""},
        {FIELD_QSL_SENT, "1"},         {FIELD_DX_LOCATOR, "JO"}, {FIELD_RST_SENT, "12345678901"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value value;
        const struct rejection *rejection = parse(cases[i].field, cases[i].text, &value);
        assert_non_null(rejection);
        assert_true(rejection->permanent);
        assert_int_equal(value.state, VALUE_OMITTED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cursor_reads_back_what_was_written),
        cmocka_unit_test(a_changed_cursor_is_detected),
        cmocka_unit_test(qsos_match_up_to_fifteen_minutes_apart),
        cmocka_unit_test(a_callsign_has_a_base_call),
        cmocka_unit_test(a_spot_line_has_fixed_columns),
        cmocka_unit_test(control_characters_never_reach_a_spot_line),
        cmocka_unit_test(a_division_is_the_number_before_the_first_letter),
        cmocka_unit_test(a_division_has_a_number),
        cmocka_unit_test(a_locator_is_sent_or_computed_from_coordinates),
        cmocka_unit_test(a_distance_is_measured_over_the_ground),
        cmocka_unit_test(the_codes_of_divisions_are_all_codes_of_iso_3166),
        cmocka_unit_test(a_row_of_spots_ends_with_the_spotter_in_column_80),
        cmocka_unit_test(a_spot_without_callsign_or_frequency_has_no_line),
        cmocka_unit_test(every_field_is_rendered_except_the_write_only_field),
        cmocka_unit_test(a_value_is_written_as_it_was_parsed),
        cmocka_unit_test(an_invalid_value_is_rejected),
    };
    return cmocka_run_group_tests_name("qso", tests, NULL, free_arena);
}
