/* Tests that a table of routes is refused if a row lacks the limits for bodies, or allows more than
 * a stranger may send. */
#include "worker/route.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#define STORE_ROUTE(verb, who, holds)                                                              \
    {                                                                                              \
        .method = METHOD_##verb, .path = "/x", .access = ACCESS_##who, .use = USES_STORE,          \
        .body = holds                                                                              \
    }

static const struct route_body unread,
    few = {.bytes_max = BODY_UNKNOWN_MAX_BYTES}, many = {.bytes_max = BODY_UNKNOWN_MAX_BYTES + 1},
    whole = {.bytes_max = REQUEST_BODY_MAX_BYTES, .json = {.items_max = JSON_ITEMS_MAX}},
    too_many = {.bytes_max = REQUEST_BODY_MAX_BYTES + 1},
    endless = {.bytes_max = 1, .json = {.items_max = JSON_ITEMS_MAX + 1}};

/* Returns whether the table is accepted. The line for the log is discarded. */
static bool is_taken(const struct route *route)
{
    const struct route other = STORE_ROUTE(GET, PUBLIC, NULL);
    const struct route *const routes[] = {&other, route, NULL};
    const int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_true(errors >= 0 && dup2(nowhere, STDERR_FILENO) >= 0);
    const bool taken = routes_check(routes);
    assert_true(dup2(errors, STDERR_FILENO) >= 0);
    close(errors);
    close(nowhere);
    return taken;
}

static void a_row_that_accepts_bodies_states_their_limits(void **state)
{
    static const struct route with[] = {
        STORE_ROUTE(POST, PUBLIC, &unread),   STORE_ROUTE(POST, PUBLIC, &few),
        STORE_ROUTE(PUT, MEMBER, &many),      STORE_ROUTE(POST, WRITE_KEY, &whole),
        STORE_ROUTE(POST, UPLOADS, &whole),   STORE_ROUTE(GET, MEMBER, NULL),
        STORE_ROUTE(DELETE, WRITE_KEY, NULL),
    };
    static const struct route without[] = {
        STORE_ROUTE(POST, PUBLIC, NULL),      STORE_ROUTE(POST, MEMBER, NULL),
        STORE_ROUTE(PUT, MEMBER, NULL),       STORE_ROUTE(GET, MEMBER, &few),
        STORE_ROUTE(DELETE, MEMBER, &few),    STORE_ROUTE(POST, PUBLIC, &many),
        STORE_ROUTE(POST, MEMBER, &too_many), STORE_ROUTE(POST, MEMBER, &endless),
    };
    (void)state;
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (!is_taken(&with[i]))
            fail_msg("row %zu with limits is refused", i);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (is_taken(&without[i]))
            fail_msg("row %zu without limits is accepted", i);
}

static void no_body_is_read_inside_a_transaction(void **state)
{
    static const struct route route = {.method = METHOD_POST,
                                       .path = "/x",
                                       .access = ACCESS_MEMBER,
                                       .use = USES_SNAPSHOT,
                                       .body = &few};
    (void)state;
    assert_false(is_taken(&route));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_that_accepts_bodies_states_their_limits),
        cmocka_unit_test(no_body_is_read_inside_a_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
