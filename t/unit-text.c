/* Text: UTF-8, code points, trimming, comparing, percent signs, integers. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/text_hash.h"
#include "base/text_hex.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/fold.h"
#include "base/format.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

static const struct text no_text = {NULL, 0};

/* -- UTF-8 ------------------------------------------------------------------------------------- */

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

/* Checks a copy of the exact size, for the address sanitizer. */
static bool is_utf8(const char *bytes, size_t length)
{
    char *copy = malloc(length + (length == 0));
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    bool answer = text_is_utf8(copy, length);
    free(copy);
    return answer;
}

static void every_code_point_but_the_surrogates_is_utf8(void **state)
{
    (void)state;
    for (uint32_t code_point = 0; code_point < 0x110000 + 0x1000; code_point++) {
        char bytes[4];
        size_t length = encode(code_point, bytes);
        bool is_expected = code_point < 0x110000 && (code_point < 0xD800 || code_point > 0xDFFF);
        if (text_is_utf8(bytes, length) != is_expected)
            fail_msg("U+%04X", (unsigned)code_point);
        if (is_expected)
            assert_int_equal(text_count_code_points((struct text){bytes, length}), 1);
    }
}

/* The table of RFC 3629, section 4, written a second time. */
static bool is_expected_pair(int first, int second)
{
    bool first_is_ascii = first < 0x80;
    return first_is_ascii ? second < 0x80
                          : first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
}

static void exactly_the_utf8_among_pairs_and_triples_of_bytes_is_accepted(void **state)
{
    (void)state;
    for (int first = 0; first < 256; first++) {
        for (int second = 0; second < 256; second++) {
            char bytes[3] = {(char)first, (char)second, 0};
            if (text_is_utf8(bytes, 2) != is_expected_pair(first, second))
                fail_msg("%02X %02X", (unsigned)first, (unsigned)second);
            if (first < 0xE0)
                continue;
            for (int third = 0; third < 256; third++) {
                bytes[2] = (char)third;
                bool is_expected = first <= 0xEF && second >= (first == 0xE0 ? 0xA0 : 0x80) &&
                                   second <= (first == 0xED ? 0x9F : 0xBF) && third >= 0x80 &&
                                   third <= 0xBF;
                if (text_is_utf8(bytes, 3) != is_expected)
                    fail_msg("%02X %02X %02X", (unsigned)first, (unsigned)second, (unsigned)third);
            }
        }
    }
}

static void malformed_utf8_is_found(void **state)
{
    static const char *const cases[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc2",
        "\xc2 ",
        "\xe0\x9f\xbf",
        "\xe2\x82",
        "\xe2\x82 ",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xf0\x9f\x93",
        "\xf0\x9f\x93 ",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80\x80",
        "\xfe",
        "\xff",
        "\xc3\xb6\xb6",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        /* Tests every place around the eight bytes that are read at a time. */
        for (size_t before = 0; before <= 17; before++) {
            for (size_t after = 0; after <= 17; after++) {
                char bytes[64];
                size_t length = strlen(cases[i]);
                memset(bytes, 'a', sizeof bytes);
                memcpy(bytes + before, cases[i], length);
                if (is_utf8(bytes, before + length + after))
                    fail_msg("case %zu, %zu before, %zu after", i, before, after);
            }
        }
    }
}

static void well_formed_utf8_is_counted_in_code_points(void **state)
{
    static const struct {
        const char *bytes;
        size_t count;
    } cases[] = {
        {"", 0},
        {"21SD333", 7},
        {"G\xc3\xb6teborg", 8},
        {"\xe2\x82\xac", 1},
        {"\xf0\x9f\x93\xbb radio \xf0\x9f\x93\xbb", 9},
        {"a\xcc\x8a", 2}, /* a letter and its combining ring are two code points */
        {"\xef\xbf\xbf\xf4\x8f\xbf\xbf", 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(is_utf8(cases[i].bytes, strlen(cases[i].bytes)));
        assert_int_equal(text_count_code_points(text_of(cases[i].bytes)), cases[i].count);
    }
    assert_true(text_is_utf8(NULL, 0));
    assert_int_equal(text_count_code_points(no_text), 0);
    assert_true(is_utf8("a\0b", 3));
}

/* -- Trimming ---------------------------------------------------------------------------------- */

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

/* -- Comparing --------------------------------------------------------------------------------- */

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

static void invisible_characters_are_hidden(void **state)
{
    char line[] = "a\tb\x1b[31m\x7f \xC2\x9B \xC3\x84 \xD8\x9C \xE2\x80\xAE\xE2\x80\x8D \xC2";
    (void)state;
    text_replace_control(line, sizeof line - 1);
    assert_string_equal(line, "a?b?[31m? ?? \xC3\x84 ?? ???\xE2\x80\x8D \xC2");
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

/* -- Converting -------------------------------------------------------------------------------- */

static void percent_signs_are_decoded(void **state)
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

/* The reference values of FNV-1a; hashing pieces gives the same value as hashing the whole. */
static void the_hash_is_fnv_1a(void **state)
{
    (void)state;
    assert_true(text_hash(TEXT_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(text_hash(TEXT_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(text_hash(TEXT_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(text_hash(text_hash(TEXT_HASH_START, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
}

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

/* -- Arrays of a fixed size -------------------------------------------------------------------- */

static void a_printed_text_never_exceeds_its_array(void **state)
{
    (void)state;
    for (size_t size = 1; size < 8; size++) {
        char *out = malloc(size); /* for the address sanitizer */
        const size_t length = format_cut(out, size, "%s", "four");
        assert_int_equal(length, size > 4 ? 4 : size - 1);
        assert_int_equal(strlen(out), length);
        assert_memory_equal(out, "four", length);
        assert_int_equal(format_whole(out, size, "%s", "four"), size > 4);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_but_the_surrogates_is_utf8),
        cmocka_unit_test(exactly_the_utf8_among_pairs_and_triples_of_bytes_is_accepted),
        cmocka_unit_test(malformed_utf8_is_found),
        cmocka_unit_test(well_formed_utf8_is_counted_in_code_points),
        cmocka_unit_test(exactly_white_space_and_the_byte_order_mark_are_trimmed),
        cmocka_unit_test(trimming_takes_both_ends_and_leaves_the_middle),
        cmocka_unit_test(texts_are_compared_byte_for_byte),
        cmocka_unit_test(only_ascii_letters_compare_without_case),
        cmocka_unit_test(only_ascii_letters_get_upper_case),
        cmocka_unit_test(control_characters_are_found),
        cmocka_unit_test(hidden_characters_are_found),
        cmocka_unit_test(invisible_characters_are_hidden),
        cmocka_unit_test(a_nul_is_found_at_any_position),
        cmocka_unit_test(a_missing_string_is_not_a_text),
        cmocka_unit_test(percent_signs_are_decoded),
        cmocka_unit_test(every_byte_can_be_decoded),
        cmocka_unit_test(integers_are_parsed_within_bounds),
        cmocka_unit_test(a_printed_text_never_exceeds_its_array),
        cmocka_unit_test(the_hash_is_fnv_1a),
        cmocka_unit_test(a_folded_text_has_neither_case_nor_accents),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
