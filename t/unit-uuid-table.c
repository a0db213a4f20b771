/* The table of UUIDs does work in proportion to their number, whatever UUIDs a client chooses:
 * eight times as many take at most twelve times the processor time. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/uuid.h"

#define SMALL 2048 /* fewer fit into the fastest cache, and look cheaper than they are */
#define LARGE (8 * SMALL)
#define ATTEMPTS                                                                                   \
    25 /* of which the fastest counts: other processes take their share of the caches */
#define FACTOR_MAX 12
#define COLLIDING_BITS 12 /* of the place in a table */

static unsigned char chosen[LARGE][UUID_BYTES];

static int64_t processor_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

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

static void measure(size_t count, int64_t *least_ns)
{
    int64_t start_ns = processor_ns();
    fill_twice(count);
    int64_t spent_ns = processor_ns() - start_ns;
    if (*least_ns == 0 || spent_ns < *least_ns)
        *least_ns = spent_ns;
}

static void assert_in_proportion(void)
{
    int64_t small_ns = 0, large_ns = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        measure(SMALL, &small_ns);
        measure(LARGE, &large_ns);
    }
    assert_in_range(large_ns, 0, FACTOR_MAX * small_ns);
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
    mallopt(M_MMAP_THRESHOLD, 1 << 28); /* memory that is used again costs large tables no more */
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
