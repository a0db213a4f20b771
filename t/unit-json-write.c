/* Tests that JSON is written so that other programs read the same strings and numbers
 * (src/json/write.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "json/append.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t next_random(void)
{
    static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void assert_holds(const struct buffer *buffer, const char *expected)
{
    if (buffer->length != strlen(expected) || memcmp(buffer->bytes, expected, buffer->length) != 0)
        fail_msg("%.*s, expected %s", (int)buffer->length, buffer->bytes, expected);
}

static void append_escaped_slowly(struct buffer *buffer, const char *bytes, size_t length)
{
    buffer_append_string(buffer, "\"");
    for (size_t i = 0; i < length; i++) {
        static const char named[] = "\"\\\b\f\n\r\t";
        static const char letters[] = "\"\\bfnrt";
        unsigned char byte = (unsigned char)bytes[i];
        const char *name = byte == '\0' ? NULL : strchr(named, byte);
        if (name != NULL)
            buffer_print(buffer, "\\%c", letters[name - named]);
        else if (byte < 0x20)
            buffer_print(buffer, "\\u%04x", byte);
        else
            buffer_append(buffer, &byte, 1);
    }
    buffer_append_string(buffer, "\"");
}

static void assert_escaped(const char *bytes, size_t length)
{
    struct buffer expected = {0};
    struct buffer buffer = {0};
    append_escaped_slowly(&expected, bytes, length);
    json_append_string(&buffer, bytes, length);
    assert_int_equal(buffer.length, expected.length);
    assert_memory_equal(buffer.bytes, expected.bytes, expected.length);
    buffer_free(&expected);
    buffer_free(&buffer);
}

static void json_strings_read_back_as_written(void **state)
{
    static const struct {
        const char *bytes;
        const char *json;
    } cases[] = {
        {"", "\"\""},
        {"21SD333", "\"21SD333\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"back\\slash", "\"back\\\\slash\""},
        {"a/b", "\"a/b\""},
        {"1\n2\r3\t4\b5\f6", "\"1\\n2\\r3\\t4\\b5\\f6\""},
        {"\x01\x1f \x7f", "\"\\u0001\\u001f \x7f\""},
        {"G\xc3\xb6teborg \xf0\x9f\x93\xbb", "\"G\xc3\xb6teborg \xf0\x9f\x93\xbb\""},
    };
    struct buffer buffer = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        buffer_clear(&buffer);
        json_append_string(&buffer, cases[i].bytes, strlen(cases[i].bytes));
        assert_holds(&buffer, cases[i].json);
    }
    buffer_clear(&buffer);
    json_append_string(&buffer, NULL, 0);
    assert_holds(&buffer, "\"\"");
    buffer_clear(&buffer);
    json_append_string(&buffer, "a\0b", 3);
    assert_holds(&buffer, "\"a\\u0000b\"");
    buffer_free(&buffer);
}

static void every_byte_is_escaped_or_kept_at_every_position(void **state)
{
    (void)state;
    for (size_t length = 1; length <= 25; length++) {
        for (size_t place = 0; place < length; place++) {
            for (int byte = 0; byte < 256; byte++) {
                char *bytes = malloc(length); /* of its exact size, for the address sanitizer */
                assert_non_null(bytes);
                memset(bytes, '!', length);
                bytes[place] = (char)byte;
                assert_escaped(bytes, length);
                free(bytes);
            }
        }
    }
}

static void random_bytes_are_escaped_like_single_bytes(void **state)
{
    static const char common[] = "\"\\ \n!#]^\x1f\x20\x21\x7f\x80\x9f\xa2\xdc\xff";
    char bytes[64];
    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t length = (size_t)(next_random() % (sizeof bytes + 1));
        for (size_t i = 0; i < length; i++) {
            uint64_t random = next_random();
            bytes[i] = random % 3 == 0 ? common[(random >> 8) % sizeof common]
                                       : (char)(random >> 8 & 0xFF);
        }
        assert_escaped(bytes, length);
    }
}

