/* Tests how the fields of a form are decoded (src/http/form.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/buffer.h"
#include "http/form.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_text(struct text text, const char *expected)
{
    if (!expected) {
        assert_null(text.bytes);
        return;
    }
    assert_non_null(text.bytes);
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.length);
}

#define FIELDS_MAX 16

static void fields_of_a_form_are_decoded(void **state)
{
    struct arena arena = {0};
    struct table form;
    (void)state;
    assert_null(
        form_read(text_of("a=1&b=x+y%2B%26%3D&c&=d&&e=%C3%A5="), FIELDS_MAX, &arena, &form));
    assert_int_equal(form.count, 5);
    assert_text(form_find(&form, "a"), "1");
    assert_text(form_find(&form, "b"), "x y+&=");
    assert_text(form_find(&form, "c"), "");
    assert_text(form_find(&form, ""), "d");
    assert_text(form_find(&form, "e"), "\xC3\xA5=");
    assert_text(form_find(&form, "f"), NULL);
    assert_null(form_read(text_of(""), FIELDS_MAX, &arena, &form));
    assert_int_equal(form.count, 0);
    arena_free(&arena);
}

static void an_invalid_form_is_refused(void **state)
{
    static const char *const cases[] = {"a=%",     "a=%4",  "a=%zz",   "%=a",      "a=%ff",
                                        "a=\xc3&", "a=%00", "a=1&a=1", "a=1&%61=2"};
    struct arena arena = {0};
    struct table form;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!form_read(text_of(cases[i]), FIELDS_MAX, &arena, &form))
            fail_msg("%s was accepted", cases[i]);
    struct buffer many = {0};
    for (int i = 0; i <= FIELDS_MAX; i++)
        buffer_print(&many, "f%d=&", i);
    assert_non_null(form_read((struct text){many.bytes, many.length}, FIELDS_MAX, &arena, &form));
    buffer_free(&many);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_a_form_are_decoded),
        cmocka_unit_test(an_invalid_form_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
