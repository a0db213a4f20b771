/* Tests reading JSON from outside: texts that only json-c accepts are refused, and values that
 * json-c changes arrive as they were sent. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit-json.h"
#include "json/list.h"
#include "json/read.h"
#include "json/scan.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int find_x(struct text name)
{
    return text_equals(name, text_of("x")) ? 0 : -1;
}

static const struct json_list_plan plan = {
    .list = "list", .elements_max = 100, .fields_max = 1, .find = find_x};

static bool read_list(struct text body, struct json_list *list, const char **message)
{
    const struct json_fields *object = json_read_object(body, &widest, &arena, message);
    if (object)
        json_list_of(object, &plan, &arena, list);
    return object != NULL;
}

/* Returns the message of a refusal, or NULL if the text is accepted. */
static const char *refusal_of(const char *json)
{
    const char *message;
    const struct json_fields *object = json_read_object(text_of(json), &widest, &arena, &message);
    assert_true((object == NULL) == (message != NULL));
    return message;
}

/* Reads this JSON text as the value of a field in an object of a list, and returns the value. */
static struct json_value value_of(const char *json)
{
    const char *body = arena_print(&arena, "{\"list\":[{\"x\":%s}]}", json), *message;
    struct json_list list;
    if (!read_list(text_of(body), &list, &message))
        fail_msg("%s %s", json, message);
    assert_true(list.is_array && list.count == 1);
    return list.elements[0][0];
}

static void strings_contain_their_decoded_escapes(void **state)
{
    static const struct {
        const char *written;
        const char *meant;
        size_t length;
        const char *lost;
    } cases[] = {
        {"", "", 0, NULL},
        {"plain", "plain", 5, NULL},
        {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 8, NULL},
        {"a\\u0041b", "aAb", 3, NULL},
        {"\\u007f\\u0080", "\x7f\xc2\x80", 3, NULL},
        {"\\u07FF\\u0800", "\xdf\xbf\xe0\xa0\x80", 5, NULL},
        {"\\uFFFF", "\xef\xbf\xbf", 3, NULL},
        {"\\uD800\\uDC00", "\xf0\x90\x80\x80", 4, NULL},
        {"\\udbff\\udfff", "\xf4\x8f\xbf\xbf", 4, NULL},
        {"\\\\u0041", "\\u0041", 6, NULL},
        {"\\u0000", "\0", 1, "0000"},
        {"x\\ud83dy", "x\0y", 3, "d83d"},
        {"\\udC00", "\0", 1, "dC00"},
        {"\\ud83d\\ud83d\\ude00", "\0\xf0\x9f\x98\x80", 5, "d83d"},
        {"\\uD83D\\n\\u0000", "\0\n\0", 3, "D83D0000"},
        {"\\ud83d\\u0041", "\0A", 2, "d83d"},
        {"\\u00000000",
         "\0"
         "0000",
         5, "0000"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_value value = value_of(arena_print(&arena, "\"%s\"", cases[i].written));
        assert_int_equal(value.kind, JSON_STRING);
        if (value.text.length != cases[i].length ||
            memcmp(value.text.bytes, cases[i].meant, value.text.length) != 0)
            fail_msg("%s does not read as its decoded text", cases[i].written);
        assert_true((value.lost != NULL) == (cases[i].lost != NULL));
        if (value.lost)
            assert_memory_equal(value.lost, cases[i].lost, strlen(cases[i].lost));
    }
}

static void texts_that_only_json_c_accepts_are_refused(void **state)
{
    static const char *const laxities[] = {
        "{\"a\":-01}",
        "{\"a\":-012}",
        "{\"a\":2.}",
        "{\"a\":-2.}",
        "{\"a\":0.e1}",
        "{\"a\":2.e3}",
        "{\"a\":2.e+3}",
        "{\"a\":2.e-3}",
        "{\"a\":-.123}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":-Infinity}",
        "{'a':0}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\t\"}",
        "{\"a\":1,}",
        "{\"a\":1 , }",
        "{\"a\":[1,]}",
        "{\"a\":[1,],\"b\":2}",
        "{,}",
        "{\"a\":[,1]}",
        "{\"a\":1,,\"b\":2}",
        "{\"a\":True}",
        "{\"a\":1}{}",
        "{\"a\":1} 2",
        "{\"a\":1},",
        "{\"a\":1}]",
        "{\"a\":1} /* */",
        "{\"a\":1,/* */\"b\":2}",
    };
    const char *message;
    (void)state;
    for (size_t i = 0; i < COUNT(laxities); i++)
        if (!refusal_of(laxities[i]))
            fail_msg("%s is accepted", laxities[i]);
    for (char control = 1; control < 0x20; control++)
        assert_string_equal(refusal_of(arena_print(&arena, "{\"%c\":1}", control)),
                            "contains a control character inside a string");
    assert_null(json_read_object((struct text){"{\"a\":1}\0", 8}, &widest, &arena, &message));
    assert_string_equal(message, "is not well-formed JSON");
}

