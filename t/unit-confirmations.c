/* Tests that finding the other side of a QSO has a bounded cost, even if members have stored QSOs
 * to make the search expensive. The cost is the number of steps of SQLite's virtual machine, which
 * is the same on every computer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/credentials.h"
#include "store/log/logbook.h"
#include "store/log/qsos_save.h"
#include "store/people/members.h"
#include "store/store.h"
#include "store/transaction.h"

#define STEPS_MAX 2500 /* saving one QSO takes about 400 steps if nothing matches */
#define MANY 5000      /* examining each of these QSOs would take more than STEPS_MAX steps */
#define AT INT64_C(1779046920000)
#define MINUTE INT64_C(60000)

enum { ANNA, BRAM, CARL, MEMBERS };
static const char *const callsigns[MEMBERS] = {"21SD333", "26AT101", "13HN888"};

static char folder[64];
static struct store *store;
static struct identity members[MEMBERS];
static uint64_t client_id[2]; /* clientId of the last saved QSO */

static void set_integer(struct qso *qso, enum field_index field, int64_t value)
{
    qso->values[field] = (struct value){.integer = value, .state = VALUE_PRESENT};
}

static void set_text(struct qso *qso, enum field_index field, const char *text)
{
    qso->values[field] =
        (struct value){.text = text, .length = (uint32_t)strlen(text), .state = VALUE_PRESENT};
}

/* Creates a QSO in SSB with the callsign worked and, if given, the operator callsign. */
static struct qso make_qso(const char *worked, const char *operator_callsign, int64_t at_ms)
{
    struct qso qso = {0};
    set_integer(&qso, FIELD_BAND, BAND_ELEVEN_METERS);
    set_integer(&qso, FIELD_QSO_AT, at_ms);
    set_integer(&qso, FIELD_MODE, MODE_SSB);
    set_text(&qso, FIELD_CALLSIGN_WORKED, worked);
    if (operator_callsign)
        set_text(&qso, FIELD_OPERATOR_CALLSIGN, operator_callsign);
    return qso;
}

static void save(struct transaction *transaction, int member, struct qso *qso)
{
    struct saved_qso saved;
    client_id[0]++;
    qso->values[FIELD_CLIENT_ID] = (struct value){
        .text = (const char *)client_id, .length = sizeof client_id, .state = VALUE_PRESENT};
    assert_int_equal(store_save_qso(transaction, &members[member], qso, (struct text){0}, &saved),
                     STORE_DONE);
}

/* Saves many QSOs of one member. These QSOs differ from the first QSO only in time, or not at all.
 */
static void save_many(int member, struct qso qso, int count, int64_t step_ms)
{
    struct transaction transaction;
    assert_int_equal(store_begin_write(store, &transaction), STORE_DONE);
    for (int i = 0; i < count; i++) {
        save(&transaction, member, &qso);
        qso.values[FIELD_QSO_AT].integer += step_ms;
    }
    assert_int_equal(store_commit(&transaction), STORE_DONE);
}

static int take_steps(void)
{
    int steps = 0;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        steps += sqlite3_stmt_status(store->database->statements[i].handle,
                                     SQLITE_STMTSTATUS_VM_STEP, 1);
    return steps;
}

/* Saves one QSO of Anna within a number of steps, and undoes the write. Returns the time of the QSO
 * that confirms Anna's QSO, or 0. */
static int64_t save_within(struct qso qso, int steps_max)
{
    struct transaction transaction;
    assert_int_equal(store_begin_write(store, &transaction), STORE_DONE);
    take_steps();
    save(&transaction, ANNA, &qso);
    int steps = take_steps();
    assert_in_range(steps, 1, steps_max);

    sqlite3_stmt *find;
    assert_int_equal(
        sqlite3_prepare_v2(store->database->handle,
                           "SELECT other.qso_at FROM qsos AS mine JOIN qsos AS other ON other.id = "
                           "mine.confirmed_by WHERE mine.client_id = ?",
                           -1, &find, NULL),
        SQLITE_OK);
    sqlite3_bind_blob(find, 1, client_id, sizeof client_id, SQLITE_STATIC);
    int64_t at_ms = sqlite3_step(find) == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_finalize(find);
    store_rollback(&transaction);
    return at_ms;
}

static int64_t save_counted(struct qso qso)
{
    return save_within(qso, STEPS_MAX);
}

static int open_store(void **state)
{
    struct arena arena = {0};
    char path[80];
    (void)state;
    strcpy(folder, "/tmp/unit-confirmations-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/logbook.db", folder);
    assert_int_equal(store_open(path, OPEN_OR_CREATE, &store), STORE_DONE);
    assert_int_equal(store_prepare(store), STORE_DONE);
    for (int i = 0; i < MEMBERS; i++) {
        struct member member = {.callsign = text_of(callsigns[i]),
                                .login = text_of(callsigns[i]),
                                .locator = text_of("JO59jw")};
        assert_int_equal(store_add_member(store, &member), STORE_DONE);
        assert_int_equal(store_find_member(store, &arena, member.callsign, &member), STORE_DONE);
        members[i] = (struct identity){.member_id = member.id, .callsign = text_of(callsigns[i])};
    }
    arena_free(&arena);
    return 0;
}

static int close_store(void **state)
{
    char command[100];
    (void)state;
    store_close(store);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void saving_costs_little_if_nothing_matches(void **state)
{
    (void)state;
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), 0);
}

static void qsos_of_another_mode_cost_nothing(void **state)
{
    struct qso qso = make_qso("21SD333", NULL, AT);
    (void)state;
    set_integer(&qso, FIELD_MODE, MODE_FM);
    save_many(BRAM, qso, MANY, 10);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), 0);
}

