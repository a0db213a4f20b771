/* Tests the mapping from a record to a QSO (src/adif/mapping.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "unit-adif.h"
#include "adif/decimal.h"
#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "adif/tag.h"
#include "adif/writer.h"
#include "qso/fields.h"

static void standard_fields_map_to_fields_of_a_qso(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        enum field_index field;
        const char *value;
        const char *told;
    } cases[] = {
        {"<FREQ:6>27.555", FIELD_BAND, "ELEVEN_METERS", ""},
        {"<FREQ:6>27.555<BAND:3>10m", FIELD_BAND, "ELEVEN_METERS", ""},
        {"<FREQ:6>28.000", FIELD_FREQUENCY, "28.000", ""},
        {"<FREQ:2>26<BAND:3>11M", FIELD_FREQUENCY, "26.000", ""},
        {"<BAND:3>11M", FIELD_FREQUENCY, "-", ""},
        {"<BAND:3>11m<FREQ:1>0", FIELD_FREQUENCY, "-", ""},
        {"<BAND:3>11m<FREQ:3>abc", FIELD_FREQUENCY, "-", "left out FREQ is not a frequency;"},
        {"<FREQ:9>27.266500", FIELD_FREQUENCY, "27.267",
         "changed FREQ is rounded to three decimals;"},
        {"<FREQ:9>27.266499", FIELD_FREQUENCY, "27.266",
         "changed FREQ is rounded to three decimals;"},
        {"<FREQ:9>27.555000", FIELD_FREQUENCY, "27.555", ""},
        {"<FREQ:6>27,555", FIELD_FREQUENCY, "27.555", ""},
        {"<FREQ:9>446.00625", FIELD_CHANNEL, "1", ""},
        {"<FREQ:7>446.006<BAND:4>70cm", FIELD_CHANNEL, "1", ""},
        {"<FREQ:8>446.0063", FIELD_CHANNEL, "1", ""},
        {"<FREQ:9>446.19375", FIELD_CHANNEL, "16", ""},
        {"<FREQ:9>446.00625", FIELD_FREQUENCY, "-", ""},
        {"<FREQ:6>446.01<APP_QSOSYNC_BAND:6>PMR446<APP_QSOSYNC_CHANNEL:1>1", FIELD_CHANNEL, "1",
         ""},
        {"<APP_QSOSYNC_BAND:6>PMR446<APP_QSOSYNC_CHANNEL:1>3", FIELD_CHANNEL, "3", ""},
        {"<FREQ:9>446.03125<APP_QSOSYNC_BAND:6>PMR446<APP_QSOSYNC_CHANNEL:1>1", FIELD_CHANNEL, "3",
         ""}, /* another program edited FREQ */
        {"<BAND:3>11m<CALL:9> 26AT101 ", FIELD_CALLSIGN_WORKED, "26AT101", ""},
        {"<BAND:3>11m<CALL:21>123456789012345678901", FIELD_CALLSIGN_WORKED, "-",
         "left out CALL must be at most 20 characters;"},
        {"<BAND:3>11m<STATION_CALLSIGN:5>21SD1<OPERATOR:3>BOB", FIELD_OPERATOR_CALLSIGN, "21SD1",
         "no place OPERATOR;"},
        {"<BAND:3>11m<OPERATOR:5>21SD1", FIELD_OPERATOR_CALLSIGN, "21SD1", ""},
        {"<BAND:3>11m<MODE:3>ssb<SUBMODE:3>usb", FIELD_MODE, "USB", ""},
        {"<BAND:3>11m<MODE:3>LSB", FIELD_MODE, "LSB", ""},
        {"<BAND:3>11m<MODE:3>SSB", FIELD_MODE, "SSB", ""},
        {"<BAND:3>11m<MODE:2>CW<SUBMODE:3>PCW", FIELD_MODE, "CW", ""},
        {"<BAND:3>11m<MODE:3>FT8", FIELD_MODE, "DIGITAL", ""},
        {"<BAND:3>11m<MODE:3>ft8", FIELD_NOTES, "Mode: FT8", ""},
        {"<BAND:3>11m<MODE:4>MFSK<SUBMODE:3>JS8", FIELD_NOTES, "Mode: JS8", ""},
        {"<BAND:3>11m<MODE:3>FT4", FIELD_NOTES, "Mode: FT4", ""},
        {"<BAND:3>11m<MODE:4>RTTY", FIELD_MODE, "DIGITAL", ""},
        {"<BAND:3>11m<MODE:3>?!?", FIELD_MODE, "-", "left out MODE is not a mode of ADIF;"},
        {"<BAND:3>11m<GRIDSQUARE:8>IO91wm44", FIELD_DX_LOCATOR, "IO91wm",
         "changed GRIDSQUARE is cut to six characters;"},
        {"<BAND:3>11m<GRIDSQUARE:6>io91WM", FIELD_DX_LOCATOR, "IO91wm", ""},
        {"<BAND:3>11m<GRIDSQUARE:2>IO", FIELD_DX_LOCATOR, "-",
         "left out GRIDSQUARE has only two characters;"},
        {"<BAND:3>11m<MY_GRIDSQUARE:4>ZZ99", FIELD_MY_LOCATOR, "-",
         "left out MY_GRIDSQUARE is not a Maidenhead locator;"},
        {"<BAND:3>11m<LAT:11>N048 08.880", FIELD_DX_LAT, "48.148", ""},
        {"<BAND:3>11m<LON:11>w002 15.000", FIELD_DX_LNG, "-2.25", ""},
        {"<BAND:3>11m<LAT:11>N091 00.000", FIELD_DX_LAT, "-",
         "left out LAT must be a number from -90 to 90;"},
        {"<BAND:3>11m<LAT:4>48.1", FIELD_DX_LAT, "-",
         "left out LAT must look like N048 08.800 or E002 21.130;"},
        {"<BAND:3>11m<TX_PWR:4>12.5", FIELD_TX_POWER, "13",
         "changed TX_PWR is rounded to whole watts;"},
        {"<BAND:3>11m<TX_PWR:4>1 kW", FIELD_TX_POWER, "-",
         "left out TX_PWR is not a number of watts;"},
        {"<FREQ:6>27.555<FREQ_RX:6>27.560", FIELD_SPLIT, "-5", ""},
        {"<FREQ:6>27.555<FREQ_RX:6>14.200", FIELD_SPLIT, "-",
         "left out FREQ_RX is on another band;"},
        {"<FREQ:6>27.555<FREQ_RX:3>abc", FIELD_SPLIT, "-", "left out FREQ_RX is not a frequency;"},
        {"<BAND:3>11m<FREQ_RX:6>27.560", FIELD_SPLIT, "-",
         "left out FREQ_RX is given without FREQ;"},
        {"<FREQ:6>27.555<FREQ_RX:7>27.5505", FIELD_SPLIT, "5",
         "changed FREQ_RX gives a split that is rounded to whole kHz;"},
        {"<BAND:3>11m<LAT:11>X048 08.800", FIELD_DX_LAT, "-",
         "left out LAT must look like N048 08.800 or E002 21.130;"},
        {"<BAND:3>11m<LAT:11>N048 60.000", FIELD_DX_LAT, "-",
         "left out LAT must look like N048 08.800 or E002 21.130;"},
        {"<BAND:3>11m<QSL_SENT:1>X", FIELD_QSL_SENT, "-",
         "left out QSL_SENT is not one of Y, N, Q, R, I or V;"},
        {"<BAND:3>11m<QSL_SENT_VIA:1>M", FIELD_QSL_VIA, "-",
         "left out QSL_SENT_VIA is not one of D, B or E;"},
        {"<BAND:3>11m<MODE:2>FM<SUBMODE:3>USB", FIELD_MODE, "FM",
         "left out SUBMODE does not belong to the mode;"},
        {"<BAND:3>11m<APP_QSOSYNC_QSO_STATUS:3>XXX", FIELD_QSO_STATUS, "-",
         "left out APP_QSOSYNC_QSO_STATUS is not a value of this field;"},
        {"<BAND:3>11m<APP_QSOSYNC_NOTHING:3>XXX", FIELD_QSO_STATUS, "-",
         "no place APP_QSOSYNC_NOTHING;"},
        {"<APP_QSOSYNC_BAND:13>ELEVEN_METERS", FIELD_BAND, "ELEVEN_METERS", ""},
        {"<BAND:3>11m<ANT_PATH:1>l", FIELD_PATH, "LP", ""},
        {"<BAND:3>11m<ANT_PATH:1>G", FIELD_PATH, "-", "left out ANT_PATH is neither S nor L;"},
        {"<BAND:3>11m<QSL_SENT:1>Y", FIELD_QSL_SENT, "true", ""},
        {"<BAND:3>11m<QSL_SENT:1>Q", FIELD_QSL_SENT, "false", ""},
        {"<BAND:3>11m<QSL_RCVD:1>V", FIELD_QSL_RECEIVED, "true", ""},
        {"<BAND:3>11m<QSL_SENT_VIA:1>B", FIELD_QSL_VIA, "BUREAU", ""},
        {"<BAND:3>11m<EQSL_QSL_SENT:1>Y", FIELD_QSL_VIA, "EQSL", ""},
        {"<BAND:3>11m<EQSL_QSL_SENT:1>Y", FIELD_QSL_SENT, "true", ""},
        {"<BAND:3>11m<EQSL_QSL_SENT:1>Y<QSL_SENT_VIA:1>e", FIELD_QSL_SENT, "true", ""},
        {"<BAND:3>11m<EQSL_QSL_SENT:1>Y<QSL_SENT_VIA:1>B", FIELD_QSL_SENT, "-", ""},
        {"<BAND:3>11m<EQSL_QSL_SENT:1>Y<QSL_SENT:1>N", FIELD_QSL_SENT, "false", ""},
        {"<BAND:3>11m<EQSL_QSL_SENT:1>N", FIELD_QSL_SENT, "-", ""},
        {"<BAND:3>11m<LAT:11>N000 00.000<LON:11>E002 21.130", FIELD_DX_LAT, "0", ""},
        {"<BAND:3>11m<LAT:11>S000 00.000<LON:11>W000 00.000", FIELD_DX_LAT, "-",
         "left out LAT is 0 like LON, which means that the place is unknown;"},
        {"<BAND:3>11m<LAT:11>N000 00.000<LON:11>E000 00.000", FIELD_DX_LNG, "-",
         "left out LAT is 0 like LON, which means that the place is unknown;"},
        {"<BAND:3>11m<NAME:3>Bob<QTH:5>Paris<NOTES:5>Hello<MODE:3>FT8", FIELD_NOTES,
         "Name: Bob\nQTH: Paris\nMode: FT8\nHello", ""},
        {"<BAND:3>11m<NOTES:4>One.<COMMENT:4>Two.", FIELD_NOTES, "One.\n\nTwo.", ""},
        {"<BAND:3>11m<NOTES:4>One.<COMMENT:4>One.", FIELD_NOTES, "One.", ""},
        {"<BAND:3>11m<COMMENT:4>One.", FIELD_NOTES, "One.", ""},
        {"<BAND:3>11m<NOTES:6>a\r\nb\rc", FIELD_NOTES, "a\nb\nc", ""},
        {"<BAND:3>11m<NAME:5>Jurgn<NAME_INTL:7>J\xc3\xbcrgen", FIELD_NOTES, "Name: J\xc3\xbcrgen",
         ""},
        {"<BAND:3>11m<QTH:4>K\xf6ln<MY_RIG:5>\x80 \x96 x", FIELD_NOTES, "QTH: K\xc3\xb6ln", ""},
        {"<BAND:3>11m<MY_RIG:5>\x80 \x96 x", FIELD_RADIO, "\xe2\x82\xac \xe2\x80\x93 x", ""},
        {"<BAND:3>11m<MY_ANTENNA:6>Dipole<CONTEST_ID:2>CQ<SRX:0>", FIELD_ANTENNA, "Dipole",
         "no place CONTEST_ID;"},
        {"<BAND:3>11m<APP_QSOSYNC_ID:1>7<APP_QSOSYNC_SPOTTED_AT:1>x", FIELD_ID, "-", ""},
        {"<BAND:3>11m<APP_QSOSYNC_CTCSS_TONE:4>88.5", FIELD_CTCSS_TONE, "-",
         "left out APP_QSOSYNC_CTCSS_TONE does not belong to the band;"},
        {"<FREQ:9>446.00625<APP_QSOSYNC_CTCSS_TONE:4>88.5", FIELD_CTCSS_TONE, "88.5", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        char *file = arena_print(&arena, WHEN "%s<EOR>", cases[i].record);
        print_case(cases[i].record);
        assert_int_equal(map(file, &mapped), MAPPING_QSO);
        assert_string_equal(value_text(&mapped.qso, cases[i].field), cases[i].value);
        assert_string_equal(told.bytes, cases[i].told);
    }
}

