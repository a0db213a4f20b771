/* Tests writing a QSO as a record, which reads back as the same QSO (src/adif/to_fields.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "unit-adif.h"
#include "adif/leftovers.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "adif/slots.h"
#include "adif/standard.h"
#include "adif/tag.h"
#include "adif/writer.h"
#include "qso/fields.h"

static char *write_file(const struct qso *qso, bool strict)
{
    struct buffer out = {0};
    struct mapped_source source = {.member = text_of("21SD333")};
    writer_append_header(&out, source.member, "1.1", 1795241043569, 1);
    struct record record = mapping_write(qso, (struct text){0}, &source, strict, &arena);
    writer_append_record(&out, &record);
    writer_append_end(&out, 1);
    char *copy = arena_copy(&arena, out.bytes, out.length);
    buffer_free(&out);
    return copy;
}

static void assert_comes_back(const struct qso *qso)
{
    for (int strict = 0; strict < 2; strict++) {
        struct mapped mapped;
        struct qso saved;
        char *file = write_file(qso, strict);
        print_case(strstr(file, "<EOH>"));
        assert_int_equal(map(file, &mapped), MAPPING_QSO);
        assert_string_equal(told.bytes, "");
        assert_true(merge(&mapped, NULL, MERGE_ADD, &saved));
        for (enum field_index i = 0; i < FIELD_COUNT; i++)
            if (!(fields[i].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)))
                assert_string_equal(value_text(&saved, i), value_text(qso, i));
    }
}

static void a_written_qso_reads_back_unchanged(void **state)
{
    (void)state;
    static const struct {
        enum field_index field;
        const char *value;
    } cases[] = {
        {FIELD_QSO_AT, "0001-01-01T00:00:00.001Z"},
        {FIELD_QSO_AT, "9999-12-31T23:59:59.999Z"},
        {FIELD_MODE, "USB"},
        {FIELD_MODE, "FM"},
        {FIELD_MODE, "DIGITAL"},
        {FIELD_CALLSIGN_WORKED, "26AT101/P"},
        {FIELD_CALLSIGN_WORKED, "\xc3\x85<eor>\"%41"},
        {FIELD_CALLSIGN_WORKED, "a\nb"},
        {FIELD_OPERATOR_CALLSIGN, "21SD333"},
        {FIELD_OPERATOR_CALLSIGN, "26AT101"},
        {FIELD_OPERATOR_CALLSIGN, "\xc3\xa5"},
        {FIELD_DX_LOCATOR, "IO91"},
        {FIELD_DX_LAT, "-0.0000001"},
        {FIELD_DX_LAT, "51.507351"},
        {FIELD_DX_LAT, "90"},
        {FIELD_DX_LAT, "0"},
        {FIELD_DX_LNG, "-180"},
        {FIELD_TX_POWER, "0"},
        {FIELD_SPLIT, "-99999"},
        {FIELD_SPLIT, "99999"},
        {FIELD_SPLIT, "0"},
        {FIELD_SPLIT, "-5"},
        {FIELD_PATH, "SP"},
        {FIELD_QSO_STATUS, "HRD"},
        {FIELD_RST_SENT, "5<a 9"},
        {FIELD_QSL_SENT, "true"},
        {FIELD_QSL_VIA, "EQSL"},
        {FIELD_QSL_VIA, "ECARD"},
        {FIELD_QSL_VIA, "BUREAU"},
        {FIELD_NOTES, "Name: Bob"},
        {FIELD_NOTES, "Name: Bob\nQTH: Paris\nMode: FT8\n\nrest"},
        {FIELD_NOTES, "QTH: Paris\nName: Bob"},
        {FIELD_NOTES, "Name: Bob\nName: Joe"},
        {FIELD_NOTES, "Name: \nx"},
        {FIELD_NOTES, "Mode: FT8"},
        {FIELD_NOTES, "Mode: FT4"},
        {FIELD_NOTES, "Name:  Bob"},
        {FIELD_NOTES, "Name: Bob\n\n"},
        {FIELD_NOTES, "Mode: nothing known"},
        {FIELD_NOTES, "a\nb\r\nc\td\x01"},
        {FIELD_NOTES, "<eor><call:3>abc<eoh> 1 < 2 \xe2\x82\xac"},
        {FIELD_NOTES, "%41%"},
        {FIELD_RADIO, "President \xc3\xa5"},
        {FIELD_ANTENNA, "5/8\nground plane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct qso eleven = stored_qso("ELEVEN_METERS"), pmr = stored_qso("PMR446");
        set(&eleven, cases[i].field, cases[i].value);
        assert_comes_back(&eleven);
        set(&eleven, FIELD_FREQUENCY, "27.555");
        set(&eleven, FIELD_MODE, "DIGITAL");
        set(&eleven, cases[i].field, cases[i].value);
        assert_comes_back(&eleven);
        set(&pmr, FIELD_CTCSS_TONE, "88.5");
        set(&pmr, FIELD_DCS_CODE, "D023N");
        set(&pmr, cases[i].field, cases[i].value);
        assert_comes_back(&pmr);
    }
}

/* Returns the standard fields of a record, except the time, in the notation of the table. */
static char *print_standard(const struct record *record)
{
    struct buffer out = {0};
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        if (text_is_one_of(field->name, "QSO_DATE TIME_ON") ||
            strncmp(field->name.bytes, "APP_", 4) == 0)
            continue;
        buffer_append_string(&out, out.length > 0 ? "; " : "");
        buffer_append(&out, field->name.bytes, field->name.length);
        buffer_append_string(&out, "=");
        append_escaped(&out, field->value);
    }
    char *copy = arena_copy(&arena, out.bytes, out.length);
    buffer_free(&out);
    return copy;
}

