/* Tests how UTF-8 is checked, and counted in code points (src/base/text_utf8.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/text_utf8.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* Returns whether two bytes are UTF-8, by the table in RFC 3629, section 4. */
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
        /* The fault can be at any place in a text. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_but_the_surrogates_is_utf8),
        cmocka_unit_test(exactly_the_utf8_among_pairs_and_triples_of_bytes_is_accepted),
        cmocka_unit_test(malformed_utf8_is_found),
        cmocka_unit_test(well_formed_utf8_is_counted_in_code_points),
    };
    return cmocka_run_group_tests_name("UTF-8", tests, NULL, NULL);
}
