/* Sessions, sign-in links, the operator's role, the club's row and the activity log, as the store
 * keeps them. Other tests check through the programs what a browser and a command show of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "store/club/club.h"
#include "store/people/keys.h"
#include "store/log/logbook.h"
#include "store/people/devices.h"
#include "store/people/members.h"
#include "store/people/sessions.h"
#include "store/store.h"
#include "store/transaction.h"

#define HASH "$y$j9T$first"

static char folder[64];
static struct store *store;
static struct arena arena;
static int64_t anna, bram;

/* -- What tests say ---------------------------------------------------------------------------- */

static void execute(const char *sql)
{
    assert_int_equal(sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL), SQLITE_OK);
}

static int64_t number_of(const char *sql)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(store->database->handle, sql, -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static int64_t add_member(const char *callsign, const char *login)
{
    struct member member = {
        .callsign = text_of(callsign), .locator = text_of("JO22"), .login = text_of(login)};
    assert_int_equal(store_add_member(store, &member), STORE_DONE);
    assert_int_equal(store_find_member(store, &arena, text_of(callsign), &member), STORE_DONE);
    return member.id;
}

/* In this test, cookies and links have numbers. */
static char cookies[SESSION_MAX + 2][SESSION_COOKIE_SIZE];

static const unsigned char *print_of(int link)
{
    static unsigned char print[API_KEY_FINGERPRINT_BYTES];
    memcpy(print, &link, sizeof link);
    return print;
}

static struct sign_in sign_in_of(const char *name)
{
    struct sign_in sign_in;
    assert_int_equal(store_find_sign_in(store, &arena, text_of(name), &sign_in), STORE_DONE);
    return sign_in;
}

static void open_session(const char *name, int number)
{
    struct sign_in sign_in = sign_in_of(name);
    assert_int_equal(
        store_open_session(store, &sign_in, text_of("Firefox on Linux"), cookies[number]),
        STORE_DONE);
}

static enum store_result find_session(int number, struct identity *identity)
{
    unsigned char print[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(text_of(cookies[number]), print);
    return store_find_credential(store, CREDENTIAL_SESSION, &arena, print, clock_wall_ms(),
                                 identity);
}

static bool is_signed_in(int number)
{
    struct identity identity;
    return find_session(number, &identity) == STORE_DONE;
}

static enum link_outcome use_link(int link, int session)
{
    enum link_outcome outcome;
    enum sign_in_link kind;
    assert_int_equal(store_use_link(store, print_of(link), text_of("Chrome on Android"),
                                    cookies[session], &outcome, &kind),
                     STORE_DONE);
    return outcome;
}

static void add_link(int64_t member_id, enum sign_in_link kind, int number)
{
    assert_int_equal(store_add_link(store, member_id, kind, print_of(number), DEVICE_LINK_MS),
                     STORE_DONE);
}

/* -- Each test has a logbook of its own -------------------------------------------------------- */

static int set_up(void **state)
{
    char path[96];
    (void)state;
    memset(cookies, 0, sizeof cookies);
    strcpy(folder, "/tmp/qsosync-unit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/logbook.db", folder);
    assert_int_equal(store_open(path, OPEN_OR_CREATE, &store), STORE_DONE);
    anna = add_member("21-SD-333", "anna");
    bram = add_member("26AT101", "26at101");
    assert_int_equal(store_set_password(store, anna, HASH, 0), STORE_DONE);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const files[] = {"", "-wal", "-shm", "-gate", "-logins"};
    char path[96];
    (void)state;
    store_close(store);
    arena_free(&arena);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/logbook.db%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* -- Who signs in ------------------------------------------------------------------------------ */

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

static void each_of_two_similar_callsigns_has_its_own_spelling(void **state)
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

/* -- Sessions ---------------------------------------------------------------------------------- */

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
    store_record_use(store, CREDENTIAL_SESSION, identity.key_number, day - 400);
    assert_true(is_signed_in(1));
    store_record_use(store, CREDENTIAL_SESSION, identity.key_number, day - 401);
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
    store_record_use(store, CREDENTIAL_SESSION, identity.key_number,
                     clock_wall_ms() / DATETIME_DAY_MS + 1); /* the other sessions are used today */
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

static void a_deleted_member_leaves_nothing(void **state)
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

/* -- Links ------------------------------------------------------------------------------------- */

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

/* -- Operators --------------------------------------------------------------------------------- */

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
    assert_int_equal(store_set_uploads(store, true), STORE_DONE); /* an act by nobody */
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

/* -- The club ---------------------------------------------------------------------------------- */

static void the_club_returns_its_stored_values(void **state)
{
    bool given[CLUB_FIELDS] = {[CLUB_NAME] = true, [CLUB_LINK] = true};
    struct club club = {.values = {[CLUB_NAME] = text_of("Club A"),
                                   [CLUB_TEXT] = text_of("not given"),
                                   [CLUB_LINK] = text_of("https://example.org")}};
    (void)state;
    assert_int_equal(store_set_club(store, &club, given), STORE_DONE);
    club.values[CLUB_LINK] = (struct text){0};
    given[CLUB_NAME] = false;
    assert_int_equal(store_set_club(store, &club, given), STORE_DONE);
    assert_int_equal(store_read_club(store, &arena, &club), STORE_DONE);
    assert_true(text_equals(club.values[CLUB_NAME], text_of("Club A")));
    assert_null(club.values[CLUB_TEXT].bytes);
    assert_null(club.values[CLUB_LINK].bytes);
}

static void assert_judged(enum club_field field, const char *value, const char *expected)
{
    struct text text = text_of(value);
    const char *fault = club_judge(field, &text);
    if (fault)
        assert_null(expected);
    else
        assert_true(text_equals(text, text_of(expected)));
}

static void values_of_a_club_are_checked(void **state)
{
    char long_name[82] = "";
    (void)state;
    memset(long_name, 'x', 81);
    assert_judged(CLUB_NAME, "  Club A ", "Club A");
    assert_judged(CLUB_NAME, long_name, NULL);
    assert_judged(CLUB_NAME, long_name + 1, long_name + 1);
    assert_judged(CLUB_NAME, "two\nlines", NULL);
    assert_judged(CLUB_LEGAL, "two\r\nlines", "two\r\nlines");
    assert_judged(CLUB_LEGAL, "two\x1b\nlines", NULL);
    assert_judged(CLUB_TEXT, "\xff", NULL);
    assert_judged(CLUB_LINK, "javascript:alert(1)", NULL);
    assert_judged(CLUB_LINK, "https://example.org/?a=b#c", "https://example.org/?a=b#c");
    assert_judged(CLUB_LINK, "https://example.org/\"onclick", NULL);
    assert_judged(CLUB_ADDRESS, "https://log.example.org/api/v1/", "https://log.example.org");
    assert_judged(CLUB_ADDRESS, "https://example.org/club/?x", "https://example.org/club");
    assert_judged(CLUB_ADDRESS, "http://127.0.0.1:8080", "http://127.0.0.1:8080");
    assert_judged(CLUB_ADDRESS, "https://user@example.org", NULL);
    assert_judged(CLUB_ADDRESS, "https:///path", NULL);
    assert_judged(CLUB_ADDRESS, "log.example.org", NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_callsign_is_found_in_every_spelling),
        TEST(a_callsign_takes_precedence_over_a_login_name),
        TEST(each_of_two_similar_callsigns_has_its_own_spelling),
        TEST(a_session_identifies_its_member),
        TEST(a_password_that_changed_meanwhile_opens_no_session),
        TEST(a_session_ends_400_days_after_its_last_use),
        TEST(the_hundred_most_recently_used_sessions_stay),
        TEST(a_cookie_identifies_its_previous_owner),
        TEST(one_session_or_all_can_be_ended),
        TEST(an_ended_session_writes_nothing),
        TEST(a_new_password_ends_all_other_sessions),
        TEST(a_deleted_member_leaves_nothing),
        TEST(a_link_works_once),
        TEST(a_newer_link_replaces_a_link_of_its_kind),
        TEST(a_link_expires),
        TEST(a_disabled_member_cannot_sign_in),
        TEST(a_new_invitation_ends_all_older_credentials),
        TEST(the_last_operator_keeps_the_role_on_the_page),
        TEST(a_member_without_the_role_cannot_act_as_an_operator),
        TEST(acts_are_recorded),
        TEST(the_club_returns_its_stored_values),
        cmocka_unit_test(values_of_a_club_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
