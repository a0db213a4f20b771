/* Tests reading JSON while memory is short: if memory runs out, the process ends, and no value is
 * lost. A sanitizer has its own malloc, so these tests do not run with a sanitizer. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __SANITIZE_ADDRESS__
#include "unit-json.h"
#include "base/buffer.h"
#include "json/list.h"
#include "json/read.h"
#include "json/scan.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { WHOLE, ENDED, WRONG, UNLIMITED }; /* ENDED is the status of memory_give_up */

#define NUMBERS 20
#define LONG_NAME NUMBERS
#define STRING (LONG_NAME + 1)
static const char digits[] = "1234567890123456789012345678901234567890123456789012345678901234";

static int find_any(struct text name)
{
    int64_t number;
    return text_parse_integer(name, 0, NUMBERS - 1, &number) ? (int)number
           : name.length > 1                                 ? LONG_NAME
                                                             : STRING;
}

/* Returns a list of objects with numbers, a long name and a string, so that every kind of
 * allocation grows. */
static struct text body_of(int count, int numbers)
{
    struct buffer body = {0};
    buffer_append_string(&body, "{\"list\":[");
    for (int i = 0; i < count; i++) {
        buffer_append_string(&body, i ? ",{" : "{");
        for (int number = 0; number < numbers; number++)
            buffer_print(&body, "\"%d\":%s.5,", number, digits);
        buffer_print(&body, "\"%s\\u00e9%s\":[[]],\"x\":\"%s\"}", digits, digits, digits);
    }
    buffer_append_string(&body, "]}");
    return (struct text){body.bytes, body.length};
}

static bool is_whole(const struct json_list *list, int count, int numbers)
{
    bool whole = list->count == (size_t)count;
    for (int i = 0; i < count && whole; i++) {
        const struct json_value *values = list->elements[i];
        whole = values && values[LONG_NAME].kind == JSON_NESTED &&
                values[STRING].kind == JSON_STRING &&
                text_equals(values[STRING].text, text_of(digits));
        for (int number = 0; number < numbers && whole; number++)
            whole = values[number].kind == JSON_REAL;
    }
    return whole;
}

/* Limits the address space to its present size plus this number of bytes. Returns whether the limit
 * has an effect. */
static bool limit_memory(size_t more)
{
    unsigned long pages;
    FILE *sizes = fopen("/proc/self/statm", "r");
    if (!sizes || fscanf(sizes, "%lu", &pages) != 1)
        _exit(WRONG);
    const rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    if (setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}) != 0)
        _exit(WRONG);
    /* Under qemu, the limit has no effect. */
    return mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

static int read_within(size_t bytes, struct text body, int count, int numbers)
{
    static const struct json_list_plan every = {
        .list = "list", .elements_max = 10000, .fields_max = STRING + 1, .find = find_any};
    int status;
    const pid_t child = fork();
    if (child == 0) {
        struct json_list list;
        const char *message;
        if (!freopen("/dev/null", "w", stderr))
            _exit(WRONG);
        arena_allocate(&arena, 1);
        if (!limit_memory(bytes))
            _exit(UNLIMITED);
        const struct json_fields *object = json_read_object(body, &widest, &arena, &message);
        if (!object)
            _exit(WRONG);
        json_list_of(object, &every, &arena, &list);
        _exit(is_whole(&list, count, numbers) ? WHOLE : WRONG);
    }
    assert_true(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : WRONG;
}

/* json-c 0.16 loses values when an allocation fails, and reports success. */
static void lack_of_memory_ends_the_process_and_loses_no_value(void **state)
{
    static const int shapes[][2] = {{60, NUMBERS}, {100, 0}, {5000, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const int count = shapes[i][0], numbers = shapes[i][1];
        const struct text body = body_of(count, numbers);
        struct json_scanned scanned;
        int results[UNLIMITED + 1] = {0};
        assert_null(json_scan(body, &widest, &arena, &scanned));
        for (size_t step = 1; step <= 60; step++) {
            const int result = read_within(scanned.memory / 20 * step, body, count, numbers);
            if (result == WRONG)
                fail_msg("%zu of 20 parts of the memory lose a value", step);
            results[result]++;
        }
        assert_true(results[UNLIMITED] || (results[ENDED] >= 19 && results[WHOLE] > 0));
        print_message("%d objects are read with %d of 60 limits\n", count, results[WHOLE]);
        free((char *)(uintptr_t)body.bytes);
        arena_reset(&arena);
    }
}

static void too_many_values_are_refused_before_they_take_memory(void **state)
{
    const struct text body = list_of("{}", (8 << 20) / 3);
    const char *message;
    int status;
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        limit_memory(8 << 20);
        _exit(json_read_object(body, &widest, &arena, &message) ||
              strcmp(message, "contains too many names and values") != 0);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lack_of_memory_ends_the_process_and_loses_no_value),
        cmocka_unit_test(too_many_values_are_refused_before_they_take_memory),
    };
    return cmocka_run_group_tests_name("JSON and memory", tests, NULL, free_arena);
}
#else
int main(void)
{
    puts("1..0 # SKIP a sanitizer replaces malloc");
    return 0;
}
#endif
