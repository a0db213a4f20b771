/* Tests which QSOs of a log were new. t/data/log_news.tsv has more cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "qso/divisions.h"
#include "qso/log_firsts.h"
#include "qso/match.h"
#include "qso/place.h"

#define NOT_NEW LOG_FIRST_KINDS

static struct arena arena;

struct row {
    const char *callsign;
    int64_t at_ms;
    int band, mode, square;
    enum log_firsts_kind kind;
};

static void set_integer(struct qso *qso, enum field_index field, int64_t value)
{
    qso->values[field] = (struct value){.integer = value, .state = VALUE_PRESENT};
}

static void add(struct log_firsts *firsts, const struct row *row, int64_t id, int64_t status)
{
    struct qso qso = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        qso.values[i].state = VALUE_NULL;
    set_integer(&qso, FIELD_ID, id);
    set_integer(&qso, FIELD_QSO_AT, row->at_ms);
    set_integer(&qso, FIELD_BAND, row->band);
    set_integer(&qso, FIELD_QSO_STATUS, status);
    if (row->mode != MATCH_NO_MODE)
        set_integer(&qso, FIELD_MODE, row->mode);
    qso.values[FIELD_CALLSIGN_WORKED] = (struct value){
        .text = row->callsign, .length = (uint32_t)strlen(row->callsign), .state = VALUE_PRESENT};
    log_firsts_add(firsts, &qso, divisions_number(text_of(row->callsign)), row->square);
}

/* Adds QSOs, whose ids begin with 1, in both directions, and compares the listed QSOs. */
static void expect(const struct row *rows, int64_t count)
{
    for (int backwards = 0; backwards <= 1; backwards++) {
        struct log_firsts firsts;
        struct log_listed_first *list;
        size_t at = 0;
        log_firsts_begin(&firsts, &arena);
        for (int64_t i = 0; i < count; i++) {
            const int64_t place = backwards ? count - 1 - i : i;
            add(&firsts, &rows[place], place + 1, QSO_STATUS_WKD);
        }
        const size_t found = log_firsts_list(&firsts, &list);
        for (int64_t i = 0; i < count; i++)
            if (rows[i].kind != NOT_NEW) {
                assert_in_range(at, 0, found - 1);
                assert_int_equal(list[at].id, i + 1);
                assert_int_equal(list[at++].kind, rows[i].kind);
            }
        assert_int_equal(at, found);
    }
}

#define EXPECT(...)                                                                                \
    do {                                                                                           \
        const struct row rows[] = {__VA_ARGS__};                                                   \
        expect(rows, sizeof rows / sizeof *rows);                                                  \
    } while (0)

static void the_first_qso_with_each_thing_is_new(void **state)
{
    (void)state;
    EXPECT({"26AT1", 1, BAND_ELEVEN_METERS, MODE_USB, 5, LOG_FIRST_DIVISION},
           {"26AT2", 2, BAND_ELEVEN_METERS, MODE_LSB, 5, NOT_NEW},
           {"26AT3", 3, BAND_ELEVEN_METERS, MODE_FM, 5, LOG_FIRST_MODE},
           {"26AT4", 4, BAND_ELEVEN_METERS, MATCH_NO_MODE, 5, NOT_NEW},
           {"26AT5", 5, BAND_PMR446, MODE_FM, 5, LOG_FIRST_BAND},
           {"26AT0/DX", 6, BAND_PMR446, MODE_FM, 5, LOG_FIRST_SPECIAL},
           {"26AT0/DX", 7, BAND_PMR446, MODE_FM, PLACE_SQUARES - 1, LOG_FIRST_SQUARE},
           {"999AT1", 8, BAND_PMR446, MODE_FM, -1, NOT_NEW});
}

static void the_most_valuable_thing_counts(void **state)
{
    (void)state;
    EXPECT({"26AT0/DX", 1, BAND_ELEVEN_METERS, MODE_USB, 5, LOG_FIRST_DIVISION},
           {"26AT1/DX", 2, BAND_PMR446, MODE_FM, 6, LOG_FIRST_SQUARE},
           {"26AT2/DX", 3, BAND_PMR446, MODE_CW, 6, LOG_FIRST_SPECIAL});
}

static void the_lower_id_decides_between_equal_times(void **state)
{
    (void)state;
    EXPECT({"26AT1", 1, BAND_ELEVEN_METERS, MODE_USB, 5, LOG_FIRST_DIVISION},
           {"26AT2", 1, BAND_ELEVEN_METERS, MODE_USB, 5, NOT_NEW},
           {"1AT1", 9, BAND_ELEVEN_METERS, MODE_USB, 5, NOT_NEW},
           {"1AT2", 8, BAND_ELEVEN_METERS, MODE_USB, 5, LOG_FIRST_DIVISION});
}

static void a_station_that_was_only_heard_is_not_new(void **state)
{
    const struct row row = {"26AT0/DX", 1, BAND_ELEVEN_METERS, MODE_USB, 5, NOT_NEW};
    struct log_firsts firsts;
    struct log_listed_first *list;
    (void)state;
    log_firsts_begin(&firsts, &arena);
    add(&firsts, &row, 1, QSO_STATUS_HRD);
    assert_int_equal(log_firsts_list(&firsts, &list), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_qso_with_each_thing_is_new),
        cmocka_unit_test(the_most_valuable_thing_counts),
        cmocka_unit_test(the_lower_id_decides_between_equal_times),
        cmocka_unit_test(a_station_that_was_only_heard_is_not_new),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
