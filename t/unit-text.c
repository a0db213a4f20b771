/* Tests how texts are trimmed, compared and converted (src/base/text.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/text_hash.h"
#include "base/text_hex.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

static const struct text no_text = {NULL, 0};

static size_t encode(uint32_t code_point, char *out)
{
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        out[0] = (char)(0xE0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (code_point >> 18 & 0x07));
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}

static bool is_expected_space(uint32_t code_point)
{
    static const uint32_t spaces[] = {0x20,   0x85,   0xA0,   0x1680, 0x2028,
                                      0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF};
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (code_point == spaces[i])
            return true;
    return (code_point >= 0x09 && code_point <= 0x0D) ||
           (code_point >= 0x2000 && code_point <= 0x200A);
}

static void exactly_white_space_and_the_byte_order_mark_are_trimmed(void **state)
{
    (void)state;
    for (uint32_t code_point = 0; code_point < 0x110000; code_point++) {
        char bytes[9];
        if (code_point >= 0xD800 && code_point <= 0xDFFF)
            continue;
        size_t length = encode(code_point, bytes);
        bytes[length] = 'a';
        memcpy(bytes + length + 1, bytes, length);
        struct text trimmed = text_trim((struct text){bytes, 2 * length + 1});
        size_t expected = is_expected_space(code_point) ? 1 : 2 * length + 1;
        if (trimmed.length != expected)
            fail_msg("U+%04X", (unsigned)code_point);
    }
}

static void trimming_takes_both_ends_and_leaves_the_middle(void **state)
{
    static const struct {
        const char *bytes;
        const char *trimmed;
    } cases[] = {
        {"", ""},
        {"a", "a"},
        {" ", ""},
        {" \t\r\n\v\f ", ""},
        {"  a b  ", "a b"},
        {"\xc2\xa0\xe2\x80\x83\xe3\x80\x80", ""},
        {"\xef\xbb\xbf\xc2\x85name\xe2\x80\xa8\n", "name"},
        {" \xc3\xa5 ", "\xc3\xa5"},
        /* a zero width space is not white space */
        {"\xe2\x80\x8bx\xe2\x80\x8b", "\xe2\x80\x8bx\xe2\x80\x8b"},
        {"a\xa0", "a\xa0"}, /* half a character */
        {"\xe2\x80", "\xe2\x80"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text trimmed = text_trim(text_of(cases[i].bytes));
        if (trimmed.length != strlen(cases[i].trimmed) ||
            memcmp(trimmed.bytes, cases[i].trimmed, trimmed.length) != 0)
            fail_msg("case %zu became %.*s", i, (int)trimmed.length, trimmed.bytes);
    }
    assert_null(text_trim(no_text).bytes);
    assert_int_equal(text_trim(TEXT(" \0 ")).length, 1);
}

static void texts_are_compared_byte_for_byte(void **state)
{
    (void)state;
    assert_true(text_equals(TEXT("abc"), TEXT("abc")));
    assert_true(text_equals(TEXT("a\0b"), TEXT("a\0b")));
    assert_true(text_equals(TEXT(""), TEXT("")));
    assert_true(text_equals(no_text, no_text));
    assert_false(text_equals(TEXT("a\0b"), TEXT("a\0c")));
    assert_false(text_equals(TEXT("abc"), TEXT("abd")));
    assert_false(text_equals(TEXT("abc"), TEXT("ab")));
    assert_false(text_equals(TEXT("abc"), TEXT("ABC")));
    assert_false(text_equals(TEXT(""), no_text));
    assert_false(text_equals(no_text, TEXT("")));
}

static void only_ascii_letters_compare_without_case(void **state)
{
    (void)state;
    assert_true(text_equals_ignoring_case(TEXT("Bearer"), "bEARER"));
    assert_true(text_equals_ignoring_case(TEXT(""), ""));
    assert_true(text_equals_ignoring_case(no_text, NULL));
    assert_false(text_equals_ignoring_case(no_text, ""));
    assert_false(text_equals_ignoring_case(TEXT(""), NULL));
    assert_false(text_equals_ignoring_case(TEXT("Bearer"), "Bearer "));
    assert_false(text_equals_ignoring_case(TEXT("Bear\0r"), "Bear"));
    assert_false(text_equals_ignoring_case(TEXT("@[`{"), "`{@["));
    assert_false(text_equals_ignoring_case(TEXT("\xc3\xa5"), "\xc3\x85"));
}

static void only_ascii_letters_get_upper_case(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        char in = (char)byte;
        char out = '#';
        text_to_upper((struct text){&in, 1}, &out);
        assert_int_equal(out, byte >= 'a' && byte <= 'z' ? (char)(byte - 32) : in);
    }
    char in_place[] = "21sd333/p";
    text_to_upper(text_of(in_place), in_place);
    assert_string_equal(in_place, "21SD333/P");
}

static void a_nul_is_found_at_any_position(void **state)
{
    (void)state;
    assert_false(text_has_nul(no_text));
    assert_false(text_has_nul(TEXT("")));
    assert_false(text_has_nul(TEXT("abc")));
    assert_true(text_has_nul(TEXT("\0abc")));
    assert_true(text_has_nul(TEXT("abc\0")));
}

static void a_missing_string_is_not_a_text(void **state)
{
    (void)state;
    assert_null(text_of(NULL).bytes);
    assert_int_equal(text_of(NULL).length, 0);
    assert_non_null(text_of("").bytes);
}