static void heard_qsos_cost_nothing(void **state)
{
    struct qso qso = make_qso("21SD333", NULL, AT);
    (void)state;
    set_integer(&qso, FIELD_QSO_STATUS, QSO_STATUS_HRD);
    save_many(BRAM, qso, MANY, 10);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), 0);
}

static void qsos_on_another_channel_cost_nothing(void **state)
{
    struct qso qso = make_qso("21SD333", NULL, AT), mine = make_qso("26AT101", NULL, AT);
    (void)state;
    set_integer(&qso, FIELD_BAND, BAND_PMR446);
    set_integer(&mine, FIELD_BAND, BAND_PMR446);
    set_integer(&qso, FIELD_CHANNEL, 1);
    set_integer(&mine, FIELD_CHANNEL, 2);
    save_many(BRAM, qso, MANY, 10);
    assert_int_equal(save_counted(mine), 0);
}

static void qsos_too_early_or_too_late_cost_nothing(void **state)
{
    (void)state;
    save_many(BRAM, make_qso("21SD333", NULL, AT - 15 * MINUTE - 1), MANY / 2, 0);
    save_many(BRAM, make_qso("21SD333", NULL, AT + 15 * MINUTE + 1), MANY / 2, 0);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), 0);
}

static void qsos_of_a_disabled_member_cost_nothing(void **state)
{
    (void)state;
    save_many(BRAM, make_qso("21SD333", NULL, AT), MANY, 10);
    save_many(BRAM, make_qso("21SD333", "1XX1/P", AT), MANY, 10);
    assert_int_equal(store_set_member_active(store, members[BRAM].member_id, false), STORE_DONE);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), 0);
    assert_int_equal(save_counted(make_qso("1XX1/P", NULL, AT)), 0);
}

static void the_members_own_qsos_cost_nothing(void **state)
{
    (void)state;
    save_many(ANNA, make_qso("21SD333", "1XX1/P", AT), MANY, 10);
    save_many(BRAM, make_qso("21SD333", "1XX1/P", AT + MINUTE), 1, 0);
    assert_int_equal(save_counted(make_qso("1XX1/P", NULL, AT)), AT + MINUTE);
    save_many(ANNA, make_qso("21SD333", NULL, AT), MANY, 10);
    assert_int_equal(save_counted(make_qso("21SD333", NULL, AT)), 0);
}

static void qsos_under_another_members_callsign_cost_nothing(void **state)
{
    (void)state;
    save_many(CARL, make_qso("21SD333", "26AT101", AT), MANY, 10);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), 0);
    save_many(BRAM, make_qso("21SD333", NULL, AT + MINUTE), 1, 0);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), AT + MINUTE);
}

static void the_nearest_of_many_matching_qsos_is_found(void **state)
{
    (void)state;
    save_many(BRAM, make_qso("21SD333", NULL, AT - 14 * MINUTE), MANY, 200);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT)), AT);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT + 80)), AT);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT + 120)), AT + 200);
    assert_int_equal(save_counted(make_qso("26AT101", NULL, AT - 20 * MINUTE)), AT - 14 * MINUTE);
}

static void many_qsos_under_one_free_callsign_cost_nothing(void **state)
{
    (void)state;
    save_many(CARL, make_qso("21SD333", "1XX1/P", AT - 14 * MINUTE), MANY, 200);
    save_many(BRAM, make_qso("21SD333", "1xx-1/p", AT + 10), 1, 0);
    assert_int_equal(save_counted(make_qso("1XX1/P", NULL, AT + 9)), AT + 10);
}

/* Each examined member costs a limited number of steps, which is higher if the QSO has no mode. */
static void at_most_sixteen_members_under_one_free_callsign_are_examined(void **state)
{
    struct qso any = make_qso("1XX1/P", NULL, AT);
    struct identity bram = members[BRAM];
    struct arena arena = {0};
    (void)state;
    any.values[FIELD_MODE].state = VALUE_NULL;
    for (int i = 1; i <= 17; i++) {
        char callsign[16];
        snprintf(callsign, sizeof callsign, "9ZZ%d", i);
        struct member member = {
            .callsign = text_of(callsign), .login = text_of(callsign), .locator = text_of("JO59")};
        assert_int_equal(store_add_member(store, &member), STORE_DONE);
        assert_int_equal(store_find_member(store, &arena, text_of(callsign), &member), STORE_DONE);
        members[BRAM] = (struct identity){.member_id = member.id, .callsign = text_of("9ZZ")};
        save_many(BRAM, make_qso("21SD333", "1XX1/P", AT + (20 - i) * 1000), 300, 1000);
        int64_t nearest = AT + (20 - (i < 16 ? i : 16)) * 1000;
        assert_int_equal(save_within(any, 2000 + 2000 * i), nearest);
    }
    members[BRAM] = bram;
    arena_free(&arena);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_store, close_store)
    const struct CMUnitTest tests[] = {
        TEST(saving_costs_little_if_nothing_matches),
        TEST(qsos_of_another_mode_cost_nothing),
        TEST(heard_qsos_cost_nothing),
        TEST(qsos_on_another_channel_cost_nothing),
        TEST(qsos_too_early_or_too_late_cost_nothing),
        TEST(qsos_of_a_disabled_member_cost_nothing),
        TEST(the_members_own_qsos_cost_nothing),
        TEST(qsos_under_another_members_callsign_cost_nothing),
        TEST(the_nearest_of_many_matching_qsos_is_found),
        TEST(many_qsos_under_one_free_callsign_cost_nothing),
        TEST(at_most_sixteen_members_under_one_free_callsign_are_examined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
