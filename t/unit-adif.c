/* The pure modules of src/adif: reader, mapping in both directions, digests of records, merge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include "adif/decimal.h"
#include "adif/encoding.h"
#include "adif/leftovers.h"
#include "adif/mapping.h"
#include "adif/merge.h"
#include "adif/modes.h"
#include "adif/notes.h"
#include "adif/reader.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "adif/slots.h"
#include "adif/standard.h"
#include "adif/tag.h"
#include "adif/writer.h"
#include "base/datetime.h"
#include "qso/fields.h"
#include "qso/values.h"

/* Prints a case, so that a failure shows its record. Bytes outside ASCII are printed as numbers,
 * because some records are not UTF-8, which Perl's reader of these lines treats as damage. */
static void print_case(const char *record)
{
    for (; *record; record++)
        print_message((unsigned char)*record < 0x80 ? "%c" : "\\x%02x", (unsigned char)*record);
    print_message("\n");
}

static struct arena arena;

/* -- Reader ------------------------------------------------------------------------------------ */

/* Appends bytes in the notation of the table. */
static void append_escaped(struct buffer *out, struct text bytes)
{
    static const char special[] = "\n\r\t\\", letters[] = "nrt\\";
    for (size_t i = 0; i < bytes.length; i++) {
        const unsigned char byte = (unsigned char)bytes.bytes[i];
        const char *found = byte ? strchr(special, byte) : NULL;
        if (found)
            buffer_print(out, "\\%c", letters[found - special]);
        else
            buffer_print(out, byte < ' ' || byte > '~' ? "\\x%02x" : "%c", byte);
    }
}

/* Replaces a cell of the table by the bytes that it denotes; returns their number. */
static size_t read_escaped(char *cell)
{
    static const char special[] = "\n\r\t\\", letters[] = "nrt\\";
    char *out = cell;
    for (const char *at = cell; *at; at++) {
        const char *found = *at == '\\' ? strchr(letters, at[1]) : NULL;
        unsigned value;
        if (*at != '\\') {
            *out++ = *at;
        } else if (found) {
            *out++ = special[found - letters];
            at++;
        } else {
            assert_int_equal(sscanf(at, "\\x%2x", &value), 1);
            *out++ = (char)value;
            at += 3;
        }
    }
    return (size_t)(out - cell);
}

static void append_upper(struct buffer *out, struct text name)
{
    char upper[TAG_NAME_MAX];
    if (name.length > 0)
        text_to_upper(name, upper);
    buffer_append(out, upper, name.length);
}

/* Whether a later field has the same name, and also a value if this one has a value. */
static bool is_replaced(const struct record *record, size_t index)
{
    const struct record_field *field = &record->fields[index];
    const bool is_empty = text_trim(field->value).length == 0;
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *other = &record->fields[i];
        const bool same =
            other->name.length == field->name.length &&
            strncasecmp(other->name.bytes, field->name.bytes, field->name.length) == 0;
        const bool other_is_empty = text_trim(other->value).length == 0;
        if (i != index && same && (other_is_empty ? is_empty && i < index : is_empty || i > index))
            return true;
    }
    return false;
}

static void print_record(struct buffer *out, const struct record *record)
{
    buffer_print(out, "%lld:", (long long)record->line);
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        if (is_replaced(record, i))
            continue;
        buffer_append_string(out, " ");
        append_upper(out, field->name);
        buffer_append_string(out, field->cut ? "~=" : "=");
        append_escaped(out, field->value);
        buffer_append_string(out, ";");
    }
}

/* The content of the file in the notation of the table: records, and the reasons why others are
 * wrong. */