static void percent_encoding_is_decoded(void **state)
{
    static const struct {
        const char *in;
        const char *out; /* NULL: refused */
    } cases[] = {
        {"", ""},       {"abc", "abc"},         {"a%20b", "a b"}, {"%2B%2b", "++"},
        {"a+b", "a+b"}, {"%c3%B6", "\xc3\xb6"}, {"%2541", "%41"}, {"%25", "%"},
        {"%", NULL},    {"%2", NULL},           {"a%", NULL},     {"%zz", NULL},
        {"%2g", NULL},  {"%g2", NULL},          {"%%41", NULL},   {"% 1", NULL},
        {"%+1", NULL},  {"%0x", NULL},          {"%/0", NULL},    {"%:0", NULL},
        {"%@0", NULL},  {"%G0", NULL},          {"%`0", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char out[16];
        size_t length = 99;
        bool is_accepted = text_percent_decode(text_of(cases[i].in), out, &length);
        if (is_accepted != (cases[i].out != NULL) ||
            (is_accepted &&
             (length != strlen(cases[i].out) || memcmp(out, cases[i].out, length) != 0)))
            fail_msg("%s", cases[i].in);
        if (!is_accepted)
            assert_int_equal(length, 99);
    }
}

static void every_byte_can_be_decoded(void **state)
{
    static const char upper[] = "0123456789ABCDEF";
    static const char lower[] = "0123456789abcdef";
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        const char in[6] = {'%', upper[byte / 16], lower[byte % 16],
                            '%', lower[byte / 16], upper[byte % 16]};
        char out[6];
        size_t length = 0;
        assert_true(text_percent_decode((struct text){in, sizeof in}, out, &length));
        assert_int_equal(length, 2);
        assert_int_equal((unsigned char)out[0], byte);
        assert_int_equal((unsigned char)out[1], byte);
    }
}

static void integers_are_parsed_within_bounds(void **state)
{
    static const struct {
        const char *text;
        int64_t minimum;
        int64_t maximum;
        bool is_accepted;
        int64_t value;
    } cases[] = {
        {"1", 1, 500, true, 1},
        {"500", 1, 500, true, 500},
        {"0", 1, 500, false, 0},
        {"501", 1, 500, false, 0},
        {"-1", 1, 500, false, 0},
        {"+7", 1, 500, false, 0},
        {"007", 1, 500, true, 7},
        {"-0", 0, 0, true, 0},
        {"-5", -5, 5, true, -5},
        {"-6", -5, 5, false, 0},
        {"9223372036854775807", INT64_MIN, INT64_MAX, true, INT64_MAX},
        {"9223372036854775808", INT64_MIN, INT64_MAX, false, 0},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, false, 0},
        {"99999999999999999999999999", INT64_MIN, INT64_MAX, false, 0},
        {"18446744073709551617", INT64_MIN, INT64_MAX, false, 0},
        {"", INT64_MIN, INT64_MAX, false, 0},
        {"-", INT64_MIN, INT64_MAX, false, 0},
        {"+", INT64_MIN, INT64_MAX, false, 0},
        {"+-1", INT64_MIN, INT64_MAX, false, 0},
        {"--1", INT64_MIN, INT64_MAX, false, 0},
        {" 1", INT64_MIN, INT64_MAX, false, 0},
        {"1 ", INT64_MIN, INT64_MAX, false, 0},
        {"1.0", INT64_MIN, INT64_MAX, false, 0},
        {"1e2", INT64_MIN, INT64_MAX, false, 0},
        {"0x10", INT64_MIN, INT64_MAX, false, 0},
        {"1_000", INT64_MIN, INT64_MAX, false, 0},
        {"/", INT64_MIN, INT64_MAX, false, 0},
        {":", INT64_MIN, INT64_MAX, false, 0},
        {"\xd9\xa1", INT64_MIN, INT64_MAX, false, 0},
    };
    int64_t value = 42;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        value = 42;
        bool is_accepted =
            text_parse_integer(text_of(cases[i].text), cases[i].minimum, cases[i].maximum, &value);
        if (is_accepted != cases[i].is_accepted || value != (is_accepted ? cases[i].value : 42))
            fail_msg("%s was read as %lld", cases[i].text, (long long)value);
    }
    assert_false(text_parse_integer(no_text, INT64_MIN, INT64_MAX, &value));
    assert_false(text_parse_integer(TEXT("1\0"), INT64_MIN, INT64_MAX, &value));
}

/* Tests the reference values of FNV-1a. Hashing pieces gives the same value as hashing the whole
 * text. */
static void the_hash_is_fnv_1a(void **state)
{
    (void)state;
    assert_true(text_hash(TEXT_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(text_hash(TEXT_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(text_hash(TEXT_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(text_hash(text_hash(TEXT_HASH_START, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_white_space_and_the_byte_order_mark_are_trimmed),
        cmocka_unit_test(trimming_takes_both_ends_and_leaves_the_middle),
        cmocka_unit_test(texts_are_compared_byte_for_byte),
        cmocka_unit_test(only_ascii_letters_compare_without_case),
        cmocka_unit_test(only_ascii_letters_get_upper_case),
        cmocka_unit_test(a_nul_is_found_at_any_position),
        cmocka_unit_test(a_missing_string_is_not_a_text),
        cmocka_unit_test(percent_encoding_is_decoded),
        cmocka_unit_test(every_byte_can_be_decoded),
        cmocka_unit_test(integers_are_parsed_within_bounds),
        cmocka_unit_test(the_hash_is_fnv_1a),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
