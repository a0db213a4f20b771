/* Tests the shares of a program's workers. Many workers can run in one process, because their locks
 * belong to open files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/network.h"
#include "worker/shares.h"

#define WORKERS_MAX 40

static char folder[64], database[96];
static struct worker {
    struct shared_file table;
    struct shares shares;
} workers[WORKERS_MAX];

static struct client of(const char *address, int64_t member_id)
{
    struct client client = {.member_id = member_id};
    network_of(address, &client.network);
    return client;
}

static void start(int number, int program, uint64_t socket)
{
    struct worker *worker = &workers[number];
    assert_true(rate_limit_open(&worker->table, database));
    worker->shares = (struct shares){.table = &worker->table, .program = program, .socket = socket};
    shares_enter(&worker->shares);
    assert_true(worker->shares.entry >= 0);
}

/* Starts this many workers on a socket (0: each worker has its own socket). */
static void start_all(int count, uint64_t socket)
{
    for (int i = 0; i < count; i++)
        start(i, 0, socket ? socket : (uint64_t)(100 + i));
}

/* Closes the worker's file, as the kernel does if a worker is killed. */
static void kill_worker(int number)
{
    shared_file_close(&workers[number].table);
}

static bool takes(int number, const char *address, int64_t member_id)
{
    const struct client client = of(address, member_id);
    return shares_take(&workers[number].shares, &client);
}

static bool waits(int number, const char *address, int64_t member_id)
{
    const struct client client = of(address, member_id);
    return shares_wait(&workers[number].shares, &client);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/qsosync-unit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(database, sizeof database, "%s/logbook.db", folder);
    for (int i = 0; i < WORKERS_MAX; i++)
        workers[i].table = SHARED_FILE_CLOSED;
    return 0;
}

static int tear_down(void **state)
{
    char path[128];
    (void)state;
    for (int i = 0; i < WORKERS_MAX; i++)
        kill_worker(i);
    snprintf(path, sizeof path, "%s-limits", database);
    unlink(path);
    return rmdir(folder);
}

static void an_address_uses_half_of_the_workers_on_a_socket(void **state)
{
    (void)state;
    for (int count = 2; count <= 9; count++) {
        start_all(count, 7);
        for (int i = 0; i < count; i++)
            assert_int_equal(takes(i, "192.0.2.1", 0), i < count / 2);
        assert_true(takes(count - 1, "192.0.2.2", 0));
        for (int i = 0; i < count; i++)
            kill_worker(i);
    }
}

static void a_single_worker_is_always_granted(void **state)
{
    (void)state;
    start(0, 0, 7);
    assert_true(takes(0, "192.0.2.1", 5));
    shares_release(&workers[0].shares);
    assert_true(takes(0, "192.0.2.1", 5));
}

static void an_ipv6_network_counts_as_one_address(void **state)
{
    (void)state;
    start_all(4, 7);
    assert_true(takes(0, "2001:db8:1:2::1", 0));
    assert_true(takes(1, "2001:db8:1:2::2", 0));
    assert_false(takes(2, "2001:db8:1:2:ffff::", 0));
    assert_true(takes(2, "2001:db8:1:3::1", 0));
}

static void a_member_uses_half_of_the_workers_from_all_addresses(void **state)
{
    (void)state;
    start_all(4, 7);
    assert_true(takes(0, "192.0.2.1", 5));
    assert_true(takes(1, "192.0.2.2", 5));
    assert_true(takes(2, "192.0.2.3", 0));
    assert_false(takes(2, "192.0.2.3", 5));
    assert_true(takes(2, "192.0.2.3", 6));
    assert_true(takes(3, "192.0.2.1", 0));
}

static void a_worker_does_not_count_its_own_earlier_share(void **state)
{
    (void)state;
    start_all(2, 7);
    assert_true(takes(0, "192.0.2.1", 0));
    assert_true(takes(0, "192.0.2.1", 5));
}

static void a_released_share_can_be_taken(void **state)
{
    (void)state;
    start_all(4, 7);
    assert_true(takes(0, "192.0.2.1", 0));
    assert_true(takes(1, "192.0.2.1", 0));
    assert_false(takes(2, "192.0.2.1", 0));
    shares_release(&workers[0].shares);
    assert_true(takes(2, "192.0.2.1", 0));
    assert_false(takes(0, "192.0.2.1", 0));
}