static char *read_all(struct text file)
{
    struct reader *reader = reader_create(file, &arena);
    struct record record;
    struct reader_fault fault;
    struct buffer out = {0};
    int64_t number = 0;
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;) {
        if (event == READER_HEADER)
            continue;
        buffer_append_string(&out, number > 0 ? "\t" : "");
        assert_int_equal(event == READER_WRONG ? fault.number : record.number, ++number);
        if (event == READER_RECORD) {
            print_record(&out, &record);
            continue;
        }
        buffer_print(&out, "%lld! ", (long long)fault.line);
        append_upper(&out, fault.field);
        buffer_print(&out, "%s%s", fault.field.length > 0 ? " " : "", fault.reason);
    }
    buffer_append(&out, "", 1);
    return out.bytes;
}

static void assert_read(struct text file, const char *expected)
{
    char *seen = read_all(file);
    assert_string_equal(seen, expected);
    free(seen);
}

/* A table of t/data, with which other readers are also tested. */
static FILE *open_table(const char *name)
{
    const char *source = getenv("QSOSYNC_SRCDIR");
    FILE *table = fopen(arena_print(&arena, "%s/t/data/%s", source ? source : ".", name), "re");
    assert_non_null(table);
    return table;
}

static void records_parse_as_in_the_table(void **state)
{
    (void)state;
    FILE *table = open_table("adif_records.tsv");
    char line[4096];
    int cases = 0;
    while (fgets(line, sizeof line, table)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        print_message("%s\n", line);
        char *expected = line;
        strsep(&expected, "\t");
        char *file = strsep(&expected, "\t");
        assert_non_null(file);
        assert_read((struct text){file, read_escaped(file)}, expected ? expected : "");
        cases++;
    }
    fclose(table);
    assert_true(cases > 70);
}

static void a_record_has_a_length_limit_but_a_file_has_none(void **state)
{
    (void)state;
    size_t size = 3 * READER_RECORD_MAX;
    char *file = malloc(size + 64);
    memset(file, 'x', size);
    memcpy(file, "<A:1>a<EOR><B:1>b\n", 18);
    strcpy(file + size, "<EOR>\n<C:1>c<EOR>");
    assert_read(text_of(file), "1: A=a;\t1! is longer than a record can be\t3: C=c;");
    free(file);
}

/* -- Reading a record as a QSO ----------------------------------------------------------------- */

static struct buffer told;

static void note(void *context, enum mapped_notice notice, struct text field, int64_t line,
                 const char *reason)
{
    static const char *const words[] = {"refused", "left out", "changed", "no place"};
    (void)context;
    (void)line;
    buffer_print(&told, "%s %.*s%s%s;", words[notice], (int)field.length, field.bytes,
                 reason ? " " : "", reason ? reason : "");
}

static enum mapping_outcome map_for(const char *file, const char *member, struct mapped *out)
{
    struct reader *reader = reader_create(text_of(file), &arena);
    struct record record;
    struct reader_fault fault;
    struct mapped_source source = {.member = text_of(member), .report = note};
    enum reader_event event = reader_next(reader, &record, &fault);
    while (event == READER_HEADER)
        event = reader_next(reader, &record, &fault);
    assert_int_equal(event, READER_RECORD);
    buffer_clear(&told);
    encoding_read_record(NULL, &record, &arena);
    enum mapping_outcome outcome = mapping_read(&record, &source, &arena, out);
    buffer_append(&told, "", 1);
    return outcome;
}

static enum mapping_outcome map(const char *file, struct mapped *out)
{
    return map_for(file, "21SD333", out);
}

#define WHEN "<QSO_DATE:8>20260517<TIME_ON:6>194233"

/* The value as the API writes it; "-": none. */
static const char *value_text(const struct qso *qso, enum field_index field)
{
    struct buffer text = {0};
    if (qso->values[field].state != VALUE_PRESENT)
        return "-";
    values_format(&fields[field], &qso->values[field], &text);
    char *copy = arena_copy(&arena, text.bytes ? text.bytes : "", text.length);
    buffer_free(&text);
    return copy;
}

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
         ""}, /* another program edited it */
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

/* The names of the reported fields, each once, in their order. */
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

