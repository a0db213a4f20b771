/* Tests how control characters and hidden characters are found in texts (src/base/text_visible.c).
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/text_visible.h"
#include "base/text.h"

#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

static const struct text no_text = {NULL, 0};

static void control_characters_are_found(void **state)
{
    (void)state;
    assert_false(text_has_control(no_text));
    assert_false(text_has_control(TEXT("a ~")));
    assert_false(
        text_has_control(TEXT("\xC2\xA0\xC3\x80\xE2\x80\xAE"))); /* U+00A0, U+00C0, U+202E */
    assert_true(text_has_control(TEXT("a\n")));
    assert_true(text_has_control(TEXT("\0")));
    assert_true(text_has_control(TEXT("a\x1F"
                                      "b")));
    assert_true(text_has_control(TEXT("\x7F")));
    assert_true(text_has_control(TEXT("\xC2\x80")));
    assert_true(text_has_control(TEXT("a\xC2\x9F"
                                      "b")));
}

static void hidden_characters_are_found(void **state)
{
    static const char *const hidden[] = {
        "\xD8\x9C",
        "a\xE2\x80\x8B",
        "\xE2\x80\x8E"
        "b",
        "\xE2\x80\x8F",
        "a\xE2\x80\xA8z",
        "\xE2\x80\xAA",
        "\xE2\x80\xAE",
        "\xE2\x81\xA0",
        "a\xE2\x81\xA6"
        "b",
        "\xE2\x81\xA9",
        "\xEF\xBB\xBF",
    };
    static const char *const seen[] = {
        "",
        "a ~",
        "\xD8\x9B",
        "\xD8\x9D",
        "\xE2\x80\x8C\xE2\x80\x8D",
        "\xE2\x80\xA7",
        "\xE2\x80\xAF",
        "\xE2\x81\x9F",
        "\xE2\x82\xAC",
        "\xEF\xBB\xBE",
    };
    (void)state;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        assert_true(text_has_invisible(text_of(hidden[i])));
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        assert_false(text_has_invisible(text_of(seen[i])));
    assert_false(text_has_invisible((struct text){0}));
}

static void invisible_characters_are_replaced(void **state)
{
    char line[] = "a\tb\x1b[31m\x7f \xC2\x9B \xC3\x84 \xD8\x9C \xE2\x80\xAE\xE2\x80\x8D \xC2";
    (void)state;
    text_replace_control(line, sizeof line - 1);
    assert_string_equal(line, "a?b?[31m? ?? \xC3\x84 ?? ???\xE2\x80\x8D \xC2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_are_found),
        cmocka_unit_test(hidden_characters_are_found),
        cmocka_unit_test(invisible_characters_are_replaced),
    };
    return cmocka_run_group_tests_name("visible text", tests, NULL, NULL);
}