/* Returns the names of the fields that are reported as left out or changed, each once, in their
 * order. */
static char *told_names(void)
{
    struct buffer names = {0};
    for (char *rest = told.bytes, *notice; (notice = strsep(&rest, ";"));) {
        for (const char *kind = "left out \0changed \0"; *kind; kind += strlen(kind) + 1)
            if (strncmp(notice, kind, strlen(kind)) == 0) {
                notice += strlen(kind);
                notice[strcspn(notice, " ")] = '\0';
                if (!names.bytes || !strstr(names.bytes, notice))
                    buffer_print(&names, "%s%s", names.length > 0 ? " " : "", notice);
            }
        buffer_append(&names, "", 1);
        names.length--;
    }
    char *copy = arena_copy(&arena, names.bytes, names.length);
    buffer_free(&names);
    return copy;
}

static void assert_values(const struct qso *qso, char *values)
{
    for (char *one; (one = strsep(&values, ";"));) {
        one += strspn(one, " ");
        const enum field_index field = find_field(strsep(&one, "="));
        assert_string_equal(value_text(qso, field), one);
    }
}

static void values_are_parsed_as_in_the_table(void **state)
{
    (void)state;
    static const char *const outcomes[] = {
        [MAPPING_OTHER_BAND] = "other band", [MAPPING_REFUSED] = "refused"};
    FILE *table = open_table("adif_values.tsv");
    char line[512];
    int cases = 0;
    while (read_row(table, line, sizeof line)) {
        char *rest = line;
        strsep(&rest, "\t");
        char *record = strsep(&rest, "\t"), *expected = strsep(&rest, "\t");
        struct mapped mapped;
        const enum mapping_outcome outcome =
            map(arena_print(&arena, WHEN "%s<EOR>", record), &mapped);
        if (outcome == MAPPING_QSO)
            assert_values(&mapped.qso, expected);
        else
            assert_string_equal(outcomes[outcome], expected);
        assert_string_equal(told_names(), rest);
        cases++;
    }
    fclose(table);
    assert_true(cases > 60);
}

