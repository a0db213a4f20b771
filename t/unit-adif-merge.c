/* Tests merging a record into a stored QSO (src/adif/merge.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "unit-adif.h"
#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "adif/standard.h"
#include "adif/tag.h"
#include "qso/fields.h"

static void only_new_values_are_merged(void **state)
{
    (void)state;
    struct mapped mapped;
    struct merge_new new_values = {.is_new[FIELD_RST_SENT] = true,
                                   .is_new[SAID_NOTES + NOTES_QTH] = true};
    struct qso stored = stored_qso("ELEVEN_METERS"), merged;
    set(&stored, FIELD_RST_SENT, "59");
    set(&stored, FIELD_NOTES, "Name: Ann");
    map(WHEN "<BAND:3>11m<RST_SENT:2>57<RST_RCVD:2>55<MODE:2>AM<NAME:3>Bob<QTH:5>Paris<EOR>",
        &mapped);
    struct merging merging = {
        .record = &mapped, .stored = &stored, .way = MERGE_ADD, .new_values = &new_values};
    assert_true(merge_record(&merging, &arena, &merged));
    assert_string_equal(value_text(&merged, FIELD_RST_SENT), "57");
    assert_string_equal(value_text(&merged, FIELD_RST_RECEIVED), "-");
    assert_string_equal(value_text(&merged, FIELD_MODE), "-");
    assert_string_equal(value_text(&merged, FIELD_NOTES), "Name: Ann\nQTH: Paris");
    merging.way = MERGE_FILL;
    assert_false(merge_record(&merging, &arena, &merged));
    assert_true(merge_keeps_another(&merging, &merged, FIELD_RST_SENT));
    assert_false(merge_keeps_another(&merging, &merged, FIELD_RST_RECEIVED));
}

static void a_program_can_correct_its_own_values(void **state)
{
    (void)state;
    struct mapped mapped;
    struct merge_new new_values = {.is_new[FIELD_DX_LOCATOR] = true};
    struct qso stored = stored_qso("ELEVEN_METERS"), merged;
    set(&stored, FIELD_DX_LOCATOR, "IO91wm");
    map(WHEN "<BAND:3>11m<GRIDSQUARE:4>IO91<EOR>", &mapped);
    const struct merging merging = {
        .record = &mapped, .stored = &stored, .way = MERGE_ADD, .new_values = &new_values};
    assert_false(merge_record(&merging, &arena, &merged));
    new_values.may_say_less = true;
    assert_true(merge_record(&merging, &arena, &merged));
    assert_string_equal(value_text(&merged, FIELD_DX_LOCATOR), "IO91");
}

static void a_callsign_of_the_log_without_a_suffix_is_omitted(void **state)
{
    (void)state;
    static const struct {
        const char *stored, *said, *merged;
    } cases[] = {{NULL, "21SD333", "-"},
                 {NULL, "21-sd-300", "-"},
                 {NULL, "21SD333/P", "21SD333/P"},
                 {"21SD333/P", "21SD333", "21SD333/P"},
                 {"21SD300", "21SD333", "21SD300"},
                 {"21SD300", "26AT1", "26AT1"},
                 {NULL, "26AT1", "26AT1"}};
    struct match_callsign callsigns[2];
    match_normalise_callsign(text_of("21SD333"), &callsigns[0]);
    match_normalise_callsign(text_of("21SD300"), &callsigns[1]);
    const struct contact_own own = {callsigns, 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        struct qso stored = stored_qso("ELEVEN_METERS"), merged;
        print_case(cases[i].said);
        if (cases[i].stored)
            set(&stored, FIELD_OPERATOR_CALLSIGN, cases[i].stored);
        map(arena_print(&arena, WHEN "<BAND:3>11m<STATION_CALLSIGN:%zu>%s<EOR>",
                        strlen(cases[i].said), cases[i].said),
            &mapped);
        const struct merging merging = {
            .record = &mapped, .stored = &stored, .way = MERGE_ADD, .own = &own};
        merge_record(&merging, &arena, &merged);
        assert_string_equal(value_text(&merged, FIELD_OPERATOR_CALLSIGN), cases[i].merged);
    }
}

static void a_change_of_band_removes_fields_of_the_old_band(void **state)
{
    (void)state;
    struct mapped mapped;
    struct qso stored = stored_qso("PMR446"), merged;
    set(&stored, FIELD_CTCSS_TONE, "88.5");
    map(WHEN "<FREQ:6>27.555<EOR>", &mapped);
    assert_true(merge(&mapped, &stored, MERGE_ADD, &merged));
    assert_string_equal(value_text(&merged, FIELD_CHANNEL), "-");
    assert_string_equal(value_text(&merged, FIELD_CTCSS_TONE), "-");
    assert_string_equal(value_text(&merged, FIELD_FREQUENCY), "27.555");
}

static void a_less_precise_record_removes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        bool differs;
        enum field_index field;
        const char *value;
    } cases[] = {
        {"", false, FIELD_RADIO, "Lincoln"},
        {"<TIME_ON:4>1942", false, FIELD_QSO_AT, "2026-05-17T19:42:33.000Z"},
        {"<TIME_ON:6>194200", false, FIELD_QSO_AT, "2026-05-17T19:42:33.000Z"},
        {"<TIME_ON:6>194234", true, FIELD_QSO_AT, "2026-05-17T19:42:34.000Z"},
        {"<MODE:3>SSB", false, FIELD_MODE, "USB"},
        {"<MODE:3>SSB<SUBMODE:3>LSB", true, FIELD_MODE, "LSB"},
        {"<MODE:2>FM", true, FIELD_MODE, "FM"},
        {"<GRIDSQUARE:4>IO91", false, FIELD_DX_LOCATOR, "IO91wm"},
        {"<GRIDSQUARE:4>IO92", true, FIELD_DX_LOCATOR, "IO92"},
        {"<NAME:3>Bob", false, FIELD_NOTES, "Name: Bob\nSporadic E"},
        {"<NAME:3>Joe", true, FIELD_NOTES, "Name: Joe\nSporadic E"},
        {"<QTH:5>Paris", true, FIELD_NOTES, "Name: Bob\nQTH: Paris\nSporadic E"},
        {"<NOTES:20>Name: Bob\nSporadic E", false, FIELD_NOTES, "Name: Bob\nSporadic E"},
        {"<CALL:9>26-at-101", false, FIELD_CALLSIGN_WORKED, "26AT101"},
        {"<CALL:9>26AT101/P", true, FIELD_CALLSIGN_WORKED, "26AT101/P"},
        {"<COMMENT:1>x", true, FIELD_NOTES, "Name: Bob\nx"},
        {"<QSL_SENT:1>N", false, FIELD_QSL_SENT, "false"},
        {"<QSL_SENT:1>Y", true, FIELD_QSL_SENT, "true"},
    };
    struct qso stored = stored_qso("ELEVEN_METERS"), merged;
    set(&stored, FIELD_RADIO, "Lincoln");
    set(&stored, FIELD_CALLSIGN_WORKED, "26AT101");
    set(&stored, FIELD_MODE, "USB");
    set(&stored, FIELD_DX_LOCATOR, "IO91wm");
    set(&stored, FIELD_NOTES, "Name: Bob\nSporadic E");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        const bool has_time = strncmp(cases[i].record, "<TIME_ON", 8) == 0;
        char *file = arena_print(&arena, "<QSO_DATE:8>20260517<BAND:3>11m%s%s<EOR>",
                                 has_time ? "" : "<TIME_ON:6>194233", cases[i].record);
        print_case(cases[i].record);
        assert_int_equal(map(file, &mapped), MAPPING_QSO);
        mapped.qso.values[FIELD_CLIENT_ID] = stored.values[FIELD_CLIENT_ID];
        assert_int_equal(merge(&mapped, &stored, MERGE_ADD, &merged), cases[i].differs);
        assert_string_equal(value_text(&merged, cases[i].field), cases[i].value);
        assert_true(merge(&mapped, NULL, MERGE_ADD, &merged));
    }
    struct mapped mapped; /* with its own clientId, the record replaces the whole QSO */
    map(WHEN "<BAND:3>11m<EOR>", &mapped);
    mapped.qso.values[FIELD_CLIENT_ID] = stored.values[FIELD_CLIENT_ID];
    assert_true(merge(&mapped, &stored, MERGE_REPLACE, &merged));
    assert_string_equal(value_text(&merged, FIELD_RADIO), "-");
    assert_int_equal(merged.values[FIELD_RADIO].state, VALUE_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_new_values_are_merged),
        cmocka_unit_test(a_program_can_correct_its_own_values),
        cmocka_unit_test(a_callsign_of_the_log_without_a_suffix_is_omitted),
        cmocka_unit_test(a_change_of_band_removes_fields_of_the_old_band),
        cmocka_unit_test(a_less_precise_record_removes_nothing),
    };
    return cmocka_run_group_tests_name("ADIF merge", tests, NULL, free_memory);
}