static void values_are_written_as_in_the_table(void **state)
{
    (void)state;
    FILE *table = open_table("adif_written.tsv");
    char line[512];
    int cases = 0;
    while (read_row(table, line, sizeof line)) {
        char *expected = line;
        strsep(&expected, "\t");
        char *values = strsep(&expected, "\t");
        struct qso qso = stored_qso("ELEVEN_METERS");
        for (char *one; (one = strsep(&values, ";"));) {
            one += strspn(one, " ");
            const enum field_index field = find_field(strsep(&one, "="));
            one[read_escaped(one)] = '\0';
            set(&qso, field, one);
        }
        struct mapped_source source = {0};
        struct record record = mapping_write(&qso, (struct text){0}, &source, false, &arena);
        assert_string_equal(print_standard(&record), expected);
        cases++;
    }
    fclose(table);
    assert_true(cases > 40);
}

/* Each case has the QSL fields of a record, and the QSL fields of the record's export after saving.
 */
static void a_qsl_that_was_not_sent_or_received_is_not_written(void **state)
{
    (void)state;
    static const struct {
        const char *record, *sent, *received, *via, *eqsl;
    } cases[] = {
        {"<QSL_SENT:1>Y<QSL_RCVD:1>Y", "Y", "Y", "", ""},
        {"<QSL_SENT:1>Q<QSL_RCVD:1>R", "", "", "", ""},
        {"<QSL_SENT:1>R<QSL_RCVD:1>I", "", "", "", ""},
        {"<EQSL_QSL_SENT:1>Y", "Y", "", "E", "Y"},
        {"<QSL_SENT:1>N<EQSL_QSL_SENT:1>Y", "", "", "E", ""},
        {"<QSL_SENT:1>Y<QSL_SENT_VIA:1>B<EQSL_QSL_SENT:1>Y", "Y", "", "B", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        struct qso saved;
        char *record = arena_print(&arena, WHEN "<BAND:3>11m%s<EOR>", cases[i].record);
        const struct {
            const char *name, *value;
        } fields_after[] = {{"<QSL_SENT:1>", cases[i].sent},
                            {"<QSL_RCVD:1>", cases[i].received},
                            {"<QSL_SENT_VIA:1>", cases[i].via},
                            {"<EQSL_QSL_SENT:1>", cases[i].eqsl}};
        print_case(cases[i].record);
        assert_int_equal(map(record, &mapped), MAPPING_QSO);
        merge(&mapped, NULL, MERGE_ADD, &saved);
        char *file = write_file(&saved, false);
        for (size_t j = 0; j < sizeof fields_after / sizeof *fields_after; j++) {
            char *at = strstr(file, fields_after[j].name);
            char letter[2] = {at ? at[strlen(fields_after[j].name)] : '\0', '\0'};
            assert_string_equal(letter, fields_after[j].value);
        }
    }
}

static void each_standard_field_belongs_to_a_group_of_extra_fields(void **state)
{
    (void)state;
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++) {
        struct record_field field = {.name = text_of(slot_table[slot].name), .value = text_of("x")};
        struct record record = {.fields = &field, .count = 1};
        struct slots slots;
        slots_sort(&record, &arena, &slots);
        assert_int_not_equal(leftovers_groups(&slots), 0);
    }
    arena_reset(&arena);
}

static void notes_never_forge_a_field_in_other_programs(void **state)
{
    (void)state;
    struct qso qso = stored_qso("ELEVEN_METERS");
    set(&qso, FIELD_NOTES, "x<EOR><CALL:3>AAA");
    char *file = write_file(&qso, false);
    assert_non_null(strstr(file, "<NOTES:17>x(EOR>(CALL:3>AAA<"));
    assert_non_null(strstr(file, "<APP_QSOSYNC_NOTES:21>x%3CEOR>%3CCALL:3>AAA<"));
    assert_non_null(strstr(file, "<BAND:3>11m"));
    assert_null(strstr(write_file(&qso, false), "<FREQ:"));
    set(&qso, FIELD_FREQUENCY, "27.555");
    assert_null(strstr(write_file(&qso, true), "<BAND:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_qso_reads_back_unchanged),
        cmocka_unit_test(values_are_written_as_in_the_table),
        cmocka_unit_test(a_qsl_that_was_not_sent_or_received_is_not_written),
        cmocka_unit_test(each_standard_field_belongs_to_a_group_of_extra_fields),
        cmocka_unit_test(notes_never_forge_a_field_in_other_programs),
    };
    return cmocka_run_group_tests_name("ADIF writing", tests, NULL, free_memory);
}
