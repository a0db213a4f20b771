/* Tests the rule that decides whether records from several programs are one contact, and the
 * assignment of records to QSOs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qso/contact.h"
#include "qso/contact_pairs.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)

static struct match_callsign own_callsigns[2]; /* the log's current and previous callsigns */
static const struct contact_own own = {own_callsigns, 2};

/* One of two compared records, on PMR446 if the channel is given, and otherwise on 11 m. NULL or ""
 * means no text, and 0 means no frequency. */
struct side {
    const char *station, *worked, *name;
    int64_t start_ms, length_ms, khz, channel, mode;
    bool is_heard;
};
#define NO_MODE (-1)
#define SSB .worked = "26AT101", .khz = 27555, .mode = MODE_SSB
#define PMR .channel = 1, .mode = MODE_FM

static void set_text(struct qso *qso, enum field_index field, const char *text)
{
    if (text && *text)
        qso->values[field] =
            (struct value){.text = text, .length = (uint32_t)strlen(text), .state = VALUE_PRESENT};
}

static void set_integer(struct qso *qso, enum field_index field, bool is_given, int64_t integer)
{
    if (is_given)
        qso->values[field] = (struct value){.integer = integer, .state = VALUE_PRESENT};
}

static struct contact contact_of(const struct side *side)
{
    struct qso qso = {0};
    struct contact contact;
    set_integer(&qso, FIELD_BAND, true, side->channel ? BAND_PMR446 : BAND_ELEVEN_METERS);
    set_integer(&qso, FIELD_QSO_AT, true, side->start_ms);
    set_integer(&qso, FIELD_FREQUENCY, side->khz > 0, side->khz);
    set_integer(&qso, FIELD_CHANNEL, side->channel > 0, side->channel);
    set_integer(&qso, FIELD_MODE, side->mode != NO_MODE, side->mode);
    set_integer(&qso, FIELD_QSO_STATUS, side->is_heard, QSO_STATUS_HRD);
    set_text(&qso, FIELD_CALLSIGN_WORKED, side->worked);
    set_text(&qso, FIELD_OPERATOR_CALLSIGN, side->station);
    contact_read(&qso, text_of(side->name), side->start_ms + side->length_ms, &own, &contact);
    return contact;
}

static void the_rule_recognises_records_of_one_contact(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        struct side one, other;
        int differences;
    } cases[] = {
        {"the same values", {SSB}, {SSB}, 0},
        {"another spelling of a callsign",
         {SSB},
         {.worked = "26-at 101", .khz = 27555, .mode = MODE_SSB},
         0},
        {"another station", {SSB}, {.worked = "26AT102", .khz = 27555, .mode = MODE_SSB}, -1},
        {"a suffix of the worked callsign", {SSB}, {.worked = "26AT101/P", .khz = 27555}, -1},
        {"a minute apart", {SSB}, {SSB, .start_ms = MINUTE}, 0},
        {"more than a minute", {SSB}, {SSB, .start_ms = MINUTE + 1}, 1},
        {"two minutes", {SSB}, {SSB, .start_ms = -2 * MINUTE}, 1},
        {"more than two minutes", {SSB}, {SSB, .start_ms = 2 * MINUTE + 1}, -1},
        {"overlapping times", {SSB, .length_ms = 30 * MINUTE}, {SSB, .start_ms = 20 * MINUTE}, 1},
        {"adjacent times", {SSB, .length_ms = 30 * MINUTE}, {SSB, .start_ms = 30 * MINUTE}, 1},
        {"overlapping times, the other way round",
         {SSB, .start_ms = MINUTE * 9},
         {SSB, .length_ms = 10 * MINUTE},
         1},
        {"separate times", {SSB, .length_ms = 5 * MINUTE}, {SSB, .start_ms = 5 * MINUTE + 1}, -1},
        {"an implausible end", {SSB, .length_ms = 400 * MINUTE}, {SSB, .start_ms = 3 * MINUTE}, -1},
        {"5 kHz", {SSB}, {.worked = "26AT101", .khz = 27560, .mode = MODE_SSB}, 0},
        {"6 kHz", {SSB}, {.worked = "26AT101", .khz = 27549, .mode = MODE_SSB}, 1},
        {"a family of modes", {SSB}, {.worked = "26AT101", .khz = 27555, .mode = MODE_USB}, 0},
        {"another family", {SSB}, {.worked = "26AT101", .khz = 27555, .mode = MODE_DIGITAL}, 1},
        {"two differences", {SSB}, {.worked = "26AT101", .khz = 27265, .mode = MODE_DIGITAL}, -1},
        {"time and frequency",
         {SSB},
         {.worked = "26AT101", .khz = 27265, .start_ms = 2 * MINUTE, .mode = NO_MODE},
         -1},
        {"no mode", {SSB}, {.worked = "26AT101", .khz = 27600, .mode = NO_MODE}, 1},
        {"no frequency", {SSB}, {.worked = "26AT101", .mode = MODE_CW}, 1},
        {"no frequency, apart",
         {SSB},
         {.worked = "26AT101", .mode = NO_MODE, .start_ms = MINUTE + 1},
         -1},
        {"no frequency on either side",
         {.worked = "A"},
         {.worked = "A", .start_ms = MINUTE + 1},
         -1},
        {"another band", {SSB}, {.worked = "26AT101", PMR}, -1},
        {"the log's callsigns", {SSB, .station = "21SD333"}, {SSB, .station = "21-sd-300"}, 0},
        {"the log's callsign, portable", {SSB, .station = "161/21SD333/P"}, {SSB}, 0},
        {"another station's callsign", {SSB, .station = "26AT0"}, {SSB}, -1},
        {"the same other callsign", {SSB, .station = "26AT0"}, {SSB, .station = "26at0"}, 0},
        {"heard and worked", {SSB, .is_heard = true}, {SSB}, -1},
        {"heard twice", {SSB, .is_heard = true}, {SSB, .is_heard = true}, 0},
        {"names", {PMR, .name = "Anna"}, {PMR, .name = " ANNA", .start_ms = MINUTE}, 0},
        {"names, one difference",
         {PMR, .name = "Anna"},
         {.channel = 2, .mode = MODE_FM, .name = "Anna"},
         1},
        {"two names", {PMR, .name = "Anna"}, {PMR, .name = "Bert"}, -1},
        {"a callsign and a name", {PMR, .worked = "13AT1"}, {PMR, .name = "Anna"}, -1},
        {"a name next to a callsign",
         {PMR, .worked = "13AT1", .name = "Anna"},
         {PMR, .worked = "13AT1"},
         0},
        {"no name", {PMR}, {PMR, .name = "Anna"}, 0},
        {"no name, any difference", {PMR}, {.channel = 2, .mode = MODE_FM, .name = "Anna"}, -1},
        {"no name, apart", {PMR}, {PMR, .start_ms = MINUTE + 1}, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct contact one = contact_of(&cases[i].one), other = contact_of(&cases[i].other);
        print_message("%s\n", cases[i].rule);
        assert_int_equal(contact_compare(&one, &other), cases[i].differences);
        assert_int_equal(contact_compare(&other, &one), cases[i].differences);
    }
}

