/* Arena and buffer: memory that grows, and the JSON written into it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

/* -- Arena ------------------------------------------------------------------------------------- */

static void allocations_are_aligned_and_do_not_overlap(void **state)
{
    static const size_t sizes[] = {0,     1,     15,    16,    17,    1000,
                                   16384, 16385, 65535, 65536, 65537, 1000000};
    unsigned char *pieces[40 * COUNT(sizes)];
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(pieces); i++) {
        pieces[i] = arena_allocate(&arena, sizes[i % COUNT(sizes)]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], (int)(i & 0xFF), sizes[i % COUNT(sizes)]);
    }
    for (size_t i = 0; i < COUNT(pieces); i++)
        for (size_t at = 0; at < sizes[i % COUNT(sizes)]; at += 997)
            assert_int_equal(pieces[i][at], i & 0xFF);
    arena_free(&arena);
}

static void empty_allocations_differ(void **state)
{
    struct arena arena = {0};
    (void)state;
    assert_ptr_not_equal(arena_allocate(&arena, 0), arena_allocate(&arena, 0));
    arena_free(&arena);
}

static void zeroed_memory_is_zero_even_after_a_reset(void **state)
{
    struct arena arena = {0};
    (void)state;
    memset(arena_allocate(&arena, 5000), 0xFF, 5000);
    arena_reset(&arena);
    const unsigned char *zeroed = arena_allocate_zeroed(&arena, 5000);
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(zeroed[i], 0);
    arena_free(&arena);
}

static void a_reset_keeps_one_chunk_for_the_next_request(void **state)
{
    struct arena arena = {0};
    (void)state;
    void *first = arena_allocate(&arena, 100);
    arena_reset(&arena);
    assert_ptr_equal(arena_allocate(&arena, 100), first);
    arena_free(&arena);
}

static void a_reset_keeps_one_chunk_and_frees_a_large_one(void **state)
{
    struct arena arena = {0};
    (void)state;
    for (int small = 0; small <= 1; small++) {
        for (int i = 0; i < small; i++)
            (void)arena_allocate(&arena, 1);
        (void)arena_allocate(&arena, 8U << 20);
        assert_true(obstack_memory_used(&arena.pieces) > 8 << 20);
        arena_reset(&arena);
        assert_int_equal(obstack_memory_used(&arena.pieces), 64 << 10);
    }
    arena_free(&arena);
}

static void a_reset_or_freed_arena_can_be_used_again(void **state)
{
    struct arena arena = {0};
    (void)state;
    arena_reset(&arena);
    arena_free(&arena);
    assert_string_equal(arena_copy(&arena, "abc", 3), "abc");
    arena_free(&arena);
    assert_null(arena.first);
    assert_string_equal(arena_copy(&arena, "def", 3), "def");
    arena_free(&arena);
}

static void release_next(void *what)
{
    static int last = 2;
    assert_int_equal(*(int *)what, last--);
}

static void an_arena_releases_each_thing_once_and_the_last_first(void **state)
{
    struct arena arena = {0};
    int things[] = {1, 2};
    (void)state;
    arena_add_cleanup(&arena, &things[0], release_next);
    arena_add_cleanup(&arena, &things[1], release_next);
    arena_reset(&arena);
    things[0] = 0;
    arena_add_cleanup(&arena, &things[0], release_next);
    arena_free(&arena);
    arena_free(&arena);
}

static void a_copied_text_ends_with_nul_and_may_contain_nul(void **state)
{
    struct arena arena = {0};
    (void)state;
    assert_memory_equal(arena_copy(&arena, "a\0bcd", 3), "a\0b", 4);
    assert_string_equal(arena_copy(&arena, NULL, 0), "");
    arena_free(&arena);
}

static void printing_allocates_the_memory_it_needs(void **state)
{
    struct arena arena = {0};
    (void)state;
    assert_string_equal(arena_print(&arena, "%s-%d", "JO59jw", 7), "JO59jw-7");
    assert_string_equal(arena_print(&arena, "%s", ""), "");
    assert_int_equal(strlen(arena_print(&arena, "%*d", 200000, 1)), 200000);
    arena_free(&arena);
}

/* -- Buffer ------------------------------------------------------------------------------------ */

static void assert_holds(const struct buffer *buffer, const char *expected)
{
    if (buffer->length != strlen(expected) || memcmp(buffer->bytes, expected, buffer->length) != 0)
        fail_msg("%.*s, expected %s", (int)buffer->length, buffer->bytes, expected);
}

static void appending_to_a_buffer_keeps_its_content(void **state)
{
    struct buffer buffer = {0};
    (void)state;
    for (int i = 0; i < 100000; i++)
        buffer_append(&buffer, (char[]){(char)('a' + i % 26)}, 1);
    assert_int_equal(buffer.length, 100000);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(buffer.bytes[i], 'a' + i % 26);
    buffer_clear(&buffer);
    assert_int_equal(buffer.length, 0);
    assert_true(buffer.capacity >= 100000);
    buffer_free(&buffer);
    assert_null(buffer.bytes);
    buffer_append_string(&buffer, "again");
    assert_holds(&buffer, "again");
    buffer_free(&buffer);
}

