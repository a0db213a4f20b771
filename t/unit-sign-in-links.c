/* Tests sign-in links in the store. Each link works once, until the link expires or is replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "store/club/club.h"
#include "store/log/logbook.h"
#include "store/people/keys.h"
#include "store/people/links.h"
#include "store/people/members.h"
#include "store/people/sessions.h"
#include "store/store.h"
#include "store/transaction.h"
#include "unit-logbook.h"

static void a_link_works_once(void **state)
{
    struct identity identity;
    (void)state;
    add_link(anna, LINK_INVITATION, 50);
    add_link(anna, LINK_DEVICE, 51);
    assert_int_equal(use_link(50, 1), LINK_WORKED);
    assert_int_equal(use_link(50, 2), LINK_USED);
    assert_int_equal(use_link(51, 2), LINK_WORKED);
    assert_int_equal(use_link(99, 3), LINK_UNKNOWN);
    assert_int_equal(find_session(1, &identity), STORE_DONE);
    assert_true(identity.may_set_password);
    assert_true(store_session_is_proved(&identity, clock_wall_ms()));
    assert_int_equal(find_session(2, &identity), STORE_DONE);
    assert_false(identity.may_set_password);
    assert_false(store_session_is_proved(&identity, clock_wall_ms()));
}

static void a_newer_link_replaces_a_link_of_its_kind(void **state)
{
    (void)state;
    add_link(anna, LINK_INVITATION, 50);
    add_link(anna, LINK_DEVICE, 51);
    add_link(anna, LINK_INVITATION, 52);
    assert_int_equal(use_link(50, 1), LINK_REPLACED);
    assert_int_equal(use_link(51, 1), LINK_WORKED);
    assert_int_equal(use_link(52, 2), LINK_WORKED);
    for (int i = 60; i < 100; i++)
        add_link(anna, LINK_DEVICE, i);
    assert_int_equal(number_of("SELECT count(*) FROM sign_in_links WHERE kind = 1"), 20);
}

static void a_link_expires(void **state)
{
    (void)state;
    add_link(anna, LINK_DEVICE, 50);
    execute("UPDATE sign_in_links SET expires_at = made_at - 5");
    assert_int_equal(use_link(50, 1), LINK_EXPIRED);
    execute("UPDATE sign_in_links SET made_at = made_at + 90000000, expires_at = made_at * 2");
    assert_int_equal(use_link(50, 1), LINK_EXPIRED);
    execute("UPDATE sign_in_links SET expires_at = made_at - 90000000");
    execute("UPDATE sign_in_links SET expires_at = expires_at - 31 * 86400000");
    add_link(bram, LINK_DEVICE, 51);
    assert_int_equal(use_link(50, 1), LINK_UNKNOWN);
}

static void a_disabled_member_cannot_sign_in(void **state)
{
    (void)state;
    add_link(anna, LINK_INVITATION, 50);
    assert_int_equal(store_set_member_active(store, anna, false), STORE_DONE);
    assert_int_equal(use_link(50, 1), LINK_UNKNOWN);
    assert_int_equal(store_add_link(store, anna, LINK_INVITATION, print_of(51), 1000),
                     STORE_REFUSED);
    assert_int_equal(store_set_member_active(store, anna, true), STORE_DONE);
    assert_int_equal(use_link(50, 1), LINK_REPLACED);
}

static void a_new_invitation_ends_all_older_credentials(void **state)
{
    (void)state;
    open_session("anna", 1);
    add_link(anna, LINK_DEVICE, 50);
    assert_int_equal(store_invite_new(store, anna, print_of(51), 1000000), STORE_DONE);
    assert_false(is_signed_in(1));
    assert_null(sign_in_of("anna").password_hash.bytes);
    assert_int_equal(use_link(50, 2), LINK_REPLACED);
    assert_int_equal(use_link(51, 2), LINK_WORKED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_link_works_once),
        TEST(a_newer_link_replaces_a_link_of_its_kind),
        TEST(a_link_expires),
        TEST(a_disabled_member_cannot_sign_in),
        TEST(a_new_invitation_ends_all_older_credentials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
