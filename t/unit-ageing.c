/* Tests when the clock is trusted to age data. Machines pause and reboot, and clocks jump ahead and
 * return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "store/ageing.h"

#define DAY DATETIME_DAY_MS
#define START (1000 * DAY)

/* A machine: the number of its boot, the elapsed time, and the difference between its clock and the
 * elapsed time. */
static struct machine {
    int64_t boot, passed_ms, clock_ms;
} machine;
static struct ageing ageing;

static int begin(void **state)
{
    (void)state;
    machine = (struct machine){.boot = 1};
    ageing = (struct ageing){0};
    return 0;
}

static void pass(int64_t ms)
{
    machine.passed_ms += ms;
}

static void reboot(void)
{
    machine.boot++;
}

/* Simulates a write, with the stamp that src/database/writer_lock.c would choose. Returns whether
 * the clock is trusted. */
static bool write_is_ageing(void)
{
    const int64_t now_ms = START + machine.passed_ms + machine.clock_ms;
    const struct clock_look look = {now_ms, machine.boot, machine.passed_ms};
    const bool is_ageing = ageing_look_at_clock(&ageing, &look);
    ageing.last_stamp_ms = now_ms > ageing.last_stamp_ms ? now_ms : ageing.last_stamp_ms + 1;
    return is_ageing;
}

static void write_daily(int days, bool is_ageing)
{
    for (int i = 0; i < days; i++, pass(DAY))
        assert_int_equal(write_is_ageing(), is_ageing);
}

static void a_steady_clock_is_trusted(void **state)
{
    (void)state;
    write_daily(10, true);
    reboot();
    write_daily(10, true);
}

/* Pauses. The clock is not trusted at the first write after the pause, because the last stamp is
 * old. */
static void rest(int64_t ms)
{
    pass(ms);
    assert_false(write_is_ageing());
    assert_true(write_is_ageing());
}

static void a_pause_does_not_delay_ageing(void **state)
{
    (void)state;
    write_daily(3, true);
    rest(3 * DAY);
    rest(30 * DAY);
    reboot(); /* over a weekend */
    rest(3 * DAY);
    for (int week = 0; week < 20; week++)
        rest(14 * DAY);
}

static void a_clock_that_jumps_ahead_is_distrusted_for_a_week(void **state)
{
    (void)state;
    write_daily(3, true);
    machine.clock_ms = 730 * DAY;
    write_daily(7, false);
    write_daily(7, true);
}

static void a_clock_is_distrusted_after_a_long_pause_with_a_reboot(void **state)
{
    (void)state;
    write_daily(3, true);
    reboot();
    pass(30 * DAY);
    write_daily(7, false);
    write_daily(7, true);
}

static void every_jump_starts_another_week(void **state)
{
    (void)state;
    write_daily(3, true);
    for (int boots = 0; boots < 5; boots++) {
        reboot();
        machine.clock_ms = 730 * DAY;
        assert_false(write_is_ageing());
        pass(DAY / 24);
        machine.clock_ms = 0;
        write_daily(3, false);
    }
    write_daily(4, false);
    write_daily(3, true);
}

static void stamps_ahead_of_the_clock_are_distrusted_until_confirmed(void **state)
{
    (void)state;
    write_daily(3, true);
    machine.clock_ms = 730 * DAY;
    assert_false(write_is_ageing());
    machine.clock_ms = 0;
    write_daily(2, false);
    ageing.doubted_ms = 0; /* as store_confirm_clock does */
    ageing.confirmed_ms = ageing.last_stamp_ms;
    write_daily(20, true);
    machine.clock_ms = 365 * DAY; /* no stamp shows the jump, because the stamps are later */
    write_daily(7, false);
}

static void an_older_logbook_ahead_of_the_clock_is_distrusted(void **state)
{
    (void)state;
    ageing.last_stamp_ms = START + 730 * DAY;
    write_daily(7, false);
    write_daily(7, true);
}

static void a_new_logbook_trusts_its_clock(void **state)
{
    (void)state;
    assert_true(write_is_ageing());
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(a_steady_clock_is_trusted),
        TEST(a_pause_does_not_delay_ageing),
        TEST(a_clock_that_jumps_ahead_is_distrusted_for_a_week),
        TEST(a_clock_is_distrusted_after_a_long_pause_with_a_reboot),
        TEST(every_jump_starts_another_week),
        TEST(stamps_ahead_of_the_clock_are_distrusted_until_confirmed),
        TEST(an_older_logbook_ahead_of_the_clock_is_distrusted),
        TEST(a_new_logbook_trusts_its_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
