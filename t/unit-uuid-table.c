/* The table of UUIDs does work in proportion to their number, whatever UUIDs a client chooses:
 * eight times as many are compared at most twelve times as often. */
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

static int compare(const void *one, const void *other, size_t length)
{
    comparisons++;
    return memcmp(one, other, length);
}

/* The table itself, whose comparisons are counted. */
#define memcmp compare
#include "base/uuid.c"
#undef memcmp

#define SMALL 2048
#define LARGE (8 * SMALL)
#define FACTOR_MAX 12
#define COLLIDING_BITS 12 /* of the place in a table */

static unsigned char chosen[LARGE][UUID_BYTES];

static struct uuid_table *fill(size_t count)
{
    struct uuid_table *table = uuid_table_create();
    for (size_t i = 0; i < count; i++)
        uuid_table_put(table, chosen[i], (uint32_t)i + 1);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(uuid_table_get(table, chosen[i]), i + 1);
    return table;
}

static void put(void *context, const unsigned char uuid[UUID_BYTES], uint32_t number)
{
    uuid_table_put(context, uuid, number);
}

/* Fills one table, and another one in the order in which the first lists its content. */
static void fill_twice(size_t count)
{
    struct uuid_table *table = fill(count), *again = uuid_table_create();
    uuid_table_list(table, put, again);
    assert_int_equal(uuid_table_get(again, chosen[count - 1]), count);
    uuid_table_free(table);
    uuid_table_free(again);
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

static void numbered_ids_take_work_in_proportion(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LARGE; i++)
        memcpy(chosen[i], &i, sizeof i);
    assert_in_proportion();
}

/* With one hash under a function that everybody knows. */
static void chosen_ids_take_work_in_proportion(void **state)
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

/* The example of the paper's appendix A. */
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
        cmocka_unit_test(numbered_ids_take_work_in_proportion),
        cmocka_unit_test(chosen_ids_take_work_in_proportion),
        cmocka_unit_test(the_hash_is_siphash),
        cmocka_unit_test(every_table_has_its_own_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
