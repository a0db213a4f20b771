/* Tests how cookies are read from a request and written into an answer (src/http/cookie.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "http/cookie.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_text(struct text text, const char *expected)
{
    if (!expected) {
        assert_null(text.bytes);
        return;
    }
    assert_non_null(text.bytes);
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.length);
}

static void a_cookie_is_found_by_its_name(void **state)
{
    static const struct {
        const char *header, *value;
    } cases[] = {
        {NULL, NULL},
        {"", NULL},
        {";;; ;", NULL},
        {"=", NULL},
        {"session", NULL},
        {"session=", ""},
        {"session=a", "a"},
        {" session = a ", "a"},
        {"other=b; session=a", "a"},
        {"session=a; other=b", "a"},
        {"session=a;other=b;", "a"},
        {"xsession=a; session2=b; Session=c", NULL},
        {"other=session=a", NULL},
        {"session=a=b", "a=b"},
        {"session=\"a\"", "\"a\""},
        {"session=a; session=a", "a"},
        {"session=a; session=b", NULL},
        {"session=a; session=", NULL},
        {"session=a; session=b; session=b", NULL},
        {"\xff\x01=\x02; session=a", "a"},
        {"other=\"; session=a\"", "a\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_text(cookie_find(cases[i].header, "session"), cases[i].value);
}

static void a_cookie_is_found_among_20000_cookies(void **state)
{
    struct buffer header = {0};
    (void)state;
    for (int i = 0; i < 20000; i++)
        buffer_print(&header, "c%d=%d; ", i, i);
    buffer_append_string(&header, "session=a");
    buffer_append(&header, "", 1);
    assert_text(cookie_find(header.bytes, "session"), "a");
    buffer_free(&header);
}

static void assert_set(const char *name, const char *value, int64_t seconds, const char *expected)
{
    struct response response = {0};
    cookie_set(&response, name, text_of(value), seconds);
    buffer_append(&response.head, "", 1);
    assert_string_equal(response.head.bytes, expected);
    buffer_free(&response.head);
}

static void scripts_and_other_sites_cannot_read_cookies(void **state)
{
    (void)state;
    assert_set("session", "a1", 60,
               "Set-Cookie: session=a1; Max-Age=60; Path=/; HttpOnly; SameSite=Strict\r\n");
    assert_set("__Host-session", "a1", 60,
               "Set-Cookie: __Host-session=a1; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; "
               "Secure\r\n");
    assert_set("session", NULL, 0,
               "Set-Cookie: session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cookie_is_found_by_its_name),
        cmocka_unit_test(a_cookie_is_found_among_20000_cookies),
        cmocka_unit_test(scripts_and_other_sites_cannot_read_cookies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
