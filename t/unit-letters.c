/* Tests how letters are folded, with the cases in t/data/letters.tsv, and with texts that are cut
 * off. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"

static void assert_form(struct text callsign, const char *expected)
{
    char form[CALLSIGN_BYTES_MAX + 1];
    form[letters_of_callsign(callsign, form, CALLSIGN_BYTES_MAX)] = '\0';
    assert_string_equal(form, expected);
}

static void callsigns_have_the_same_form_in_either_case(void **state)
{
    struct arena arena = {0};
    const char *source = getenv("QSOSYNC_SRCDIR");
    FILE *table = fopen(arena_print(&arena, "%s/t/data/letters.tsv", source ? source : "."), "re");
    char line[200];
    int count = 0;
    (void)state;
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        char *form = strchr(line, '\t');
        if (*line == '#')
            continue;
        *form++ = '\0';
        form[strcspn(form, "\n")] = '\0';
        assert_form(text_of(line), form);
        assert_form(text_of(form), form);
        count++;
    }
    assert_true(count > 20);
    fclose(table);
    arena_free(&arena);
}

static void ascii_needs_no_table(void **state)
{
    (void)state;
    assert_form(text_of("21-sd 333.p/m"), "21SD333P/M");
    assert_form(text_of(" -."), "");
    assert_form((struct text){0}, "");
}

/* The cut never splits a character. */
static void a_text_that_is_too_long_is_cut(void **state)
{
    char out[6];
    (void)state;
    assert_int_equal(letters_to_upper(text_of("\xC3\xA4\xC3\xA4\xC3\xA4"), out, 5), 4);
    assert_memory_equal(out, "\xC3\x84\xC3\x84", 4);
    assert_int_equal(letters_to_upper(text_of("abcdef"), out, 5), 5);
    assert_memory_equal(out, "ABCDE", 5);
}

static void invalid_utf8_ends_the_text(void **state)
{
    (void)state;
    assert_form(text_of("\xC3\xA4"
                        "1\xFFx"),
                "\xC3\x84"
                "1");
    assert_form(text_of("1\xC3"), "1");
}

static void lower_case_covers_letters_beyond_ascii(void **state)
{
    struct arena arena = {0};
    (void)state;
    assert_string_equal(letters_to_lower(text_of("21SD333"), &arena).bytes, "21sd333");
    assert_string_equal(letters_to_lower(text_of("\xC3\x84"
                                                 "1X"),
                                         &arena)
                            .bytes,
                        "\xC3\xA4"
                        "1x");
    assert_string_equal(letters_to_lower(text_of(""), &arena).bytes, "");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callsigns_have_the_same_form_in_either_case),
        cmocka_unit_test(ascii_needs_no_table),
        cmocka_unit_test(a_text_that_is_too_long_is_cut),
        cmocka_unit_test(invalid_utf8_ends_the_text),
        cmocka_unit_test(lower_case_covers_letters_beyond_ascii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
