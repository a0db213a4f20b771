/* What slows guessing: counts, turns and the places where members have signed in, by times of the
 * test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "site/slowing.h"

#define NOW INT64_C(5000000)
#define EACH 3000
#define COME_AGAIN 20000 /* the time for it, after one's turn */

static struct slowing_table *table;

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

static struct network at(const char *address)
{
    struct network network;
    network_of(address, &network);
    return network;
}

static struct slowing_places places_of(const char *name, const char *address)
{
    struct slowing_places places;
    struct network network = at(address);
    slowing_find(table, text_of(name), &network, &places);
    return places;
}

static int64_t turn(const char *address, int64_t now_ms)
{
    struct network network = at(address);
    return slowing_take_turn(&table->verifying, &network, EACH, now_ms);
}

static void finds_one_count_for_one_account_and_one_wide_network(void **state)
{
    (void)state;
    struct slowing_places places = places_of("21SD333", "2001:db8:1:2::3");
    assert_ptr_equal(places.account, places_of(" 21-sd.333 ", "192.0.2.1").account);
    assert_ptr_not_equal(places.account, places_of("21SD334", "192.0.2.1").account);
    assert_ptr_equal(places.network, places_of("26AT101", "2001:db8:1:ffff::").network);
    assert_ptr_not_equal(places.network, places_of("26AT101", "2001:db8:2:2::3").network);
    assert_null(places_of("21SD333", "192.0.2.1").network);
    assert_null(places_of(NULL, "2001:db8:1::").account);
}

static void counts_failures_and_forgets_them(void **state)
{
    (void)state;
    const struct slowing_rule *rule = &slowing_of_account;
    int64_t count = 0, part_ms = rule->window_ms / rule->failures;
    for (int64_t i = 0; i < rule->failures; i++) {
        assert_int_equal(slowing_wait(&count, rule, NOW), 0);
        slowing_add(&count, rule, NOW);
    }
    assert_int_equal(slowing_wait(&count, rule, NOW), part_ms);
    assert_int_equal(slowing_wait(&count, rule, NOW + part_ms), 0);
    slowing_take_back(&count, rule);
    assert_int_equal(slowing_wait(&count, rule, NOW), 0);
    for (int64_t i = 0; i < 10 * rule->failures; i++)
        slowing_add(&count, rule, NOW);
    assert_true(slowing_wait(&count, rule, NOW) > 0);
    assert_int_equal(slowing_wait(&count, rule, NOW + 2 * rule->window_ms), 0);
    count = NOW + 100 * rule->window_ms;
    assert_int_equal(slowing_wait(&count, rule, NOW), 0);
}

static void gives_turns_in_order_and_once(void **state)
{
    (void)state;
    assert_int_equal(turn("192.0.2.1", NOW), EACH);
    assert_int_equal(turn("198.51.100.1", NOW), 2 * EACH);
    assert_int_equal(turn("192.0.2.1", NOW + 1), EACH - 1);
    assert_int_equal(turn("192.0.2.1", NOW + EACH), 0);
    assert_int_equal(turn("192.0.2.1", NOW + EACH), 2 * EACH);
    assert_int_equal(turn("198.51.100.1", NOW + 2 * EACH + 1), 0);
}

static void gives_one_turn_to_a_part_of_all_networks(void **state)
{
    (void)state;
    assert_int_equal(turn("2001:db8:1:1::", NOW), EACH);
    for (int i = 0; i < 1000; i++) {
        char address[32];
        snprintf(address, sizeof address, "2001:db8:2:%x::", (unsigned)i);
        assert_int_equal(turn(address, NOW), EACH + COME_AGAIN);
    }
    assert_int_equal(turn("192.0.2.1", NOW), 2 * EACH);
    assert_int_equal(turn("2001:db8:2::", NOW + EACH + COME_AGAIN), EACH);
    assert_int_equal(turn("2001:db8:1:1::", NOW + EACH + COME_AGAIN), EACH + COME_AGAIN);
}

static void gives_as_many_parts_as_there_are_turns_one_each(void **state)
{
    (void)state;
    char address[32];
    for (int i = 1; i <= SLOWING_TURNS; i++) {
        snprintf(address, sizeof address, "192.%d.0.1", i);
        assert_int_equal(turn(address, NOW), i * EACH);
    }
    assert_int_equal(turn("198.51.100.1", NOW), EACH + COME_AGAIN);
    for (int i = 1; i <= SLOWING_TURNS; i++) {
        snprintf(address, sizeof address, "192.%d.0.1", i);
        assert_int_equal(turn(address, NOW + i * EACH), 0);
    }
}

static void keeps_a_turn_that_was_used_in_vain(void **state)
{
    (void)state;
    struct network network = at("192.0.2.1");
    turn("192.0.2.1", NOW);
    assert_int_equal(turn("192.0.2.1", NOW + EACH), 0);
    slowing_give_turn_back(&table->verifying, &network, EACH, NOW + EACH, 30000);
    assert_int_equal(turn("192.0.2.1", NOW + EACH), 30000);
    assert_int_equal(turn("192.0.2.1", NOW + EACH + 30000), 0);
    assert_int_equal(turn("192.0.3.1", NOW + EACH + 30000), EACH);
    slowing_give_turn_back(&table->verifying, &network, EACH, NOW + EACH + 30000, 1000);
    assert_int_equal(turn("192.0.3.1", NOW + 2 * EACH + 30000), 0);
}

static void bounds_every_wait(void **state)
{
    (void)state;
    for (int i = 0; i < 256 * 256; i++) {
        char address[32];
        snprintf(address, sizeof address, "%d.%d.0.1", i / 256, i % 256);
        assert_in_range(turn(address, NOW), 1, SLOWING_TURNS * EACH + COME_AGAIN);
    }
    assert_int_equal(turn("192.0.2.1", NOW - 4 * SLOWING_TURNS * EACH), EACH);
}

static void knows_where_a_member_has_signed_in(void **state)
{
    (void)state;
    struct network home = at("192.0.2.1"), other = at("192.0.2.2");
    assert_false(slowing_is_known(table, 7, &home));
    slowing_note_known(table, 7, &home, 20000);
    assert_true(slowing_is_known(table, 7, &home));
    assert_false(slowing_is_known(table, 7, &other));
    assert_false(slowing_is_known(table, 8, &home));
    for (int64_t member = 100; member < 20000; member++)
        slowing_note_known(table, member, &home, 19999);
    assert_true(slowing_is_known(table, 7, &home));
    for (int64_t member = 100; member < 20000; member++)
        slowing_note_known(table, member, &home, 20001);
    assert_false(slowing_is_known(table, 7, &home));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_one_count_for_one_account_and_one_wide_network),
        TEST(counts_failures_and_forgets_them),
        TEST(gives_turns_in_order_and_once),
        TEST(gives_one_turn_to_a_part_of_all_networks),
        TEST(gives_as_many_parts_as_there_are_turns_one_each),
        TEST(keeps_a_turn_that_was_used_in_vain),
        TEST(bounds_every_wait),
        TEST(knows_where_a_member_has_signed_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
