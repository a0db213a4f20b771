/* Tests the arena, which allocates memory for one request (src/base/arena.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

static void a_reset_keeps_one_chunk_and_frees_a_large_chunk(void **state)
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

static void a_copied_text_ends_with_nul_and_can_contain_nul(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_and_do_not_overlap),
        cmocka_unit_test(empty_allocations_differ),
        cmocka_unit_test(zeroed_memory_is_zero_even_after_a_reset),
        cmocka_unit_test(a_reset_keeps_one_chunk_for_the_next_request),
        cmocka_unit_test(a_reset_keeps_one_chunk_and_frees_a_large_chunk),
        cmocka_unit_test(a_reset_or_freed_arena_can_be_used_again),
        cmocka_unit_test(an_arena_releases_each_thing_once_and_the_last_first),
        cmocka_unit_test(a_copied_text_ends_with_nul_and_can_contain_nul),
        cmocka_unit_test(printing_allocates_the_memory_it_needs),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
