/* Tests sessions in the store: who is signed in, and for how long. Other tests check the sessions
 * that browsers and commands show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "store/club/club.h"
#include "store/log/logbook.h"
#include "store/people/devices.h"
#include "store/people/member_deletion.h"
#include "store/people/keys.h"
#include "store/people/links.h"
#include "store/people/members.h"
#include "store/people/passwords.h"
#include "store/people/sessions.h"
#include "store/store.h"
#include "store/transaction.h"
#include "unit-logbook.h"

static void a_callsign_is_found_in_every_spelling(void **state)
{
    static const char *const names[] = {"21-SD-333", "21sd333", " 21 sd 333 ", "21.SD.333", "anna"};
    struct sign_in sign_in;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sign_in = sign_in_of(names[i]);
        assert_int_equal(sign_in.member_id, anna);
        assert_true(text_equals(sign_in.password_hash, text_of(HASH)));
        assert_true(sign_in.member_is_active);
    }
    assert_null(sign_in_of("26AT101").password_hash.bytes);
    assert_int_equal(store_find_sign_in(store, &arena, text_of("21SD33"), &sign_in), STORE_NONE);
    assert_int_equal(store_find_sign_in(store, &arena, text_of(" - "), &sign_in), STORE_NONE);
    assert_int_equal(store_find_sign_in(store, &arena, (struct text){"21SD333\0x", 9}, &sign_in),
                     STORE_NONE);
}

static void a_callsign_takes_precedence_over_a_login_name(void **state)
{
    (void)state;
    int64_t carl = add_member("13HN888", "21SD333");
    assert_int_equal(sign_in_of("21SD333").member_id, anna);
    assert_int_equal(sign_in_of("13hn888").member_id, carl);
}

static void each_of_two_similar_callsigns_is_found_by_its_own_spelling(void **state)
{
    struct sign_in sign_in;
    (void)state;
    execute("DROP TRIGGER members_differ_on_insert");
    int64_t other = add_member("21SD333", "other");
    assert_int_equal(sign_in_of("21sd333").member_id, other);
    assert_int_equal(sign_in_of("21-sd-333").member_id, anna);
    assert_int_equal(sign_in_of("anna").member_id, anna);
    assert_int_equal(store_find_sign_in(store, &arena, text_of("21 SD 333"), &sign_in), STORE_NONE);
}

static void a_session_identifies_its_member(void **state)
{
    struct identity identity;
    (void)state;
    open_session("anna", 1);
    assert_int_equal(find_session(1, &identity), STORE_DONE);
    assert_int_equal(identity.credential, CREDENTIAL_SESSION);
    assert_int_equal(identity.member_id, anna);
    assert_true(text_equals(identity.callsign, text_of("21-SD-333")));
    assert_false(identity.is_operator);
    assert_false(identity.may_set_password);
    assert_true(store_session_is_proved(&identity, clock_wall_ms()));
    assert_false(store_session_is_proved(&identity, identity.proved_at_ms + SESSION_PROOF_MS));
    assert_false(store_session_is_proved(&identity, identity.proved_at_ms - 1000));
    assert_int_equal(find_session(2, &identity), STORE_NONE);
}

static void a_password_that_changed_meanwhile_opens_no_session(void **state)
{
    struct sign_in sign_in = sign_in_of("anna"), without = sign_in_of("26AT101");
    (void)state;
    assert_int_equal(store_set_password(store, anna, "$y$j9T$second", 0), STORE_DONE);
    assert_int_equal(store_open_session(store, &sign_in, text_of("x"), cookies[1]), STORE_DENIED);
    assert_int_equal(store_open_session(store, &without, text_of("x"), cookies[1]), STORE_DENIED);
    sign_in = sign_in_of("anna");
    assert_int_equal(store_set_member_active(store, anna, false), STORE_DONE);
    assert_int_equal(store_open_session(store, &sign_in, text_of("x"), cookies[1]), STORE_DENIED);
    assert_int_equal(number_of("SELECT count(*) FROM sessions"), 0);
}

static void a_session_ends_400_days_after_its_last_use(void **state)
{
    struct identity identity;
    int64_t now_ms = clock_wall_ms(), day = now_ms / DATETIME_DAY_MS;
    (void)state;
    open_session("anna", 1);
    assert_int_equal(find_session(1, &identity), STORE_DONE);
    store_record_use(store, CREDENTIAL_SESSION, identity.key_number, day - 400, NULL);
    assert_true(is_signed_in(1));
    store_record_use(store, CREDENTIAL_SESSION, identity.key_number, day - 401, NULL);
    assert_false(is_signed_in(1));
    open_session("anna", 2);
    assert_int_equal(number_of("SELECT count(*) FROM sessions"), 1);
}

static void the_hundred_most_recently_used_sessions_stay(void **state)
{
    struct identity identity;
    (void)state;
    for (int i = 1; i <= SESSION_MAX; i++)
        open_session("anna", i);
    assert_int_equal(find_session(1, &identity), STORE_DONE);
    /* the other sessions were last used today */
    store_record_use(store, CREDENTIAL_SESSION, identity.key_number,
                     clock_wall_ms() / DATETIME_DAY_MS + 1, NULL);
    open_session("anna", SESSION_MAX + 1);
    assert_int_equal(number_of("SELECT count(*) FROM sessions"), SESSION_MAX);
    assert_true(is_signed_in(1));
    assert_false(is_signed_in(2));
    assert_true(is_signed_in(SESSION_MAX + 1));
}

static void count_session(void *context, const struct session *session)
{
    assert_true(text_equals(session->device, text_of("Firefox on Linux")));
    ++*(int *)context;
}