static void notes_that_are_too_long_lose_only_one_part(void **state)
{
    (void)state;
    struct mapped mapped;
    struct qso stored = stored_qso("ELEVEN_METERS"), merged;
    char *text = arena_allocate(&arena, 1996);
    memset(text, 'x', 1995);
    text[1995] = '\0';
    assert_int_equal(
        map(arena_print(&arena, WHEN "<BAND:3>11m<NAME:3>Bob<COMMENT:1995>%s<EOR>", text), &mapped),
        MAPPING_QSO);
    assert_string_equal(value_text(&mapped.qso, FIELD_NOTES), "Name: Bob");
    assert_string_equal(
        told.bytes, "left out COMMENT does not fit: the notes must be at most 2000 characters;");
    set(&stored, FIELD_NOTES, text); /* stored notes are not cut to make room for a name */
    assert_false(merge(&mapped, &stored, MERGE_ADD, &merged));
    assert_string_equal(value_text(&merged, FIELD_NOTES), text);
}

static void a_wrong_time_band_or_length_rejects_a_record(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        const char *told;
    } cases[] = {
        {"<BAND:3>11m<TIME_ON:4>1942", "refused QSO_DATE is missing;"},
        {"<BAND:3>11m<QSO_DATE:8>20260517", "refused TIME_ON is missing;"},
        {"<BAND:3>11m<QSO_DATE:8>2026 517<TIME_ON:4>1942",
         "refused QSO_DATE is not a date with 8 digits;"},
        {"<BAND:3>11m<QSO_DATE:8>20260517<TIME_ON:5>19420",
         "refused TIME_ON is not a time with 4 or 6 digits;"},
        {"<BAND:3>11m<QSO_DATE:8>20260229<TIME_ON:4>1942",
         "refused QSO_DATE and TIME_ON are not a date and time;"},
        {"<BAND:3>11m<QSO_DATE:8>20260517<TIME_ON:4>2400",
         "refused QSO_DATE and TIME_ON are not a date and time;"},
        {WHEN "<CALL:1>A", "refused BAND is missing, and so is FREQ;"},
        {WHEN "<BAND:3>11m<FREQ:6>28.500", "refused BAND and FREQ do not agree;"},
        {WHEN "<BAND:3>foo", "refused BAND is not a band, and FREQ is missing;"},
        {WHEN "<BAND:3>11m<CALL:5>26AT101", "refused CALL is longer than its length says;"},
        {WHEN "<FREQ:5>27.555<CALL:1>A", "refused FREQ is longer than its length says;"},
        {WHEN "<BAND:3>11m<CALL:19>26AT101<RST_SENT:2> <NAME:1>B",
         "refused CALL has a length that includes another field;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        print_case(cases[i].record);
        assert_int_equal(map(arena_print(&arena, "%s<EOR>", cases[i].record), &mapped),
                         MAPPING_REFUSED);
        assert_string_equal(told.bytes, cases[i].told);
    }
    /* a record is accepted even if a field without a place in a QSO exceeds its length */
    struct mapped mapped;
    assert_int_equal(map(WHEN "<BAND:3>11m<ADDRESS:3>xxxx<EOR>", &mapped), MAPPING_QSO);
}