static void appending_an_empty_text_is_allowed(void **state)
{
    struct buffer buffer = {0};
    (void)state;
    buffer_append(&buffer, NULL, 0);
    buffer_append_string(&buffer, "");
    buffer_print(&buffer, "%s", "");
    assert_int_equal(buffer.length, 0);
    buffer_free(&buffer);
    buffer_free(&buffer);
}

static void reserved_memory_counts_only_after_the_caller_adds_its_length(void **state)
{
    struct buffer buffer = {0};
    (void)state;
    for (size_t more = 0; more < 3000; more++) {
        char *place = buffer_reserve(&buffer, more);
        assert_non_null(place);
        memset(place, 'x', more);
        assert_int_equal(buffer.length, 0);
    }
    memcpy(buffer_reserve(&buffer, 3), "abc", 3);
    buffer.length += 3;
    assert_holds(&buffer, "abc");
    buffer_free(&buffer);
}

static void print_appends_to_a_buffer(void **state)
{
    struct buffer buffer = {0};
    (void)state;
    buffer_print(&buffer, "%d", 12);
    buffer_print(&buffer, "%s", "ab");
    assert_holds(&buffer, "12ab");
    buffer_print(&buffer, "%*d", 5000, 1);
    assert_int_equal(buffer.length, 5004);
    buffer_free(&buffer);
}

static void integers_are_written_in_full(void **state)
{
    static const int64_t edges[] = {0,         1,
                                    -1,        9,
                                    10,        -10,
                                    99,        100,
                                    INT32_MAX, INT32_MIN,
                                    INT64_MAX, INT64_MAX - 1,
                                    INT64_MIN, INT64_MIN + 1};
    struct buffer buffer = {0};
    char expected[32];
    (void)state;
    for (size_t i = 0; i < COUNT(edges) + 10000; i++) {
        int64_t value =
            i < COUNT(edges) ? edges[i] : (int64_t)next_random() >> (next_random() % 64);
        (void)snprintf(expected, sizeof expected, "%lld", (long long)value);
        buffer_clear(&buffer);
        buffer_append_integer(&buffer, value);
        assert_holds(&buffer, expected);
    }
    buffer_free(&buffer);
}

/* -- JSON strings ------------------------------------------------------------------------------ */

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

/* -- JSON numbers ------------------------------------------------------------------------------ */

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

/* The text reads back as the same double and is a number in the grammar of JSON. It has no more
 * digits than the shortest exact %g of at least 15 digits. */
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

static void a_failed_print_appends_nothing(void **state)
{
    static const wchar_t no_character[] = {0xD800, 0};
    struct arena arena = {0};
    struct buffer buffer = {0};
    (void)state;
    assert_string_equal(arena_print(&arena, "a%lsb", no_character), "");
    buffer_append_string(&buffer, "before");
    buffer_print(&buffer, "a%lsb", no_character);
    assert_int_equal(buffer.length, 6);
    assert_memory_equal(buffer.bytes, "before", 6);
    buffer_free(&buffer);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_and_do_not_overlap),
        cmocka_unit_test(empty_allocations_differ),
        cmocka_unit_test(zeroed_memory_is_zero_even_after_a_reset),
        cmocka_unit_test(a_reset_keeps_one_chunk_for_the_next_request),
        cmocka_unit_test(a_reset_keeps_one_chunk_and_frees_a_large_one),
        cmocka_unit_test(a_reset_or_freed_arena_can_be_used_again),
        cmocka_unit_test(an_arena_releases_each_thing_once_and_the_last_first),
        cmocka_unit_test(a_copied_text_ends_with_nul_and_may_contain_nul),
        cmocka_unit_test(printing_allocates_the_memory_it_needs),
        cmocka_unit_test(appending_to_a_buffer_keeps_its_content),
        cmocka_unit_test(appending_an_empty_text_is_allowed),
        cmocka_unit_test(reserved_memory_counts_only_after_the_caller_adds_its_length),
        cmocka_unit_test(print_appends_to_a_buffer),
        cmocka_unit_test(a_failed_print_appends_nothing),
        cmocka_unit_test(integers_are_written_in_full),
        cmocka_unit_test(json_strings_read_back_as_written),
        cmocka_unit_test(every_byte_is_escaped_or_kept_at_every_position),
        cmocka_unit_test(random_bytes_are_escaped_like_single_bytes),
        cmocka_unit_test(reals_are_written_with_few_digits),
        cmocka_unit_test(random_coordinates_read_back_as_written),
        cmocka_unit_test(random_doubles_read_back_as_written),
        cmocka_unit_test(doubles_around_powers_of_ten_read_back_as_written),
    };
    return cmocka_run_group_tests_name("arena and buffer", tests, NULL, NULL);
}