static void a_killed_worker_keeps_no_share(void **state)
{
    (void)state;
    start_all(6, 7);
    assert_true(takes(5, "192.0.2.1", 5));
    assert_true(takes(4, "192.0.2.1", 5));
    assert_true(takes(3, "192.0.2.1", 5));
    assert_false(takes(0, "192.0.2.1", 5));
    kill_worker(5);
    assert_false(takes(0, "192.0.2.1", 5)); /* the address has two of the five workers */
    kill_worker(4);
    assert_true(takes(0, "192.0.2.1", 5));
    start(4, 0, 7);
    start(5, 0, 7);
    assert_true(takes(4, "192.0.2.1", 5));
}

static void programs_have_workers_of_their_own(void **state)
{
    (void)state;
    start(0, 0, 7);
    start(1, 0, 7);
    start(2, 1, 8);
    start(3, 1, 8);
    assert_true(takes(0, "192.0.2.1", 5));
    assert_true(takes(2, "192.0.2.1", 5));
    assert_false(takes(1, "192.0.2.1", 0));
    assert_false(takes(3, "192.0.2.1", 0));
}

/* Each worker has its own socket, as under mod_fcgid. */
static void workers_with_sockets_of_their_own_have_a_fixed_share(void **state)
{
    (void)state;
    start_all(WORKERS_MAX, 0);
    for (int i = 0; i < WORKERS_MAX; i++)
        assert_int_equal(takes(i, "192.0.2.1", 0), i < 2);
    assert_true(takes(WORKERS_MAX - 1, "192.0.2.2", 0));
}

static void only_a_few_waiting_requests_hold_a_started_worker(void **state)
{
    (void)state;
    start_all(WORKERS_MAX, 0);
    for (int i = 0; i < WORKERS_MAX; i++)
        assert_int_equal(takes(i, "192.0.2.1", 0), i < 2);
    for (int i = 2; i < WORKERS_MAX; i++)
        assert_int_equal(waits(i, "192.0.2.1", 0), i < 2 + 12);
    assert_true(takes(30, "192.0.2.2", 0));
    shares_release(&workers[0].shares);
    assert_true(takes(2, "192.0.2.1", 0));
    assert_true(waits(0, "192.0.2.1", 0));
}

static void waiting_requests_never_hold_the_last_two_started_workers(void **state)
{
    (void)state;
    start_all(8, 0);
    assert_true(takes(0, "192.0.2.1", 0));
    assert_true(takes(1, "192.0.2.1", 0));
    for (int i = 2; i < 8; i++)
        assert_int_equal(waits(i, "192.0.2.1", 0), i < 6);
    kill_worker(7); /* now another worker can start */
    assert_true(waits(6, "192.0.2.1", 0));
}

static void plain_cgi_programs_have_a_fixed_share(void **state)
{
    (void)state;
    for (int i = 0; i < WORKERS_MAX; i++)
        start(i, 0, 0);
    for (int i = 0; i < WORKERS_MAX; i++)
        assert_int_equal(takes(i, "192.0.2.1", 0), i < 2);
    for (int i = 2; i < WORKERS_MAX; i++)
        assert_true(waits(i, "192.0.2.1", 0));
    assert_true(takes(WORKERS_MAX - 1, "192.0.2.2", 0));
}

static void waiting_requests_on_a_shared_socket_hold_no_worker(void **state)
{
    (void)state;
    start_all(4, 7);
    assert_true(takes(0, "192.0.2.1", 0));
    assert_true(takes(1, "192.0.2.1", 0));
    for (int i = 0; i < 100; i++)
        assert_true(waits(2 + i % 2, "192.0.2.1", 0));
    assert_true(takes(2, "192.0.2.2", 0));
    assert_true(takes(3, "192.0.2.2", 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_address_uses_half_of_the_workers_on_a_socket),
        TEST(a_single_worker_is_always_granted),
        TEST(an_ipv6_network_counts_as_one_address),
        TEST(a_member_uses_half_of_the_workers_from_all_addresses),
        TEST(a_worker_does_not_count_its_own_earlier_share),
        TEST(a_released_share_can_be_taken),
        TEST(a_killed_worker_keeps_no_share),
        TEST(programs_have_workers_of_their_own),
        TEST(workers_with_sockets_of_their_own_have_a_fixed_share),
        TEST(only_a_few_waiting_requests_hold_a_started_worker),
        TEST(waiting_requests_never_hold_the_last_two_started_workers),
        TEST(plain_cgi_programs_have_a_fixed_share),
        TEST(waiting_requests_on_a_shared_socket_hold_no_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
