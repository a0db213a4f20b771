/* Tests how a text is folded for a search (src/qso/fold.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "qso/fold.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

static void a_folded_text_has_neither_case_nor_accents(void **state)
{
    (void)state;
    static const struct {
        const char *text, *folded;
    } cases[] = {{"Plain ASCII, 59+", "plain ascii, 59+"},
                 {"Z\u00dcRICH", "zurich"},
                 {"zu\u0308rich", "zurich"},
                 {"STRA\u00dfE", "strasse"},
                 {"\u212bngstr\u00f6m", "angstrom"},
                 {"\u0130", "i"},
                 {"\u03a3\u03c2", "\u03c3\u03c3"},
                 {"\u041f\u0440", "\u043f\u0440"},
                 {"\U0001f600\u202e", "\U0001f600\u202e"},
                 {"", ""},
                 {"\u0301", ""},
                 {"ab\xff", "ab"}};
    struct buffer folded = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fold_text(text_of(cases[i].text), &folded);
        assert_int_equal(folded.length, strlen(cases[i].folded));
        assert_memory_equal(folded.bytes ? folded.bytes : "", cases[i].folded, folded.length);
    }
    char longest[1000];
    memset(longest, 'X', sizeof longest);
    longest[sizeof longest - 1] = 'Y';
    fold_text((struct text){longest, sizeof longest}, &folded);
    assert_int_equal(folded.length, sizeof longest);
    assert_true(fold_holds(&folded, TEXT("xy")) && !fold_holds(&folded, TEXT("yx")));
    buffer_free(&folded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folded_text_has_neither_case_nor_accents),
    };
    return cmocka_run_group_tests_name("folded text", tests, NULL, NULL);
}