static enum field_index find_field(const char *name)
{
    enum field_index field = 0;
    while (field < FIELD_COUNT && strcmp(fields[field].name, name) != 0)
        field++;
    assert_true(field < FIELD_COUNT);
    return field;
}

static void assert_values(const struct qso *qso, char *values)
{
    for (char *one; (one = strsep(&values, ";"));) {
        one += strspn(one, " ");
        const enum field_index field = find_field(strsep(&one, "="));
        assert_string_equal(value_text(qso, field), one);
    }
}

static void values_parse_as_in_the_table(void **state)
{
    (void)state;
    static const char *const outcomes[] = {
        [MAPPING_OTHER_BAND] = "other band", [MAPPING_REFUSED] = "refused"};
    FILE *table = open_table("adif_values.tsv");
    char line[512];
    int cases = 0;
    while (fgets(line, sizeof line, table)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        print_message("%s\n", line);
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

static void set(struct qso *qso, enum field_index field, const char *text)
{
    assert_null(values_parse(&fields[field], text_of(text), &arena, &qso->values[field]));
}

/* The stored form: every field is present or null. */
static struct qso stored_qso(const char *band)
{
    struct qso qso = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        qso.values[i].state = VALUE_NULL;
    set(&qso, FIELD_CLIENT_ID, "2f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b20");
    set(&qso, FIELD_BAND, band);
    set(&qso, FIELD_QSO_AT, "2026-05-17T19:42:33Z");
    set(&qso, FIELD_QSL_SENT, "false");
    set(&qso, FIELD_QSL_RECEIVED, "false");
    qso.values[FIELD_ID] = (struct value){.integer = 7, .state = VALUE_PRESENT};
    if (strcmp(band, "PMR446") == 0)
        set(&qso, FIELD_CHANNEL, "8");
    return qso;
}

static bool merge(const struct mapped *mapped, const struct qso *stored, enum merge_way way,
                  struct qso *merged)
{
    const struct merging merging = {.record = mapped, .stored = stored, .way = way};
    return merge_record(&merging, &arena, merged);
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
    set(&stored, FIELD_NOTES, text); /* stored notes are not cut to make room for a name either */
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
         "refused QSO_DATE is not a date of 8 digits;"},
        {"<BAND:3>11m<QSO_DATE:8>20260517<TIME_ON:5>19420",
         "refused TIME_ON is not a time of 4 or 6 digits;"},
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
    struct mapped mapped; /* a field without a place may be cut */
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

/* -- There and back ---------------------------------------------------------------------------- */

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

/* The standard fields of a record, except the time, in the notation of the table. */
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
    while (fgets(line, sizeof line, table)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        print_message("%s\n", line);
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

/* The QSL fields of a record, and of its export after saving. */
static void unknown_qsl_fields_are_not_written(void **state)
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

/* -- What is remembered ------------------------------------------------------------------------ */

static const struct contact_own nobody = {0};

static int64_t mark_of(const struct mapped *mapped)
{
    struct contact contact;
    contact_read(&mapped->qso, mapped->notes.parts[NOTES_NAME], mapped->end_ms, &nobody, &contact);
    return said_mark(mapped, &contact);
}

static void a_mark_depends_only_on_the_identity_of_a_record(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        bool is_same;
    } cases[] = {
        {"<CALL:9>26-at-101<FREQ:6>27.555<MODE:3>SSB<RST_SENT:2>59<NAME:3>Bob", true},
        {"<CALL:7>26AT101<FREQ:6>27.555<MODE:3>SSB<BAND:3>11m", true},
        {"<CALL:7>26AT102<FREQ:6>27.555<MODE:3>SSB", false},
        {"<CALL:7>26AT101<FREQ:6>27.556<MODE:3>SSB", false},
        {"<CALL:7>26AT101<FREQ:6>27.555<MODE:3>SSB<SUBMODE:3>USB", false},
        {"<CALL:7>26AT101<FREQ:6>27.555<MODE:3>SSB<STATION_CALLSIGN:6>26AT77", false},
        {"<FREQ:6>27.555<MODE:3>SSB<NAME:3>Bob", false},
    };
    struct mapped mapped, other;
    assert_int_equal(map(WHEN "<CALL:7>26AT101<FREQ:6>27.555<MODE:3>SSB<EOR>", &mapped),
                     MAPPING_QSO);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_case(cases[i].record);
        assert_int_equal(map(arena_print(&arena, WHEN "%s<EOR>", cases[i].record), &other),
                         MAPPING_QSO);
        assert_int_equal(mark_of(&other) == mark_of(&mapped), cases[i].is_same);
    }
}

static void a_digest_shows_whether_a_program_sent_a_value_before(void **state)
{
    (void)state;
    struct mapped mapped, other;
    struct said said, now;
    unsigned char bytes[SAID_BYTES_MAX];
    map(WHEN "<BAND:3>11m<RST_SENT:2>59<NAME:3>Bob<NOTES:1>x<IOTA:6>EU-005<EOR>", &mapped);
    said_read(&mapped, &said);
    const struct text stored = said_write(&said, bytes);
    assert_int_equal(stored.length % SAID_DIGEST_BYTES, 0);
    for (size_t i = 0; i < SAID_COUNT; i++)
        assert_true(!said.digests[i] || said_holds(stored, said.digests[i]));
    map(WHEN "<BAND:3>11m<RST_SENT:2>57<RST_RCVD:2>59<NAME:3>Bob<NOTES:1>y<IOTA:6>EU-006<EOR>",
        &other);
    said_read(&other, &now);
    const size_t news[] = {FIELD_RST_SENT, FIELD_RST_RECEIVED, SAID_NOTES + NOTES_BODY,
                           SAID_LEFTOVERS};
    for (size_t i = 0; i < sizeof news / sizeof *news; i++)
        assert_false(said_holds(stored, now.digests[news[i]]));
    assert_true(said_holds(stored, now.digests[SAID_NOTES + NOTES_NAME]));
    assert_true(said_holds(stored, now.digests[FIELD_QSO_AT]));
}

static void program_ids_and_end_times_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *fields, *program, *id;
        int64_t minutes; /* from the start to the end */
    } cases[] = {
        {"<APP_N1MM_ID:32>C13E93A790DD41F6B1FCC85CC6D2C641", "N1MM",
         "c13e93a790dd41f6b1fcc85cc6d2c641", 0},
        {"<app_n1mm_id:36>c13e93a7-90dd-41f6-b1fc-c85cc6d2c641", "N1MM",
         "c13e93a790dd41f6b1fcc85cc6d2c641", 0},
        {"<APP_QRZLOG_LOGID:9>557243669", "QRZLOG", "557243669", 0},
        {"<APP_LOG4OM_QSO_ID:4>4711", "LOG4OM", "4711", 0},
        {"<APP_X_ID:3>000", "", "", 0},
        {"<APP_X_CONTEST_ID:4>CQWW", "", "", 0},
        {"<APP_POLO_ID:4>4711", "", "", 0},
        {"<CONTEST_ID:4>CQWW<TIME_OFF:4>1950", "", "", 7},
        {"<TIME_OFF:6>001000", "", "", 267},
        {"<TIME_OFF:4>0010<QSO_DATE_OFF:8>20260518", "", "", 267},
        {"<TIME_OFF:4>1930<QSO_DATE_OFF:8>20260517", "", "", 0},
        {"<TIME_OFF:4>late", "", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mapped mapped;
        struct contact contact;
        print_case(cases[i].fields);
        map(arena_print(&arena, WHEN "<BAND:3>11m%s<EOR>", cases[i].fields), &mapped);
        const bool has_id = *cases[i].id;
        assert_int_equal(mapped.id_count, has_id);
        assert_true(!has_id || (text_equals(mapped.ids[0].program, text_of(cases[i].program)) &&
                                text_equals(mapped.ids[0].id, text_of(cases[i].id))));
        contact_read(&mapped.qso, (struct text){0}, mapped.end_ms, &nobody, &contact);
        assert_int_equal((contact.end_ms - contact.start_ms) / 60000, cases[i].minutes);
    }
}