static void numbers_are_checked_as_they_were_sent(void **state)
{
    static const struct {
        const char *written;
        enum json_kind kind;
        int64_t integer;
        double real;
    } cases[] = {
        {"0", JSON_INTEGER, 0, 0},
        {"-0", JSON_INTEGER, 0, 0},
        {"-5", JSON_INTEGER, -5, 0},
        {"999999999999999999", JSON_INTEGER, 999999999999999999, 0},
        {"1234567890123456789", JSON_REAL, 0, 1234567890123456789.0},
        {"-9223372036854775809", JSON_REAL, 0, -9223372036854775808.0},
        {"18446744073709551616", JSON_REAL, 0, 18446744073709551616.0},
        {"123456789012345678901234567890", JSON_REAL, 0, 123456789012345678901234567890.0},
        {"5.0", JSON_REAL, 0, 5},
        {"1E2", JSON_REAL, 0, 100},
        {"-12.5e1", JSON_REAL, 0, -125},
        {"1e999", JSON_REAL, 0, INFINITY},
        {"-1e-999", JSON_REAL, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_value value = value_of(cases[i].written);
        if (value.kind != cases[i].kind ||
            (value.kind == JSON_INTEGER ? value.integer != cases[i].integer
                                        : value.real != cases[i].real))
            fail_msg("%s is another number", cases[i].written);
    }
}

static void a_name_with_a_nul_matches_no_field(void **state)
{
    static const char *const names[] = {"x\\u0000", "x\\u0000b", "\\u0000x", "x\\ud800", "?"};
    const char *message;
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *body = arena_print(&arena, "{\"%s\" :\"y\\u0000\",\"y\":1}", names[i]);
        const struct json_fields *object =
            json_read_object(text_of(body), &widest, &arena, &message);
        assert_non_null(object);
        assert_false(json_has(object, "x"));
        assert_true(json_has(object, "y"));
    }
}

static void the_last_field_with_a_duplicate_name_counts(void **state)
{
    const char *message;
    int64_t count;
    (void)state;
    const struct json_fields *object =
        json_read_object(text_of("{\"a\":\"x\",\"b\":{\"c\":1,\"c\":2},\"a\":\"\",\"a\":7}"),
                         &widest, &arena, &message);
    assert_non_null(object);
    assert_null(json_read_text(object, "a").bytes);
    assert_true(json_read_count(object, "a", &count) && count == 7);
}

static void names_values_and_nesting_have_bounds(void **state)
{
    static const struct {
        const char *piece;
        int items;
    } cases[] = {{"1", 1}, {"\"\"", 1}, {"{}", 1}, {"[]", 1}, {"{\"\":null}", 3}};
    const char *message;
    struct json_list list;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int most = (JSON_ITEMS_MAX - 3) /
                   cases[i].items; /* the surrounding object, name and list also count */
        assert_true(read_list(list_of(cases[i].piece, most), &list, &message));
        assert_int_equal(list.count, most);
        assert_false(read_list(list_of(cases[i].piece, most + 1), &list, &message));
        assert_string_equal(message, "contains too many names and values");
        arena_reset(&arena);
    }
    char deep[2 * JSON_NESTING_MAX + 10];
    for (int depth = JSON_NESTING_MAX; depth <= JSON_NESTING_MAX + 1; depth++) {
        char *at = stpcpy(deep, "{\"a\":");
        memset(at, '[', (size_t)depth - 1);
        at[depth - 1] = '1';
        memset(at + depth, ']', (size_t)depth - 1);
        strcpy(at + 2 * depth - 1, "}");
        assert_true((refusal_of(deep) == NULL) == (depth == JSON_NESTING_MAX));
    }
}

/* Returns the message of a refusal, or NULL if the text is read within these bounds. */
static const char *refusal_within(const struct json_bounds *bounds, const char *json)
{
    const char *message;
    return json_read_object(text_of(json), bounds, &arena, &message) ? NULL : message;
}

static void reading_stops_at_the_callers_bounds(void **state)
{
    static const struct json_bounds four = {.items_max = 4}, lists = {.items_max = 100,
                                                                      .lists = {"list", "other"},
                                                                      .elements_max = 2};
    (void)state;
    assert_null(refusal_within(&four, "{\"a\":[1]}"));
    assert_null(refusal_within(&four, "{\"\\u0061\":[1]}"));
    assert_string_equal(refusal_within(&four, "{\"a\":[1,2]}"),
                        "contains too many names and values");
    assert_string_equal(refusal_within(&four, "{\"a\":[1,2 and what follows is not looked at"),
                        "contains too many names and values");
    static const char *const short_ones[] = {"{\"list\":[1,{\"a\":[1,2,3]}]}",
                                             "{\"list\":[[1,2,3],{}],\"other\":[1,2]}",
                                             "{\"x\":[1,2,3]}",
                                             "{\"x\":{\"list\":[1,2,3]}}",
                                             "{\"list\":{\"a\":[1,2,3]}}",
                                             "{\"list\":1,\"x\":[1,2,3]}",
                                             "{\"list\":\"other\",\"x\":[1,2,3]}"};
    static const char *const long_ones[] = {"{\"list\":[1,2,3]}", "{ \"list\" : [ {}, \"\", [] ] }",
                                            "{\"list\":[1,2],\"other\":[1,2,3]}",
                                            "{\"l\\u0069st\":[1,2,3]}",
                                            "{\"list\":[1,[],{} and what follows is not looked at"};
    for (size_t i = 0; i < COUNT(short_ones); i++)
        if (refusal_within(&lists, short_ones[i]))
            fail_msg("%s is refused", short_ones[i]);
    for (size_t i = 0; i < COUNT(long_ones); i++)
        if (refusal_within(&lists, long_ones[i]) != json_list_too_long)
            fail_msg("%s is not a list that is too long", long_ones[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_contain_their_decoded_escapes),
        cmocka_unit_test(texts_that_only_json_c_accepts_are_refused),
        cmocka_unit_test(numbers_are_checked_as_they_were_sent),
        cmocka_unit_test(a_name_with_a_nul_matches_no_field),
        cmocka_unit_test(the_last_field_with_a_duplicate_name_counts),
        cmocka_unit_test(names_values_and_nesting_have_bounds),
        cmocka_unit_test(reading_stops_at_the_callers_bounds),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, free_arena);
}
