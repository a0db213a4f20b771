/* Fills values into members' templates: no value can end a string, a header or a form's field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alerts/template.h"

static struct arena arena;

static const char *fill(const char *pattern, const char *value, enum template_place place)
{
    const struct template_values values = {.title = {value, __builtin_strlen(value)},
                                           .text = {"{title}", 7}};
    return template_fill((struct text){pattern, __builtin_strlen(pattern)}, &values, place, &arena)
        .bytes;
}

static void values_are_escaped_for_their_place(void **state)
{
    (void)state;
    assert_string_equal(fill("{\"a\": \"{title}\"}", "a\"b\\c\nd", TEMPLATE_JSON),
                        "{\"a\": \"a\\\"b\\\\c\\u000ad\"}");
    assert_string_equal(fill("a={title}&b=1", "x&y=z /\xC3\xA4", TEMPLATE_URL),
                        "a=x%26y%3Dz%20%2F%C3%A4&b=1");
    assert_string_equal(fill("Title: {title}", "a\r\nX: b \xC3\xA4", TEMPLATE_HEADER),
                        "Title: a??X: b ?");
    assert_string_equal(fill("<{title}>", "a\"b", TEMPLATE_PLAIN), "<a\"b>");
    arena_free(&arena);
}

static void only_known_names_are_replaced_and_only_once(void **state)
{
    (void)state;
    assert_string_equal(fill("{other} {title", "x", TEMPLATE_PLAIN), "{other} {title");
    assert_string_equal(fill("{text}", "x", TEMPLATE_PLAIN), "{title}");
    assert_string_equal(fill("", "x", TEMPLATE_PLAIN), "");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_escaped_for_their_place),
        cmocka_unit_test(only_known_names_are_replaced_and_only_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