static void other_bands_are_distinguished_from_ours(void **state)
{
    (void)state;
    static const char *const records[] = {
        "<BAND:3>20m",
        "<BAND:3>10M",
        "<FREQ:6>28.000<BAND:3>10m",
        "<FREQ:7>28.0001",
        "<FREQ:7>25.9999",
        "<FREQ:13>28.0000000001",
        "<FREQ:8>446.1787<BAND:4>70cm",
        "<FREQ:8>446.0125",
        "<FREQ:7>446.200",
        "<BAND:5>submm",
    };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        struct mapped mapped;
        print_case(records[i]);
        assert_int_equal(map(arena_print(&arena, WHEN "%s<NAME:1>x<EOR>", records[i]), &mapped),
                         MAPPING_OTHER_BAND);
        assert_string_equal(told.bytes, "");
    }
}

static void an_edited_standard_field_overrides_our_own_field(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        enum field_index field;
        const char *value;
    } cases[] = {
        {WHEN "<APP_QSOSYNC_QSO_AT:24>2026-05-17T19:42:33.123Z", FIELD_QSO_AT,
         "2026-05-17T19:42:33.123Z"},
        {WHEN "<APP_QSOSYNC_QSO_AT:24>2026-05-17T19:42:34.123Z", FIELD_QSO_AT,
         "2026-05-17T19:42:33.000Z"},
        {"<QSO_DATE:8>20260517<TIME_ON:4>1942<APP_QSOSYNC_QSO_AT:24>2026-05-17T19:42:34.123Z",
         FIELD_QSO_AT, "2026-05-17T19:42:34.123Z"},
        {WHEN "<LAT:11>N048 08.880<APP_QSOSYNC_DX_LAT:9>48.148001", FIELD_DX_LAT, "48.148001"},
        {WHEN "<LAT:11>N048 08.940<APP_QSOSYNC_DX_LAT:9>48.148001", FIELD_DX_LAT, "48.149"},
        {WHEN "<APP_QSOSYNC_DX_LAT:9>48.148001", FIELD_DX_LAT, "-"},
        {WHEN "<QSL_SENT_VIA:1>E<APP_QSOSYNC_QSL_VIA:5>ECARD", FIELD_QSL_VIA, "ECARD"},
        {WHEN "<QSL_SENT_VIA:1>B<APP_QSOSYNC_QSL_VIA:5>ECARD", FIELD_QSL_VIA, "BUREAU"},
        {WHEN "<APP_QSOSYNC_MODE:7>DIGITAL", FIELD_MODE, "DIGITAL"},
        {WHEN "<MODE:2>FM<APP_QSOSYNC_MODE:7>DIGITAL", FIELD_MODE, "FM"},
        {WHEN "<NOTES:5>a (b)<APP_QSOSYNC_NOTES:7>a %3Cb)", FIELD_NOTES, "a <b)"},
        {WHEN "<NOTES:5>a (c)<APP_QSOSYNC_NOTES:7>a %3Cb)", FIELD_NOTES, "a (c)"},
        {WHEN "<NOTES:4>a\r\nb<APP_QSOSYNC_NOTES:8>a%0D%0Ab", FIELD_NOTES, "a\r\nb"},
        {WHEN "<NOTES:5>a \r\nb<APP_QSOSYNC_NOTES:8>a%0D%0Ab", FIELD_NOTES, "a\r\nb"},
        {WHEN "<NOTES:5>a \r\nc<APP_QSOSYNC_NOTES:8>a%0D%0Ab", FIELD_NOTES, "a \nc"},
        {WHEN "<NOTES:5>a \r\nb", FIELD_NOTES, "a \nb"},
        {WHEN "<STATION_CALLSIGN:7>21SD333<APP_QSOSYNC_OPERATOR_CALLSIGN:0>",
         FIELD_OPERATOR_CALLSIGN, "-"},
        {WHEN "<STATION_CALLSIGN:9>21SD333/P<APP_QSOSYNC_OPERATOR_CALLSIGN:0>",
         FIELD_OPERATOR_CALLSIGN, "21SD333/P"},
        {WHEN "<APP_QSOSYNC_QSO_STATUS:3>CFM", FIELD_QSO_STATUS, "CFM"},
        {WHEN "<app_qsosync_client_id:36>2F1C9A4E-6A57-4D57-9F0E-0D5C3F6A1B20", FIELD_CLIENT_ID,
         "2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        print_case(cases[i].record);
        assert_int_equal(map(arena_print(&arena, "%s<BAND:3>11m<EOR>", cases[i].record), &mapped),
                         MAPPING_QSO);
        assert_string_equal(value_text(&mapped.qso, cases[i].field), cases[i].value);
        assert_string_equal(told.bytes, "");
    }
    struct mapped mapped;
    const char *station =
        "<APP_QSOSYNC_CALLSIGN:7>26AT101<EOH>" WHEN "<BAND:3>11m<STATION_CALLSIGN:7>26AT101"
        "<APP_QSOSYNC_OPERATOR_CALLSIGN:0><EOR>";
    map(station, &mapped); /* from another member's own export */
    assert_string_equal(value_text(&mapped.qso, FIELD_OPERATOR_CALLSIGN), "26AT101");
    map_for(station, "26AT101", &mapped);
    assert_string_equal(value_text(&mapped.qso, FIELD_OPERATOR_CALLSIGN), "-");
    map(WHEN "<BAND:3>11m<APP_QSOSYNC_CLIENT_ID:3>xyz<EOR>", &mapped);
    assert_true(mapped.client_id_invalid);
}