static void reals_are_written_with_few_digits(void **state)
{
    static const struct {
        double value;
        const char *json;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {-1.0, "-1"},
        {90.0, "90"},
        {-180.0, "-180"},
        {100.0, "100"},
        {0.1, "0.1"},
        {-0.5, "-0.5"},
        {57.70887, "57.70887"},
        {11.97456, "11.97456"},
        {-0.0000001, "-0.0000001"},
        {0.0000001, "0.0000001"},
        {89.9999999, "89.9999999"},
        {179.99999999, "179.99999999"},
        {0.00000001, "0.00000001"},
        {1e-12, "0.000000000001"},
        {1e-13, "1e-13"},
        {999.999999999999, "999.999999999999"},
        {-1000.0, "-1000"},
        {1000.000000000001, "1000.000000000001"},
        {0.00000123, "0.00000123"},
        {0.0000012345678, "1.2345678e-06"},
        {0.00000012345678, "1.2345678e-07"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {100.0 / 3, "33.333333333333336"},
        {123456.123456789, "123456.123456789"},
        {12345678.12345678, "12345678.12345678"},
        {99999999.9999999, "99999999.9999999"},
        {100000000.0, "100000000"},
        {100000000.5, "100000000.5"},
        {-123456789012345680.0, "-1.2345678901234568e+17"},
        {9007199254740993.0, "9007199254740992"},
        {1e20, "1e+20"},
        {1e21, "1e+21"},
        {1.5e300, "1.5e+300"},
        {5e-324, "4.94065645841247e-324"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {-DBL_MAX, "-1.7976931348623157e+308"},
    };
    struct buffer buffer = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        buffer_clear(&buffer);
        buffer_append_real(&buffer, cases[i].value);
        assert_holds(&buffer, cases[i].json);
    }
    buffer_free(&buffer);
}

static size_t count_digits(const char *number)
{
    size_t count = 0;
    size_t zeros = 0;
    for (const char *at = number; *at != '\0' && *at != 'e'; at++) {
        if (*at == '0' && count > 0) {
            zeros++;
        } else if (*at >= '1' && *at <= '9') {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

/* Asserts that a written number reads back as the same double and is a JSON number. The text must
 * not have more digits than the shortest exact %g of at least 15 digits. */
static void assert_real_survives(double value)
{
    struct buffer buffer = {0};
    char shortest[32];
    int precision = DBL_DIG;
    buffer_append_real(&buffer, value);
    buffer_append(&buffer, "", 1);
    if (strtod(buffer.bytes, NULL) != value)
        fail_msg("%a was written as %s", value, buffer.bytes);
    do {
        (void)snprintf(shortest, sizeof shortest, "%.*g", precision, value);
    } while (strtod(shortest, NULL) != value && ++precision <= 17);
    if (count_digits(buffer.bytes) > count_digits(shortest))
        fail_msg("%a was written as %s, not %s", value, buffer.bytes, shortest);
    const char *at = buffer.bytes + (buffer.bytes[0] == '-');
    size_t whole = strspn(at, "0123456789");
    assert_true(whole == 1 || (whole > 1 && at[0] != '0'));
    at += whole;
    if (*at == '.') {
        size_t decimals = strspn(++at, "0123456789");
        assert_true(decimals >= 1);
        at += decimals;
    }
    if (*at == 'e') {
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        size_t exponent = strspn(at, "0123456789");
        assert_true(exponent >= 1);
        at += exponent;
    }
    assert_int_equal(*at, '\0');
    buffer_free(&buffer);
}

static double power_of_ten(int exponent)
{
    char text[16];
    (void)snprintf(text, sizeof text, "1e%d", exponent);
    return strtod(text, NULL);
}

static void random_coordinates_read_back_as_written(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; i++) {
        double fraction = (double)(next_random() >> 11) / (double)(UINT64_C(1) << 53);
        double coordinate = fraction * 360 - 180;
        assert_real_survives(coordinate);
        double scale = power_of_ten((int)(next_random() % 12));
        assert_real_survives((double)(int64_t)(coordinate * scale) / scale);
    }
}

static void random_doubles_read_back_as_written(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = next_random();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_real_survives(value);
    }
}

static void doubles_around_powers_of_ten_read_back_as_written(void **state)
{
    (void)state;
    for (int exponent = -30; exponent <= 30; exponent++) {
        double power = power_of_ten(exponent);
        uint64_t bits;
        memcpy(&bits, &power, sizeof bits);
        for (uint64_t neighbour = bits - 2; neighbour <= bits + 2; neighbour++) {
            double value;
            memcpy(&value, &neighbour, sizeof value);
            assert_real_survives(value);
            assert_real_survives(-value);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_strings_read_back_as_written),
        cmocka_unit_test(every_byte_is_escaped_or_kept_at_every_position),
        cmocka_unit_test(random_bytes_are_escaped_like_single_bytes),
        cmocka_unit_test(reals_are_written_with_few_digits),
        cmocka_unit_test(random_coordinates_read_back_as_written),
        cmocka_unit_test(random_doubles_read_back_as_written),
        cmocka_unit_test(doubles_around_powers_of_ten_read_back_as_written),
    };
    return cmocka_run_group_tests_name("written JSON", tests, NULL, NULL);
}
