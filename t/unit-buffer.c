/* Tests the buffer, which grows while text is appended (src/base/buffer.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/buffer.h"

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
        cmocka_unit_test(appending_to_a_buffer_keeps_its_content),
        cmocka_unit_test(appending_an_empty_text_is_allowed),
        cmocka_unit_test(reserved_memory_counts_only_after_the_caller_adds_its_length),
        cmocka_unit_test(print_appends_to_a_buffer),
        cmocka_unit_test(a_failed_print_appends_nothing),
        cmocka_unit_test(integers_are_written_in_full),
    };
    return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
