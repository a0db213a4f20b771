/* Tests the divisions, squares and special stations that a log contains, and those that a log still
 * needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "qso/award_needed.h"
#include "qso/award_totals.h"
#include "qso/awards.h"
#include "qso/locator.h"
#include "qso/match.h"
#include "qso/special.h"

#define AT_2026 INT64_C(1779046920000)
#define YEAR_MS (INT64_C(365) * 86400000)

static struct arena arena;
static struct awards awards;

static void set_integer(struct qso *qso, enum field_index field, int64_t value)
{
    qso->values[field] = (struct value){.integer = value, .state = VALUE_PRESENT};
}

static void set_text(struct qso *qso, enum field_index field, const char *text)
{
    qso->values[field] =
        (struct value){.text = text, .length = (uint32_t)strlen(text), .state = VALUE_PRESENT};
}

struct row {
    const char *callsign, *locator;
    int64_t at_ms;
    int band, mode;
    int64_t confirmed_ms; /* 0: not confirmed */
};

static void add(const struct row *row, int64_t id)
{
    struct qso qso = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        qso.values[i].state = VALUE_NULL;
    set_integer(&qso, FIELD_ID, id);
    set_integer(&qso, FIELD_BAND, row->band);
    set_integer(&qso, FIELD_QSO_AT, row->at_ms);
    if (row->mode != MATCH_NO_MODE)
        set_integer(&qso, FIELD_MODE, row->mode);
    if (row->callsign)
        set_text(&qso, FIELD_CALLSIGN_WORKED, row->callsign);
    if (row->locator)
        set_text(&qso, FIELD_DX_LOCATOR, row->locator);
    if (row->confirmed_ms)
        set_integer(&qso, FIELD_CROSS_CONFIRMED_AT, row->confirmed_ms);
    awards_add(&awards, &qso);
}

/* Adds QSOs, newest first, with ids from `count` down to 1. */
static void add_all(const struct row *rows, size_t count)
{
    awards_begin(&awards, &arena);
    for (size_t i = 0; i < count; i++)
        add(&rows[i], (int64_t)(count - i));
    awards_end(&awards);
}

#define ADD(...)                                                                                   \
    do {                                                                                           \
        const struct row rows[] = {__VA_ARGS__};                                                   \
        add_all(rows, sizeof rows / sizeof *rows);                                                 \
    } while (0)

static void expect_totals(enum award_subject subject, int64_t worked, int64_t confirmed)
{
    int64_t is_worked, is_confirmed;
    awards_count_items(&awards, subject, award_cells_of(BAND_COUNT, MODE_COUNT), &is_worked,
                       &is_confirmed);
    assert_int_equal(is_worked, worked);
    assert_int_equal(is_confirmed, confirmed);
}

static void the_callsigns_of_activations_are_special(void **state)
{
    static const char *const special[] = {
        "201AT0/P",       "19HN0/DX",  "315AT/0",  "104AT/DX",   "165SD/DX",
        "199-EXP-0/2026", "26at00",    "13 AT 0",  "26AT101/DX", "165SD/EU11",
        "1AT/SES",        "161/21SD0", "13AT/WFF", "26AT/0/P",   "14FR1/IOTA/QRP"};
    static const char *const ordinary[] = {
        "26AT101",  "26AT101/P",  "26AT101/M",   "161/21SD333",
        "26AT",     "26AT/P",     "14FR/26AT1",  "999AT0",
        "AT0",      "13-THB-1/A", "26AT100",     "26AT/MM/QRP",
        "DX",       "",           "2.lr.004/Mm", "26AT101/1",
        "26AT101/", "0AT/DX",     "26AT101/EU",  "26AT101/EU1234",
        "26ÄT0",    "1AT/<B>"};
    struct match_callsign callsign;
    (void)state;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        match_normalise_callsign(text_of(special[i]), &callsign);
        if (!special_is(&callsign))
            fail_msg("%s", special[i]);
    }
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) {
        match_normalise_callsign(text_of(ordinary[i]), &callsign);
        if (special_is(&callsign))
            fail_msg("%s", ordinary[i]);
    }
}

