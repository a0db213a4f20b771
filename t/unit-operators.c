/* Tests the operator's role and the activity log in the store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "store/club/club.h"
#include "store/log/logbook.h"
#include "store/log/uploads.h"
#include "store/operator_log.h"
#include "store/people/keys.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "store/store.h"
#include "store/transaction.h"
#include "unit-logbook.h"

static void the_last_operator_keeps_the_role_on_the_page(void **state)
{
    (void)state;
    assert_int_equal(store_set_operator(store, anna, true), STORE_DONE);
    store_act_as_operator(store, text_of("21-SD-333"));
    assert_int_equal(store_set_operator(store, anna, false), STORE_REFUSED);
    assert_int_equal(store_set_member_active(store, anna, false), STORE_REFUSED);
    assert_int_equal(store_set_operator(store, bram, true), STORE_DONE);
    assert_int_equal(store_set_operator(store, anna, false), STORE_DONE);
    store_act_as_operator(store, (struct text){0});
    assert_int_equal(store_set_operator(store, bram, false), STORE_DONE);
}

static void a_member_without_the_role_cannot_act_as_an_operator(void **state)
{
    struct identity identity;
    (void)state;
    assert_int_equal(store_set_operator(store, anna, true), STORE_DONE);
    open_session("anna", 1);
    assert_int_equal(find_session(1, &identity), STORE_DONE);
    assert_true(identity.is_operator);
    store_write_as(store, &arena, &identity);
    store_act_as_operator(store, identity.callsign);
    execute("UPDATE members SET is_operator = 0");
    assert_int_equal(store_set_uploads(store, true), STORE_DENIED);
    store_write_as(store, NULL, NULL);
}

static void collect_act(void *context, const struct operator_act *act)
{
    char *all = context;
    size_t length = strlen(all);
    snprintf(all + length, 1000 - length, "%.*s|%.*s|%.*s|%.*s\n", (int)act->operator.length,
             act->operator.bytes, (int)act->act.length, act->act.bytes, (int)act->subject.length,
             act->subject.bytes, (int)act->details.length, act->details.bytes);
}

static void acts_are_recorded(void **state)
{
    char all[1000] = "";
    (void)state;
    assert_int_equal(store_set_uploads(store, true), STORE_DONE); /* not recorded: nobody acts */
    execute("INSERT INTO operator_log (at, act) VALUES (5, 'long ago')");
    store_act_as_operator(store, (struct text){0});
    assert_int_equal(store_rename_member(store, anna, text_of("1XY2")), STORE_DONE);
    assert_int_equal(store_set_member(store, anna, text_of("JO33"), text_of("anne")), STORE_DONE);
    store_act_as_operator(store, text_of("26AT101"));
    assert_int_equal(store_set_uploads(store, false), STORE_DONE);
    assert_int_equal(store_set_operator(store, anna, false), STORE_DONE); /* no change */
    assert_int_equal(store_set_member_active(store, anna, false), STORE_DONE);
    assert_int_equal(store_set_member_active(store, anna, false), STORE_DONE); /* no change */
    assert_int_equal(store_delete_member(store, anna), STORE_DONE);
    assert_int_equal(store_list_operator_acts(store, 0, 100, collect_act, all), STORE_DONE);
    assert_string_equal(all, "26AT101|member delete|1XY2|\n26AT101|member disable|1XY2|\n"
                             "26AT101|uploads off||\n|member set|1XY2|locator JO33, login anne\n"
                             "|member rename|21-SD-333|1XY2\n");
    store_write_as(store, NULL, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_last_operator_keeps_the_role_on_the_page),
        TEST(a_member_without_the_role_cannot_act_as_an_operator),
        TEST(acts_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
