/* Tests that the work of a table is proportional to the number of its keys, whatever UUIDs a client
 * chooses. Eight times as many keys take at most twelve times as many comparisons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/uuid.h"

static int64_t comparisons;

static int counted_compare(struct text one, struct text other)
{
    comparisons++;
    return text_compare(one, other);
}

/* The table is included, so that its comparisons can be counted. */
#define text_compare counted_compare
#include "base/table.c"
#include "base/text_hash.h"
#undef text_compare

#define SMALL 2048
#define LARGE (8 * SMALL)
#define FACTOR_MAX 12
#define COLLIDING_BITS 10 /* low bits that are 0 in the hashes of all chosen UUIDs */

static unsigned char chosen[LARGE][UUID_BYTES];

static uint32_t *number_of(struct table *table, const void *uuid)
{
    return table_at(table, (struct text){uuid, UUID_BYTES});
}

/* Fills one table, and then a second table in the order in which the first table lists its content.
 */
static void fill_twice(size_t count)
{
    struct arena arena = {0};
    struct table table, again;
    table_begin(&table, &arena, sizeof(uint32_t));
    table_begin(&again, &arena, sizeof(uint32_t));
    for (size_t i = 0; i < count; i++)
        *number_of(&table, chosen[i]) = (uint32_t)i + 1;
    for (size_t i = 0; i < count; i++)
        assert_int_equal(*number_of(&table, chosen[i]), i + 1);
    for (const struct table_entry *at = table.first; at; at = at->next)
        *number_of(&again, at->key.bytes) = *(const uint32_t *)at->value;
    assert_int_equal(table.count, count);
    assert_int_equal(*number_of(&again, chosen[count - 1]), count);
    assert_null(table_find(&again, (struct text){(const char *)chosen[0], 1}));
    arena_free(&arena);
}

static int64_t measure(size_t count)
{
    comparisons = 0;
    fill_twice(count);
    return comparisons;
}

static void assert_in_proportion(void)
{
    int64_t little = measure(SMALL);
    assert_in_range(measure(LARGE), LARGE, FACTOR_MAX * little);
}

static void numbered_ids_take_linear_work(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LARGE; i++)
        memcpy(chosen[i], &i, sizeof i);
    assert_in_proportion();
}

/* Uses UUIDs whose hashes under a publicly known function have the same low bits. */
static void chosen_ids_take_linear_work(void **state)
{
    uint64_t number = 0;
    (void)state;
    for (size_t i = 0; i < LARGE; number++) {
        memset(chosen[i], 0, UUID_BYTES);
        memcpy(chosen[i], &number, sizeof number);
        uint64_t hash = text_hash(TEXT_HASH_START, chosen[i], UUID_BYTES);
        i += hash % (1 << COLLIDING_BITS) == 0;
    }
    assert_in_proportion();
}

/* Tests the example in appendix A of the SipHash paper. */
static void the_hash_is_siphash(void **state)
{
    const struct keyed_hash hash = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
    unsigned char bytes[15];
    (void)state;
    for (unsigned char i = 0; i < sizeof bytes; i++)
        bytes[i] = i;
    assert_true(keyed_hash_of(&hash, bytes, sizeof bytes) == UINT64_C(0xa129ca6149be45e5));
}

static void every_table_has_its_own_hash(void **state)
{
    const struct keyed_hash one = keyed_hash_begin(), other = keyed_hash_begin();
    (void)state;
    assert_true(keyed_hash_of(&one, "a", 1) != keyed_hash_of(&other, "a", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbered_ids_take_linear_work),
        cmocka_unit_test(chosen_ids_take_linear_work),
        cmocka_unit_test(the_hash_is_siphash),
        cmocka_unit_test(every_table_has_its_own_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
