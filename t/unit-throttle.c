/* Tests how token buckets throttle guessing, at times that the test sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "site/sign_in/throttle.h"

#define NOW INT64_C(5000000)
#define MINUTE_MS INT64_C(60000)

static struct throttle_table *table;

static int setup(void **state)
{
    (void)state;
    table = calloc(1, sizeof *table);
    if (table)
        table->hash = (struct keyed_hash){{1, 2}};
    return table == NULL;
}

static int teardown(void **state)
{
    (void)state;
    free(table);
    return 0;
}

static uint64_t owner_of(enum throttle_kind kind, const char *name)
{
    return throttle_owner(table, kind, name, strlen(name));
}

static int64_t wait_of(enum throttle_kind kind, const char *name, int64_t now_ms)
{
    return throttle_wait(table, kind, owner_of(kind, name), now_ms);
}

static bool count(enum throttle_kind kind, const char *name, int64_t now_ms)
{
    return throttle_count(table, kind, owner_of(kind, name), now_ms);
}

static void uncount(enum throttle_kind kind, const char *name)
{
    throttle_uncount(table, kind, owner_of(kind, name));
}

/* Counts failures until the bucket is empty. Returns the number of counted failures. */
static int count_all(enum throttle_kind kind, const char *name, int64_t now_ms)
{
    int counted = 0;
    while (counted < 1000 && count(kind, name, now_ms))
        counted++;
    return counted;
}

static void each_kind_has_its_number_of_tokens_and_its_refill_time(void **state)
{
    static const struct {
        enum throttle_kind kind;
        int tokens;
        int64_t each_ms;
    } rows[] = {{THROTTLE_ACCOUNT, 20, 3 * MINUTE_MS},
                {THROTTLE_NETWORK, 40, MINUTE_MS / 4},
                {THROTTLE_ADDRESS, 10, MINUTE_MS},
                {THROTTLE_DEVICE, 10, MINUTE_MS}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(wait_of(rows[i].kind, "a", NOW), 0);
        assert_int_equal(count_all(rows[i].kind, "a", NOW), rows[i].tokens);
        assert_int_equal(wait_of(rows[i].kind, "a", NOW), rows[i].each_ms);
        assert_int_equal(wait_of(rows[i].kind, "a", NOW + rows[i].each_ms - 1), 1);
        assert_int_equal(wait_of(rows[i].kind, "a", NOW + rows[i].each_ms), 0);
        assert_int_equal(count_all(rows[i].kind, "a", NOW + 2 * rows[i].each_ms), 2);
        assert_int_equal(count_all(rows[i].kind, "a", NOW + (rows[i].tokens + 2) * rows[i].each_ms),
                         rows[i].tokens);
        assert_int_equal(wait_of(rows[i].kind, "b", NOW), 0);
    }
}

static void an_empty_bucket_stays_empty(void **state)
{
    (void)state;
    count_all(THROTTLE_ADDRESS, "a", NOW);
    for (int i = 0; i < 100; i++)
        assert_false(count(THROTTLE_ADDRESS, "a", NOW));
    assert_int_equal(wait_of(THROTTLE_ADDRESS, "a", NOW), MINUTE_MS);
}

static void an_uncounted_failure_returns_its_token(void **state)
{
    (void)state;
    uncount(THROTTLE_ADDRESS, "a");
    count_all(THROTTLE_ADDRESS, "a", NOW);
    uncount(THROTTLE_ADDRESS, "a");
    assert_int_equal(count_all(THROTTLE_ADDRESS, "a", NOW), 1);
}

static void kinds_with_the_same_bytes_have_separate_buckets(void **state)
{
    (void)state;
    count_all(THROTTLE_ADDRESS, "a", NOW);
    assert_int_equal(wait_of(THROTTLE_DEVICE, "a", NOW), 0);
}

static void times_from_before_a_reboot_do_not_count(void **state)
{
    (void)state;
    count_all(THROTTLE_ACCOUNT, "a", 100 * NOW);
    assert_int_equal(wait_of(THROTTLE_ACCOUNT, "a", NOW), 0);
    assert_int_equal(count_all(THROTTLE_ACCOUNT, "a", NOW), 20);
}

/* There are many more addresses than buckets, and each address fails once. */
static void many_single_failures_replace_no_empty_bucket(void **state)
{
    (void)state;
    count_all(THROTTLE_ADDRESS, "empty", NOW);
    for (int64_t other = 1; other < 10 * THROTTLE_SETS * THROTTLE_SET; other++)
        throttle_count(table, THROTTLE_ADDRESS,
                       throttle_owner(table, THROTTLE_ADDRESS, &other, sizeof other), NOW);
    assert_int_equal(wait_of(THROTTLE_ADDRESS, "empty", NOW), MINUTE_MS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_kind_has_its_number_of_tokens_and_its_refill_time),
        TEST(an_empty_bucket_stays_empty),
        TEST(an_uncounted_failure_returns_its_token),
        TEST(kinds_with_the_same_bytes_have_separate_buckets),
        TEST(times_from_before_a_reboot_do_not_count),
        TEST(many_single_failures_replace_no_empty_bucket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