static void decimals_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int places;
        int64_t value;
        bool exact;
    } cases[] = {
        {"27.2665", 3, 27267, false},
        {"27.2664999999999", 3, 27266, false},
        {"-0.5", 0, 0, false},
        {"-1.5", 0, -1, false},
        {"1.5", 0, 2, false},
        {"5", 3, 5000, true},
        {".5", 1, 5, true},
        {"5.", 0, 5, true},
        {"999999999.999999999", 9, 999999999999999999, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal decimal;
        bool exact;
        assert_true(decimal_parse(text_of(cases[i].text), &decimal));
        assert_true(decimal_round(decimal, cases[i].places, &exact) == cases[i].value);
        assert_int_equal(exact, cases[i].exact);
    }
    static const char *const none[] = {"", ".", "-", "1.2.3", "1e3", "1000000000", "+1", "a"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct decimal decimal;
        assert_false(decimal_parse(text_of(none[i]), &decimal));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_parsed_as_in_the_table),
        cmocka_unit_test(standard_fields_map_to_fields_of_a_qso),
        cmocka_unit_test(notes_that_are_too_long_lose_only_one_part),
        cmocka_unit_test(a_wrong_time_band_or_length_rejects_a_record),
        cmocka_unit_test(other_bands_are_distinguished_from_ours),
        cmocka_unit_test(an_edited_standard_field_overrides_our_own_field),
        cmocka_unit_test(decimals_are_exact),
    };
    return cmocka_run_group_tests_name("ADIF mapping", tests, NULL, free_memory);
}