static void a_cookie_identifies_its_previous_owner(void **state)
{
    char changed[SESSION_COOKIE_SIZE];
    (void)state;
    open_session("anna", 1);
    open_session("anna", 2);
    assert_string_not_equal(cookies[1], cookies[2]);
    assert_true(store_cookie_is_of(store, text_of(cookies[1]), anna));
    assert_false(store_cookie_is_of(store, text_of(cookies[1]), bram));
    assert_int_equal(store_sign_out_devices(store, anna, 0), STORE_DONE);
    assert_true(store_cookie_is_of(store, text_of(cookies[1]), anna));
    for (int i = 0; i < API_KEY_COOKIE_LENGTH; i++) {
        strcpy(changed, cookies[1]);
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        assert_false(store_cookie_is_of(store, text_of(changed), anna));
    }
    assert_false(store_cookie_is_of(store, (struct text){cookies[1], 42}, anna));
    assert_false(store_cookie_is_of(store, (struct text){0}, anna));
    execute("UPDATE logbook SET challenge_secret = randomblob(32)"); /* as a restore does */
    assert_false(store_cookie_is_of(store, text_of(cookies[1]), anna));
}

static void one_session_or_all_can_be_ended(void **state)
{
    struct identity identity;
    int count = 0;
    (void)state;
    for (int i = 1; i <= 4; i++)
        open_session("anna", i);
    add_link(anna, LINK_DEVICE, 50);
    assert_int_equal(find_session(2, &identity), STORE_DONE);
    assert_int_equal(store_end_session(store, bram, identity.key_number), STORE_NONE);
    assert_true(is_signed_in(2));
    assert_int_equal(store_end_session(store, anna, identity.key_number), STORE_DONE);
    assert_false(is_signed_in(2));
    assert_int_equal(use_link(50, 60), LINK_REPLACED);
    assert_int_equal(store_list_sessions(store, anna, clock_wall_ms(), count_session, &count),
                     STORE_DONE);
    assert_int_equal(count, 3);
    assert_int_equal(find_session(3, &identity), STORE_DONE);
    assert_int_equal(store_sign_out_devices(store, anna, identity.key_number), STORE_DONE);
    assert_true(is_signed_in(3));
    assert_false(is_signed_in(1));
    assert_int_equal(store_sign_out_devices(store, anna, 0), STORE_DONE);
    assert_false(is_signed_in(3));
}

static void an_ended_session_writes_nothing(void **state)
{
    struct identity first, second;
    (void)state;
    open_session("anna", 1);
    open_session("anna", 2);
    assert_int_equal(find_session(1, &first), STORE_DONE);
    assert_int_equal(find_session(2, &second), STORE_DONE);
    store_write_as(store, &arena, &first);
    assert_int_equal(store_end_session(store, anna, second.key_number), STORE_DONE);
    store_write_as(store, &arena, &second);
    assert_int_equal(store_end_session(store, anna, first.key_number), STORE_DENIED);
    assert_int_equal(store_add_link(store, anna, LINK_DEVICE, print_of(9), 1000), STORE_DENIED);
    store_write_as(store, NULL, NULL);
    assert_int_equal(store_set_member_active(store, anna, false), STORE_DONE);
    assert_int_equal(store_set_member_active(store, anna, true), STORE_DONE);
    store_write_as(store, &arena, &first);
    assert_int_equal(store_sign_out_devices(store, anna, 0), STORE_DENIED);
    store_write_as(store, NULL, NULL);
}

static void a_new_password_ends_all_other_sessions(void **state)
{
    struct identity kept;
    (void)state;
    open_session("anna", 1);
    add_link(anna, LINK_INVITATION, 50);
    assert_int_equal(use_link(50, 2), LINK_WORKED);
    add_link(anna, LINK_INVITATION, 51);
    add_link(anna, LINK_DEVICE, 52);
    assert_int_equal(find_session(2, &kept), STORE_DONE);
    assert_true(kept.may_set_password);
    assert_int_equal(store_set_password(store, anna, "$y$j9T$second", kept.key_number), STORE_DONE);
    assert_false(is_signed_in(1));
    assert_int_equal(find_session(2, &kept), STORE_DONE);
    assert_false(kept.may_set_password);
    assert_int_equal(use_link(51, 3), LINK_REPLACED);
    assert_int_equal(use_link(52, 3), LINK_REPLACED);
    assert_true(text_equals(sign_in_of("anna").password_hash, text_of("$y$j9T$second")));
}

static void deleting_a_member_deletes_sessions_and_links(void **state)
{
    (void)state;
    open_session("anna", 1);
    add_link(anna, LINK_INVITATION, 50);
    assert_int_equal(store_set_member_active(store, anna, false), STORE_DONE);
    assert_int_equal(number_of("SELECT count(*) FROM sessions"), 0);
    assert_int_equal(store_delete_member(store, anna), STORE_DONE);
    assert_int_equal(number_of("SELECT count(*) FROM sign_in_links"), 0);
    assert_int_equal(use_link(50, 2), LINK_UNKNOWN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_callsign_is_found_in_every_spelling),
        TEST(a_callsign_takes_precedence_over_a_login_name),
        TEST(each_of_two_similar_callsigns_is_found_by_its_own_spelling),
        TEST(a_session_identifies_its_member),
        TEST(a_password_that_changed_meanwhile_opens_no_session),
        TEST(a_session_ends_400_days_after_its_last_use),
        TEST(the_hundred_most_recently_used_sessions_stay),
        TEST(a_cookie_identifies_its_previous_owner),
        TEST(one_session_or_all_can_be_ended),
        TEST(an_ended_session_writes_nothing),
        TEST(a_new_password_ends_all_other_sessions),
        TEST(deleting_a_member_deletes_sessions_and_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
