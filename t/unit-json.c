/* Values of JSON text: what strings with escapes say, and numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "json/value.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void strings_say_what_their_escapes_mean(void **state)
{
    static const struct {
        const char *written;
        const char *meant;
        size_t length;
    } cases[] = {
        {"", "", 0},
        {"plain", "plain", 5},
        {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 8},
        {"a\\u0041b", "aAb", 3},
        {"\\u007f\\u0080", "\x7f\xc2\x80", 3},
        {"\\u07FF\\u0800", "\xdf\xbf\xe0\xa0\x80", 5},
        {"\\uFFFF", "\xef\xbf\xbf", 3},
        {"\\uD800\\uDC00", "\xf0\x90\x80\x80", 4},
        {"\\udbff\\udfff", "\xf4\x8f\xbf\xbf", 4},
        {"\\u0000", "\0", 1},
        {"x\\ud83dy", "x\0y", 3},
        {"\\udc00", "\0", 1},
        {"\\ud83d\\ud83d\\ude00", "\0\xf0\x9f\x98\x80", 5},
        {"\\\\u0041", "\\u0041", 6},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena arena = {0};
        const struct json_value value = {JSON_STRING, strchr(cases[i].written, '\\') != NULL,
                                         text_of(cases[i].written)};
        struct text meant = json_value_text(&value, &arena);
        if (meant.length != cases[i].length ||
            memcmp(meant.bytes, cases[i].meant, meant.length) != 0)
            fail_msg("%s is not what it means", cases[i].written);
        arena_free(&arena);
    }
}

static void a_string_without_escapes_is_not_copied(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct json_value value = {JSON_STRING, false, text_of("27.555")};
    assert_ptr_equal(json_value_text(&value, &arena).bytes, value.text.bytes);
    assert_null(arena.chunks);
}

static void other_kinds_have_no_text(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (int kind = JSON_MISSING; kind <= JSON_NESTED; kind++) {
        const struct json_value value = {(enum json_kind)kind, false, text_of("1")};
        assert_true((json_value_text(&value, &arena).bytes != NULL) == (kind == JSON_STRING));
    }
}

static void a_value_is_known_by_its_first_character(void **state)
{
    (void)state;
    assert_int_equal(json_value_kind('"'), JSON_STRING);
    assert_int_equal(json_value_kind('{'), JSON_NESTED);
    assert_int_equal(json_value_kind('['), JSON_NESTED);
    assert_int_equal(json_value_kind('n'), JSON_NULL);
    assert_int_equal(json_value_kind('t'), JSON_TRUE);
    assert_int_equal(json_value_kind('f'), JSON_FALSE);
    assert_int_equal(json_value_kind('-'), JSON_NUMBER);
    assert_int_equal(json_value_kind('0'), JSON_NUMBER);
}

static void a_number_ends_where_its_text_ends(void **state)
{
    (void)state;
    const struct json_value value = {JSON_NUMBER, false, {"-12.5e1,3", 7}};
    assert_true(json_value_number(&value) == -125.0);
    const struct json_value large = {JSON_NUMBER, false, {"1e999}", 5}};
    assert_true(isinf(json_value_number(&large)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_say_what_their_escapes_mean),
        cmocka_unit_test(a_string_without_escapes_is_not_copied),
        cmocka_unit_test(other_kinds_have_no_text),
        cmocka_unit_test(a_value_is_known_by_its_first_character),
        cmocka_unit_test(a_number_ends_where_its_text_ends),
    };
    return cmocka_run_group_tests_name("json_value", tests, NULL, NULL);
}
