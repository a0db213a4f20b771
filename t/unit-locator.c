/* Maidenhead locators: which texts are one, and their normal form. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "qso/locator.h"

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

static void other_texts_are_no_locator(void **state)
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

/* Every byte at every place, against the definition. */
static void each_place_of_a_locator_takes_its_own_characters(void **state)
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

static void a_normal_form_may_be_written_over_its_text(void **state)
{
    char text[] = "jo59JW";
    (void)state;
    assert_true(locator_normalise(text_of(text), text));
    assert_string_equal(text, "JO59jw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locators_get_their_normal_form),
        cmocka_unit_test(other_texts_are_no_locator),
        cmocka_unit_test(each_place_of_a_locator_takes_its_own_characters),
        cmocka_unit_test(a_normal_form_may_be_written_over_its_text),
    };
    return cmocka_run_group_tests_name("locator", tests, NULL, NULL);
}
