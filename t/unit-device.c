/* Tests how the User-Agent header becomes the name of a device (src/http/device.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "http/device.h"

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

static void programs_are_named_as_they_introduce_themselves(void **state)
{
    static const struct {
        const char *user_agent, *name;
    } cases[] = {
        {"QSOmate/2.1", "QSOmate/2.1"},
        {" \tQSOmate/2.1 (Windows) ", "QSOmate/2.1 (Windows)"},
        {"a\r\n\x1b[31mb\x7f\xc3\xa4", "a [31mb"},
        {"1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890"},
        {"1234567890123456789012345678901234567890x", "1234567890123456789012345678901234567890"},
        {"123456789012345678901234567890123456789 x", "123456789012345678901234567890123456789"},
        {"Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
         "Firefox on Android"},
        {"Bearer qsosync_abc", NULL},
        {"qsosyncup_abc", NULL},
        {" \xc3\xa4", NULL},
        {"", NULL},
        {NULL, NULL},
    };
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_text(device_program(&arena, cases[i].user_agent), cases[i].name);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(browsers_and_systems_are_named),
        cmocka_unit_test(programs_are_named_as_they_introduce_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
