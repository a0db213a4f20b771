/* Data that browsers send to sign in: cookies, forms, and their own names. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "http/cookie.h"
#include "http/device.h"
#include "http/form.h"

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

/* -- Cookies ----------------------------------------------------------------------------------- */

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

static void many_cookies_are_handled(void **state)
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

static void scripts_and_other_sites_cannot_read_a_cookie(void **state)
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

#define FIELDS_MAX 16

/* -- Forms ------------------------------------------------------------------------------------- */

static void fields_of_a_form_are_decoded(void **state)
{
    struct arena arena = {0};
    struct table form;
    (void)state;
    assert_null(
        form_read(text_of("a=1&b=x+y%2B%26%3D&c&=d&&e=%C3%A5="), FIELDS_MAX, &arena, &form));
    assert_int_equal(form.count, 5);
    assert_text(form_find(&form, "a"), "1");
    assert_text(form_find(&form, "b"), "x y+&=");
    assert_text(form_find(&form, "c"), "");
    assert_text(form_find(&form, ""), "d");
    assert_text(form_find(&form, "e"), "\xC3\xA5=");
    assert_text(form_find(&form, "f"), NULL);
    assert_null(form_read(text_of(""), FIELDS_MAX, &arena, &form));
    assert_int_equal(form.count, 0);
    arena_free(&arena);
}

static void an_invalid_form_is_refused(void **state)
{
    static const char *const cases[] = {"a=%",     "a=%4",  "a=%zz",   "%=a",      "a=%ff",
                                        "a=\xc3&", "a=%00", "a=1&a=1", "a=1&%61=2"};
    struct arena arena = {0};
    struct table form;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!form_read(text_of(cases[i]), FIELDS_MAX, &arena, &form))
            fail_msg("%s was accepted", cases[i]);
    struct buffer many = {0};
    for (int i = 0; i <= FIELDS_MAX; i++)
        buffer_print(&many, "f%d=&", i);
    assert_non_null(form_read((struct text){many.bytes, many.length}, FIELDS_MAX, &arena, &form));
    buffer_free(&many);
    arena_free(&arena);
}

/* -- Devices ----------------------------------------------------------------------------------- */

static void browsers_and_systems_are_named(void **state)
{
    static const struct {
        const char *user_agent, *name;
    } cases[] = {
        {"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
         "Firefox on Linux"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/141.0.0.0 Safari/537.36",
         "Chrome on Windows"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
         "Edge on Windows"},
        {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like "
         "Gecko) Version/18.0 Safari/605.1.15",
         "Safari on macOS"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
         "like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
         "Safari on iPhone"},
        {"Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) "
         "SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
         "Samsung Internet on Android"},
        {"Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
         "Firefox on Android"},
        {"curl/8.5.0", "A browser"},
        {"Linux", "A browser on Linux"},
        {"", "A browser"},
        {NULL, "A browser"},
        {"<script>alert(1)</script>\r\nX: y", "A browser"},
    };
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_text(device_name(&arena, cases[i].user_agent), cases[i].name);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cookie_is_found_by_its_name),
        cmocka_unit_test(many_cookies_are_handled),
        cmocka_unit_test(scripts_and_other_sites_cannot_read_a_cookie),
        cmocka_unit_test(fields_of_a_form_are_decoded),
        cmocka_unit_test(an_invalid_form_is_refused),
        cmocka_unit_test(browsers_and_systems_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