static void an_empty_log_has_no_awards(void **state)
{
    int64_t ms;
    (void)state;
    add_all(NULL, 0);
    for (int subject = 0; subject < AWARD_SUBJECTS; subject++)
        expect_totals((enum award_subject)subject, 0, 0);
    assert_null(awards_find(&awards, AWARD_DIVISIONS, text_of("26")));
    assert_false(awards_find_passing(&awards, &award_thresholds[0], false, &ms));
}

static void each_division_counts_once_for_all_spellings(void **state)
{
    (void)state;
    ADD({"26-AT-7/P", "IO91wm", AT_2026, BAND_ELEVEN_METERS, MODE_USB, 0},
        {"26at101", "io91", AT_2026 - 1, BAND_PMR446, MODE_FM, AT_2026},
        {"999AT1", NULL, AT_2026 - 2, BAND_ELEVEN_METERS, MODE_USB, AT_2026},
        {"Willi", NULL, AT_2026 - 2, BAND_PMR446, MODE_FM, 0},
        {NULL, "JO59", AT_2026 - 2, BAND_PMR446, MODE_FM, 0},
        {"104AT/DX", NULL, AT_2026 - 3, BAND_ELEVEN_METERS, MATCH_NO_MODE, 0});
    expect_totals(AWARD_DIVISIONS, 2, 1);
    expect_totals(AWARD_SQUARES, 2, 1);
    expect_totals(AWARD_SPECIAL, 1, 0);
    expect_totals(AWARD_UNKNOWN, 1, 1);
    assert_int_equal(awards.qsos, 6);
    assert_int_equal(awards.unknown, 1);
    assert_int_equal(awards.without_number, 2);
    const struct award_item *item = awards_find(&awards, AWARD_DIVISIONS, text_of("26"));
    assert_int_equal(item->qsos, 2);
    assert_int_equal(item->first.id, 5);
    assert_int_equal(item->first_confirmed.id, 5);
    assert_int_equal(item->worked_in, award_cells_of(BAND_ELEVEN_METERS, MODE_USB) |
                                          award_cells_of(BAND_PMR446, MODE_FM));
    assert_int_equal(item->confirmed_in, award_cells_of(BAND_PMR446, MODE_FM));
}

static void the_lower_id_is_first_if_two_times_are_equal(void **state)
{
    (void)state;
    ADD({"26AT1", NULL, AT_2026, 0, MODE_USB, AT_2026 + 9},
        {"26AT2", NULL, AT_2026, 0, MODE_USB, AT_2026 + 5});
    const struct award_item *item = awards_find(&awards, AWARD_DIVISIONS, text_of("26"));
    assert_int_equal(item->first.id, 1);
    assert_memory_equal(item->first.callsign.bytes, "26AT2", 5);
    assert_int_equal(item->confirmed_at_ms, AT_2026 + 5);
}

static void each_year_counts_its_new_items(void **state)
{
    (void)state;
    ADD({"26AT3", NULL, AT_2026 - YEAR_MS + 1, 0, MODE_USB, 0},
        {"26AT1", NULL, AT_2026, 0, MODE_USB, 0}, {"26AT1", NULL, AT_2026 - 1, 0, MODE_USB, 1},
        {"13AT1", NULL, AT_2026 - 2, 0, MODE_USB, 0},
        {"26AT2", NULL, AT_2026 - YEAR_MS, 0, MODE_USB, 0});
    assert_int_equal(awards.year_count, 2);
    assert_int_equal(awards.years[0].year, 2026);
    assert_int_equal(awards.years[0].qsos, 3);
    assert_int_equal(awards.years[0].worked[AWARD_DIVISIONS], 2);
    assert_int_equal(awards.years[0].first[AWARD_DIVISIONS], 1);
    assert_int_equal(awards.years[0].confirmed[AWARD_DIVISIONS], 1);
    assert_int_equal(awards.years[1].year, 2025);
    assert_int_equal(awards.years[1].qsos, 2);
    assert_int_equal(awards.years[1].worked[AWARD_DIVISIONS], 1);
    assert_int_equal(awards.years[1].first[AWARD_DIVISIONS], 1);
    assert_int_equal(awards.years[1].confirmed[AWARD_DIVISIONS], 0);
}