#define RECORDS 3
#define QSOS 3

static void assert_assigned(const struct contact_pair *given, size_t count,
                            const size_t expected[RECORDS])
{
    struct contact_pair pairs[8];
    for (size_t turn = 0; turn < count; turn++) { /* the order of the pairs does not matter */
        size_t qso_of[RECORDS] = {CONTACT_NONE, CONTACT_NONE, CONTACT_NONE};
        size_t record_of[QSOS] = {CONTACT_NONE, CONTACT_NONE, CONTACT_NONE};
        for (size_t i = 0; i < count; i++)
            pairs[i] = given[(i + turn) % count];
        contact_assign(pairs, count, qso_of, record_of);
        for (size_t i = 0; i < RECORDS; i++) {
            assert_true(qso_of[i] == expected[i]);
            assert_true(qso_of[i] == CONTACT_NONE || record_of[qso_of[i]] == i);
        }
    }
}

static void a_qso_matches_only_one_record(void **state)
{
    (void)state;
    /* the second record has been matched to the QSO before, and the first record is only similar */
    const struct contact_pair known[] = {{0, 0, CONTACT_WITHOUT_DIFFERENCE, 0, 7},
                                         {1, 0, CONTACT_BY_MEMORY, 90, 7}};
    assert_assigned(known, 2, (const size_t[]){CONTACT_NONE, 0, CONTACT_NONE});
    const struct contact_pair ids[] = {{0, 0, CONTACT_BY_MEMORY, 0, 7},
                                       {2, 0, CONTACT_BY_ID, 90, 7}};
    assert_assigned(ids, 2, (const size_t[]){CONTACT_NONE, CONTACT_NONE, 0});
    /* a pair without a difference precedes a pair with a difference, whatever the times are */
    const struct contact_pair alike[] = {{0, 0, CONTACT_WITH_ONE_DIFFERENCE, 0, 7},
                                         {1, 0, CONTACT_WITHOUT_DIFFERENCE, 60, 7},
                                         {0, 1, CONTACT_WITH_ONE_DIFFERENCE, 90, 8}};
    assert_assigned(alike, 3, (const size_t[]){1, 0, CONTACT_NONE});
    /* The nearest pair is assigned first. If several pairs are equally near, the pair with the
       oldest QSO is first, then the pair with the first record. */
    const struct contact_pair near[] = {{0, 0, CONTACT_WITHOUT_DIFFERENCE, 30, 7},
                                        {0, 1, CONTACT_WITHOUT_DIFFERENCE, 20, 8},
                                        {1, 1, CONTACT_WITHOUT_DIFFERENCE, 10, 8}};
    assert_assigned(near, 3, (const size_t[]){0, 1, CONTACT_NONE});
    const struct contact_pair old[] = {{0, 0, CONTACT_WITHOUT_DIFFERENCE, 10, 9},
                                       {0, 1, CONTACT_WITHOUT_DIFFERENCE, 10, 8},
                                       {1, 1, CONTACT_WITHOUT_DIFFERENCE, 10, 8}};
    assert_assigned(old, 3, (const size_t[]){1, CONTACT_NONE, CONTACT_NONE});
}

int main(void)
{
    match_normalise_callsign(text_of("21SD333"), &own_callsigns[0]);
    match_normalise_callsign(text_of("21SD300"), &own_callsigns[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_recognises_records_of_one_contact),
        cmocka_unit_test(a_qso_matches_only_one_record),
    };
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}
