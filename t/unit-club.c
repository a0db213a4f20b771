/* Tests the club's row in the store, and the rules for the values in this row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "unit-logbook.h"
#include "store/club/club.h"
#include "store/people/keys.h"
#include "store/log/logbook.h"
#include "store/store.h"
#include "store/transaction.h"

static void the_club_returns_its_stored_values(void **state)
{
    bool given[CLUB_FIELDS] = {[CLUB_NAME] = true, [CLUB_LINK] = true};
    struct club club = {.values = {[CLUB_NAME] = text_of("Club A"),
                                   [CLUB_TEXT] = text_of("not given"),
                                   [CLUB_LINK] = text_of("https://example.org")}};
    (void)state;
    assert_int_equal(store_set_club(store, &club, given), STORE_DONE);
    club.values[CLUB_LINK] = (struct text){0};
    given[CLUB_NAME] = false;
    assert_int_equal(store_set_club(store, &club, given), STORE_DONE);
    assert_int_equal(store_read_club(store, &arena, &club), STORE_DONE);
    assert_true(text_equals(club.values[CLUB_NAME], text_of("Club A")));
    assert_null(club.values[CLUB_TEXT].bytes);
    assert_null(club.values[CLUB_LINK].bytes);
}

static void assert_judged(enum club_field field, const char *value, const char *expected)
{
    struct text text = text_of(value);
    const char *fault = club_check_value(field, &text);
    if (fault)
        assert_null(expected);
    else
        assert_true(text_equals(text, text_of(expected)));
}

static void values_of_a_club_are_checked(void **state)
{
    char long_name[82] = "";
    (void)state;
    memset(long_name, 'x', 81);
    assert_judged(CLUB_NAME, "  Club A ", "Club A");
    assert_judged(CLUB_NAME, long_name, NULL);
    assert_judged(CLUB_NAME, long_name + 1, long_name + 1);
    assert_judged(CLUB_NAME, "two\nlines", NULL);
    assert_judged(CLUB_LEGAL, "two\r\nlines", "two\r\nlines");
    assert_judged(CLUB_LEGAL, "two\x1b\nlines", NULL);
    assert_judged(CLUB_TEXT, "\xff", NULL);
    assert_judged(CLUB_LINK, "javascript:alert(1)", NULL);
    assert_judged(CLUB_LINK, "https://example.org/?a=b#c", "https://example.org/?a=b#c");
    assert_judged(CLUB_LINK, "https://example.org/\"onclick", NULL);
    assert_judged(CLUB_ADDRESS, "https://log.example.org/api/v1/", "https://log.example.org");
    assert_judged(CLUB_ADDRESS, "https://example.org/club/?x", "https://example.org/club");
    assert_judged(CLUB_ADDRESS, "http://127.0.0.1:8080", "http://127.0.0.1:8080");
    assert_judged(CLUB_ADDRESS, "https://user@example.org", NULL);
    assert_judged(CLUB_ADDRESS, "https:///path", NULL);
    assert_judged(CLUB_ADDRESS, "log.example.org", NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_club_returns_its_stored_values),
        cmocka_unit_test(values_of_a_club_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