static void the_first_sufficient_qso_passes_a_threshold(void **state)
{
    const struct award_threshold threshold = {AWARD_SQUARES, 2};
    int64_t ms = 0;
    (void)state;
    ADD({NULL, "JO59", AT_2026, 0, MODE_USB, AT_2026 + 3},
        {NULL, "JO58", AT_2026 - 5, 0, MODE_USB, 0}, {NULL, "JO57", AT_2026 - 7, 0, MODE_USB, 0},
        {NULL, "JO59", AT_2026 - 9, 0, MODE_USB, 0});
    assert_true(awards_find_passing(&awards, &threshold, false, &ms));
    assert_int_equal(ms, AT_2026 - 7);
    assert_false(awards_find_passing(&awards, &threshold, true, &ms));
}

static void expect_news(const char *callsign, const char *locator, int band, int mode,
                        enum award_needed division, enum award_needed square,
                        enum award_needed special)
{
    const struct award_question question = {text_of(callsign), text_of(locator), band, mode};
    enum award_needed needed[AWARD_COUNTED];
    awards_find_needed(&awards, &question, needed);
    assert_int_equal(needed[AWARD_DIVISIONS], division);
    assert_int_equal(needed[AWARD_SQUARES], square);
    assert_int_equal(needed[AWARD_SPECIAL], special);
}

static void new_items_depend_on_the_log(void **state)
{
    enum { ELEVEN = BAND_ELEVEN_METERS, PMR = BAND_PMR446 };
    (void)state;
    ADD({"26AT1", "IO91", AT_2026, ELEVEN, MODE_USB, 1},
        {"13AT/DX", "JO59", AT_2026 - 1, ELEVEN, MODE_AM, 0});
    expect_news("26AT9", "io91wm", ELEVEN, MODE_LSB, AWARD_NOTHING, AWARD_NOTHING, AWARD_NOTHING);
    expect_news("26AT9", "IO92", ELEVEN, MODE_FM, AWARD_NEW_IN_MODE, AWARD_NEW, AWARD_NOTHING);
    expect_news("26AT9", "IO91", PMR, MODE_FM, AWARD_NEW_ON_BAND, AWARD_NEW_ON_BAND, AWARD_NOTHING);
    expect_news("13AT/DX", "JO59", ELEVEN, MODE_AM, AWARD_UNCONFIRMED, AWARD_UNCONFIRMED,
                AWARD_UNCONFIRMED);
    expect_news("13AT0", NULL, ELEVEN, MATCH_NO_MODE, AWARD_UNCONFIRMED, AWARD_NOTHING, AWARD_NEW);
    expect_news("30AT1", NULL, ELEVEN, MATCH_NO_MODE, AWARD_NEW, AWARD_NOTHING, AWARD_NOTHING);
    expect_news("999AT1", NULL, ELEVEN, MODE_USB, AWARD_NOTHING, AWARD_NOTHING, AWARD_NOTHING);
    expect_news(NULL, NULL, ELEVEN, MODE_USB, AWARD_NOTHING, AWARD_NOTHING, AWARD_NOTHING);
}

static void each_of_many_items_is_found(void **state)
{
    char square[] = "AA00";
    (void)state;
    awards_begin(&awards, &arena);
    for (int i = 0; i < 5000; i++) {
        square[0] = (char)('A' + i / 1000);
        square[1] = (char)('A' + i / 100 % 10);
        square[2] = (char)('0' + i / 10 % 10);
        square[3] = (char)('0' + i % 10);
        const struct row row = {"26AT1", square, AT_2026 - i, 0, MODE_USB, 0};
        add(&row, i + 1);
        add(&row, i + 2);
    }
    awards_end(&awards);
    expect_totals(AWARD_SQUARES, 5000, 0);
    assert_int_equal(awards_find(&awards, AWARD_SQUARES, text_of("EJ99"))->qsos, 2);
    const struct award_item **items = awards_list(&awards, AWARD_SQUARES);
    assert_memory_equal(items[0]->name.bytes, "AA00", 4);
    assert_memory_equal(items[4999]->name.bytes, "EJ99", 4);
    arena_free(&arena);
}