/* -- Merging ----------------------------------------------------------------------------------- */

static void only_new_values_are_merged(void **state)
{
    (void)state;
    struct mapped mapped;
    struct merge_news news = {.is_news[FIELD_RST_SENT] = true,
                              .is_news[SAID_NOTES + NOTES_QTH] = true};
    struct qso stored = stored_qso("ELEVEN_METERS"), merged;
    set(&stored, FIELD_RST_SENT, "59");
    set(&stored, FIELD_NOTES, "Name: Ann");
    map(WHEN "<BAND:3>11m<RST_SENT:2>57<RST_RCVD:2>55<MODE:2>AM<NAME:3>Bob<QTH:5>Paris<EOR>",
        &mapped);
    struct merging merging = {
        .record = &mapped, .stored = &stored, .way = MERGE_ADD, .news = &news};
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

static void a_program_may_correct_its_own_values(void **state)
{
    (void)state;
    struct mapped mapped;
    struct merge_news news = {.is_news[FIELD_DX_LOCATOR] = true};
    struct qso stored = stored_qso("ELEVEN_METERS"), merged;
    set(&stored, FIELD_DX_LOCATOR, "IO91wm");
    map(WHEN "<BAND:3>11m<GRIDSQUARE:4>IO91<EOR>", &mapped);
    const struct merging merging = {
        .record = &mapped, .stored = &stored, .way = MERGE_ADD, .news = &news};
    assert_false(merge_record(&merging, &arena, &merged));
    news.may_say_less = true;
    assert_true(merge_record(&merging, &arena, &merged));
    assert_string_equal(value_text(&merged, FIELD_DX_LOCATOR), "IO91");
}

static void a_callsign_of_the_log_is_omitted_without_a_suffix(void **state)
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

static int free_memory(void **state)
{
    (void)state;
    arena_free(&arena);
    buffer_free(&told);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_parse_as_in_the_table),
        cmocka_unit_test(a_record_has_a_length_limit_but_a_file_has_none),
        cmocka_unit_test(values_parse_as_in_the_table),
        cmocka_unit_test(standard_fields_map_to_fields_of_a_qso),
        cmocka_unit_test(notes_that_are_too_long_lose_only_one_part),
        cmocka_unit_test(a_wrong_time_band_or_length_rejects_a_record),
        cmocka_unit_test(other_bands_are_distinguished_from_ours),
        cmocka_unit_test(an_edited_standard_field_overrides_our_own_field),
        cmocka_unit_test(a_written_qso_reads_back_unchanged),
        cmocka_unit_test(values_are_written_as_in_the_table),
        cmocka_unit_test(unknown_qsl_fields_are_not_written),
        cmocka_unit_test(each_standard_field_belongs_to_a_group_of_extra_fields),
        cmocka_unit_test(notes_never_forge_a_field_in_other_programs),
        cmocka_unit_test(a_mark_depends_only_on_the_identity_of_a_record),
        cmocka_unit_test(a_digest_shows_whether_a_program_sent_a_value_before),
        cmocka_unit_test(program_ids_and_end_times_are_read),
        cmocka_unit_test(only_new_values_are_merged),
        cmocka_unit_test(a_program_may_correct_its_own_values),
        cmocka_unit_test(a_callsign_of_the_log_is_omitted_without_a_suffix),
        cmocka_unit_test(a_change_of_band_removes_fields_of_the_old_band),
        cmocka_unit_test(a_less_precise_record_removes_nothing),
        cmocka_unit_test(decimals_are_exact),
    };
    return cmocka_run_group_tests_name("adif", tests, NULL, free_memory);
}
