/* Tests the marks and digests that identify a record and the values that a program has sent
 * (src/adif/said.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit-adif.h"
#include "adif/merge.h"
#include "adif/notes.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "adif/standard.h"
#include "adif/tag.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_depends_only_on_the_identity_of_a_record),
        cmocka_unit_test(a_digest_shows_whether_a_program_sent_a_value_before),
        cmocka_unit_test(program_ids_and_end_times_are_read),
    };
    return cmocka_run_group_tests_name("ADIF marks and digests", tests, NULL, free_memory);
}