/* Tests Maidenhead locators: valid texts, and their normal form. */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void locators_get_their_normal_form(void **state)
{
    static const struct {
        const char *text;
        const char *normal;
    } cases[] = {
        {"JO59", "JO59"},     {"jo59", "JO59"},     {"Jo59", "JO59"},     {"JO59jw", "JO59jw"},
        {"jo59JW", "JO59jw"}, {"JO59JW", "JO59jw"}, {"jO59jW", "JO59jw"}, {"AA00aa", "AA00aa"},
        {"RR99XX", "RR99xx"}, {"rr99xx", "RR99xx"}, {"AR09AX", "AR09ax"}, {"RA90XA", "RA90xa"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char out[LOCATOR_LENGTH_MAX + 1] = "######";
        size_t length = strlen(cases[i].text);
        if (!locator_normalise(text_of(cases[i].text), out) ||
            memcmp(out, cases[i].normal, length) != 0)
            fail_msg("%s became %s", cases[i].text, out);
        for (size_t at = length; at < LOCATOR_LENGTH_MAX; at++)
            assert_int_equal(out[at], '#'); /* nothing is written after a short locator */
    }
}

static void other_texts_are_not_locators(void **state)
{
    static const char *const cases[] = {
        "",           "J",      "JO",     "JO5",          "JO59j",      "JO59jw1", "JO59jw12",
        "JO59jw12ab", "SO59",   "JS59",   "JO59yw",       "JO59jy",     "JO59jz",  "5959jw",
        "JOjwjw",     "JO5Ojw", " JO59",  "JO59 ",        "JO 59j",     "JO59jw ", "JO-59j",
        "@A00",       "A@00",   "[A00",   "JO/9",         "JO:9",       "JO9/",    "JO59`a",
        "JO59{a",     "JO59@a", "JO5959", "JO59\xc3\xa5", "\xc3\xa5JO",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char out[LOCATOR_LENGTH_MAX + 1] = "######";
        if (locator_normalise(text_of(cases[i]), out))
            fail_msg("%s was accepted", cases[i]);
        assert_string_equal(out, "######");
    }
    char out[LOCATOR_LENGTH_MAX];
    assert_false(locator_normalise((struct text){NULL, 0}, out));
    assert_false(locator_normalise((struct text){"JO59\0\0", 6}, out));
    assert_false(locator_normalise((struct text){"JO59\0", 5}, out));
}

/* Compares the result for every byte at every place with the definition. */
static void each_position_of_a_locator_accepts_only_its_characters(void **state)
{
    static const char *const allowed[] = {
        "ABCDEFGHIJKLMNOPQR", "ABCDEFGHIJKLMNOPQR",       "0123456789",
        "0123456789",         "ABCDEFGHIJKLMNOPQRSTUVWX", "ABCDEFGHIJKLMNOPQRSTUVWX",
    };
    (void)state;
    for (size_t place = 0; place < 6; place++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[] = {'J', 'O', '5', '9', 'j', 'w'};
            char out[LOCATOR_LENGTH_MAX];
            int upper = byte < 128 ? toupper(byte) : byte;
            text[place] = (char)byte;
            bool is_expected = byte != 0 && strchr(allowed[place], upper) != NULL;
            if (locator_normalise((struct text){text, 6}, out) != is_expected)
                fail_msg("byte %d at place %zu", byte, place);
            if (place < 4 && locator_normalise((struct text){text, 4}, out) != is_expected)
                fail_msg("byte %d at place %zu of four", byte, place);
        }
    }
}

static void a_normal_form_can_overwrite_its_text(void **state)
{
    char text[] = "jo59JW";
    (void)state;
    assert_true(locator_normalise(text_of(text), text));
    assert_string_equal(text, "JO59jw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_callsigns_of_activations_are_special),
        cmocka_unit_test(an_empty_log_has_no_awards),
        cmocka_unit_test(each_division_counts_once_for_all_spellings),
        cmocka_unit_test(the_lower_id_is_first_if_two_times_are_equal),
        cmocka_unit_test(each_year_counts_its_new_items),
        cmocka_unit_test(the_first_sufficient_qso_passes_a_threshold),
        cmocka_unit_test(new_items_depend_on_the_log),
        cmocka_unit_test(each_of_many_items_is_found),
        cmocka_unit_test(locators_get_their_normal_form),
        cmocka_unit_test(other_texts_are_not_locators),
        cmocka_unit_test(each_position_of_a_locator_accepts_only_its_characters),
        cmocka_unit_test(a_normal_form_can_overwrite_its_text),
    };
    return cmocka_run_group_tests_name("awards", tests, NULL, NULL);
}
