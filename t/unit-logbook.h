/* Provides a logbook for unit tests of the store. Each test has its own logbook with the members
 * Anna and Bram. TEST(name) in the list of tests calls set_up and tear_down. */
#ifndef QSOSYNC_T_UNIT_LOGBOOK_H
#define QSOSYNC_T_UNIT_LOGBOOK_H

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
#include "store/club/club.h"
#include "store/log/logbook.h"
#include "store/people/keys.h"
#include "store/people/links.h"
#include "store/people/members.h"
#include "store/people/passwords.h"
#include "store/people/sessions.h"
#include "store/store.h"
#include "store/transaction.h"

#define HASH "$y$j9T$first"

static char folder[64];

static struct store *store;

static struct arena arena;

static int64_t anna, bram;

static inline void execute(const char *sql)
{
    assert_int_equal(sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL), SQLITE_OK);
}

static inline int64_t number_of(const char *sql)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(store->database->handle, sql, -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static inline int64_t add_member(const char *callsign, const char *login)
{
    struct member member = {
        .callsign = text_of(callsign), .locator = text_of("JO22"), .login = text_of(login)};
    assert_int_equal(store_add_member(store, &member), STORE_DONE);
    assert_int_equal(store_find_member(store, &arena, text_of(callsign), &member), STORE_DONE);
    return member.id;
}

/* The tests identify cookies and links by numbers. */
static char cookies[SESSION_MAX + 2][SESSION_COOKIE_SIZE];

static const unsigned char *print_of(int link)
{
    static unsigned char print[API_KEY_FINGERPRINT_BYTES];
    memcpy(print, &link, sizeof link);
    return print;
}

static inline struct sign_in sign_in_of(const char *name)
{
    struct sign_in sign_in;
    assert_int_equal(store_find_sign_in(store, &arena, text_of(name), &sign_in), STORE_DONE);
    return sign_in;
}

static inline void open_session(const char *name, int number)
{
    struct sign_in sign_in = sign_in_of(name);
    assert_int_equal(
        store_open_session(store, &sign_in, text_of("Firefox on Linux"), cookies[number]),
        STORE_DONE);
}

static inline enum store_result find_session(int number, struct identity *identity)
{
    unsigned char print[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(text_of(cookies[number]), print);
    return store_find_credential(store, CREDENTIAL_SESSION, &arena, print, clock_wall_ms(),
                                 identity);
}

static inline bool is_signed_in(int number)
{
    struct identity identity;
    return find_session(number, &identity) == STORE_DONE;
}

static inline enum link_outcome use_link(int link, int session)
{
    enum link_outcome outcome;
    enum sign_in_link kind;
    assert_int_equal(store_use_link(store, print_of(link), text_of("Chrome on Android"),
                                    cookies[session], &outcome, &kind),
                     STORE_DONE);
    return outcome;
}

static inline void add_link(int64_t member_id, enum sign_in_link kind, int number)
{
    assert_int_equal(store_add_link(store, member_id, kind, print_of(number), DEVICE_LINK_MS),
                     STORE_DONE);
}

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
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

#endif
