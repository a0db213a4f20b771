/* Tests printing texts into arrays of a fixed size (src/base/format.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/format.h"

static void a_printed_text_never_exceeds_its_array(void **state)
{
    (void)state;
    for (size_t size = 1; size < 8; size++) {
        char *out = malloc(size); /* for the address sanitizer */
        const size_t length = format_cut(out, size, "%s", "four");
        assert_int_equal(length, size > 4 ? 4 : size - 1);
        assert_int_equal(strlen(out), length);
        assert_memory_equal(out, "four", length);
        assert_int_equal(format_whole(out, size, "%s", "four"), size > 4);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_printed_text_never_exceeds_its_array),
    };
    return cmocka_run_group_tests_name("printed text", tests, NULL, NULL);
}
