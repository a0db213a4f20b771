/* JSON from outside: texts that only json-c accepts are refused, and values that it changes arrive
 * as sent. A failed allocation is neither a value nor the lack of a value. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json/list.h"
#include "json/read.h"
#include "json/scan.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct arena arena;

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static int find_x(struct text name)
{
    return text_equals(name, text_of("x")) ? 0 : -1;
}

static const struct json_list_plan plan = {
    .list = "list", .elements_max = 100, .fields_max = 1, .find = find_x};

static const struct json_bounds widest = {.items_max = JSON_ITEMS_MAX};

static bool read_list(struct text body, struct json_list *list, const char **message)
{
    const struct json_fields *object = json_read_object(body, &widest, &arena, message);
    if (object)
        json_list_of(object, &plan, &arena, list);
    return object != NULL;
}

/* NULL: the text is accepted. */
static const char *refusal_of(const char *json)
{
    const char *message;
    const struct json_fields *object = json_read_object(text_of(json), &widest, &arena, &message);
    assert_true((object == NULL) == (message != NULL));
    return message;
}

/* The value of this text as a field of a list's object. */
static struct json_value value_of(const char *json)
{
    const char *body = arena_print(&arena, "{\"list\":[{\"x\":%s}]}", json), *message;
    struct json_list list;
    if (!read_list(text_of(body), &list, &message))
        fail_msg("%s %s", json, message);
    assert_true(list.is_array && list.count == 1);
    return list.elements[0][0];
}

static void strings_contain_their_decoded_escapes(void **state)
{
    static const struct {
        const char *written;
        const char *meant;
        size_t length;
        const char *lost;
    } cases[] = {
        {"", "", 0, NULL},
        {"plain", "plain", 5, NULL},
        {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 8, NULL},
        {"a\\u0041b", "aAb", 3, NULL},
        {"\\u007f\\u0080", "\x7f\xc2\x80", 3, NULL},
        {"\\u07FF\\u0800", "\xdf\xbf\xe0\xa0\x80", 5, NULL},
        {"\\uFFFF", "\xef\xbf\xbf", 3, NULL},
        {"\\uD800\\uDC00", "\xf0\x90\x80\x80", 4, NULL},
        {"\\udbff\\udfff", "\xf4\x8f\xbf\xbf", 4, NULL},
        {"\\\\u0041", "\\u0041", 6, NULL},
        {"\\u0000", "\0", 1, "0000"},
        {"x\\ud83dy", "x\0y", 3, "d83d"},
        {"\\udC00", "\0", 1, "dC00"},
        {"\\ud83d\\ud83d\\ude00", "\0\xf0\x9f\x98\x80", 5, "d83d"},
        {"\\uD83D\\n\\u0000", "\0\n\0", 3, "D83D0000"},
        {"\\ud83d\\u0041", "\0A", 2, "d83d"},
        {"\\u00000000",
         "\0"
         "0000",
         5, "0000"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_value value = value_of(arena_print(&arena, "\"%s\"", cases[i].written));
        assert_int_equal(value.kind, JSON_STRING);
        if (value.text.length != cases[i].length ||
            memcmp(value.text.bytes, cases[i].meant, value.text.length) != 0)
            fail_msg("%s does not read as its decoded text", cases[i].written);
        assert_true((value.lost != NULL) == (cases[i].lost != NULL));
        if (value.lost)
            assert_memory_equal(value.lost, cases[i].lost, strlen(cases[i].lost));
    }
}

static void texts_that_only_json_c_accepts_are_refused(void **state)
{
    static const char *const laxities[] = {
        "{\"a\":-01}",
        "{\"a\":-012}",
        "{\"a\":2.}",
        "{\"a\":-2.}",
        "{\"a\":0.e1}",
        "{\"a\":2.e3}",
        "{\"a\":2.e+3}",
        "{\"a\":2.e-3}",
        "{\"a\":-.123}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":-Infinity}",
        "{'a':0}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\t\"}",
        "{\"a\":1,}",
        "{\"a\":1 , }",
        "{\"a\":[1,]}",
        "{\"a\":[1,],\"b\":2}",
        "{,}",
        "{\"a\":[,1]}",
        "{\"a\":1,,\"b\":2}",
        "{\"a\":True}",
        "{\"a\":1}{}",
        "{\"a\":1} 2",
        "{\"a\":1},",
        "{\"a\":1}]",
        "{\"a\":1} /* */",
        "{\"a\":1,/* */\"b\":2}",
    };
    const char *message;
    (void)state;
    for (size_t i = 0; i < COUNT(laxities); i++)
        if (!refusal_of(laxities[i]))
            fail_msg("%s is accepted", laxities[i]);
    for (char control = 1; control < 0x20; control++)
        assert_string_equal(refusal_of(arena_print(&arena, "{\"%c\":1}", control)),
                            "contains a control character inside a string");
    assert_null(json_read_object((struct text){"{\"a\":1}\0", 8}, &widest, &arena, &message));
    assert_string_equal(message, "is not well-formed JSON");
}

static void numbers_are_checked_as_they_were_sent(void **state)
{
    static const struct {
        const char *written;
        enum json_kind kind;
        int64_t integer;
        double real;
    } cases[] = {
        {"0", JSON_INTEGER, 0, 0},
        {"-0", JSON_INTEGER, 0, 0},
        {"-5", JSON_INTEGER, -5, 0},
        {"999999999999999999", JSON_INTEGER, 999999999999999999, 0},
        {"1234567890123456789", JSON_REAL, 0, 1234567890123456789.0},
        {"-9223372036854775809", JSON_REAL, 0, -9223372036854775808.0},
        {"18446744073709551616", JSON_REAL, 0, 18446744073709551616.0},
        {"123456789012345678901234567890", JSON_REAL, 0, 123456789012345678901234567890.0},
        {"5.0", JSON_REAL, 0, 5},
        {"1E2", JSON_REAL, 0, 100},
        {"-12.5e1", JSON_REAL, 0, -125},
        {"1e999", JSON_REAL, 0, INFINITY},
        {"-1e-999", JSON_REAL, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_value value = value_of(cases[i].written);
        if (value.kind != cases[i].kind ||
            (value.kind == JSON_INTEGER ? value.integer != cases[i].integer
                                        : value.real != cases[i].real))
            fail_msg("%s is another number", cases[i].written);
    }
}

static void a_name_with_a_nul_matches_no_field(void **state)
{
    static const char *const names[] = {"x\\u0000", "x\\u0000b", "\\u0000x", "x\\ud800", "?"};
    const char *message;
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *body = arena_print(&arena, "{\"%s\" :\"y\\u0000\",\"y\":1}", names[i]);
        const struct json_fields *object =
            json_read_object(text_of(body), &widest, &arena, &message);
        assert_non_null(object);
        assert_false(json_has(object, "x"));
        assert_true(json_has(object, "y"));
    }
}

static void the_last_of_two_fields_with_one_name_counts(void **state)
{
    const char *message;
    int64_t count;
    (void)state;
    const struct json_fields *object =
        json_read_object(text_of("{\"a\":\"x\",\"b\":{\"c\":1,\"c\":2},\"a\":\"\",\"a\":7}"),
                         &widest, &arena, &message);
    assert_non_null(object);
    assert_null(json_read_text(object, "a").bytes);
    assert_true(json_read_count(object, "a", &count) && count == 7);
}

/* {"list":[piece,piece,...]} with this many pieces. */
static struct text list_of(const char *piece, int count)
{
    size_t length = strlen(piece), at = 9;
    char *body = arena_allocate(&arena, 9 + (length + 1) * (size_t)count + 2);
    memcpy(body, "{\"list\":[", 9);
    for (int i = 0; i < count; i++) {
        memcpy(body + at, piece, length);
        at += length;
        body[at++] = ',';
    }
    memcpy(body + at - 1, "]}", 2);
    return (struct text){body, at + 1};
}

static void names_values_and_nesting_have_bounds(void **state)
{
    static const struct {
        const char *piece;
        int items;
    } cases[] = {{"1", 1}, {"\"\"", 1}, {"{}", 1}, {"[]", 1}, {"{\"\":null}", 3}};
    const char *message;
    struct json_list list;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int most = (JSON_ITEMS_MAX - 3) / cases[i].items; /* in addition to object, name and list */
        assert_true(read_list(list_of(cases[i].piece, most), &list, &message));
        assert_int_equal(list.count, most);
        assert_false(read_list(list_of(cases[i].piece, most + 1), &list, &message));
        assert_string_equal(message, "contains too many names and values");
        arena_reset(&arena);
    }
    char deep[2 * JSON_NESTING_MAX + 10];
    for (int depth = JSON_NESTING_MAX; depth <= JSON_NESTING_MAX + 1; depth++) {
        char *at = stpcpy(deep, "{\"a\":");
        memset(at, '[', (size_t)depth - 1);
        at[depth - 1] = '1';
        memset(at + depth, ']', (size_t)depth - 1);
        strcpy(at + 2 * depth - 1, "}");
        assert_true((refusal_of(deep) == NULL) == (depth == JSON_NESTING_MAX));
    }
}

/* NULL: the text is read within these bounds. */
static const char *refusal_within(const struct json_bounds *bounds, const char *json)
{
    const char *message;
    return json_read_object(text_of(json), bounds, &arena, &message) ? NULL : message;
}

static void reading_stops_at_the_bounds_of_its_caller(void **state)
{
    static const struct json_bounds four = {.items_max = 4}, lists = {.items_max = 100,
                                                                      .lists = {"list", "other"},
                                                                      .elements_max = 2};
    (void)state;
    assert_null(refusal_within(&four, "{\"a\":[1]}"));
    assert_null(refusal_within(&four, "{\"\\u0061\":[1]}"));
    assert_string_equal(refusal_within(&four, "{\"a\":[1,2]}"),
                        "contains too many names and values");
    assert_string_equal(refusal_within(&four, "{\"a\":[1,2 and what follows is not looked at"),
                        "contains too many names and values");
    static const char *const short_ones[] = {"{\"list\":[1,{\"a\":[1,2,3]}]}",
                                             "{\"list\":[[1,2,3],{}],\"other\":[1,2]}",
                                             "{\"x\":[1,2,3]}",
                                             "{\"x\":{\"list\":[1,2,3]}}",
                                             "{\"list\":{\"a\":[1,2,3]}}",
                                             "{\"list\":1,\"x\":[1,2,3]}",
                                             "{\"list\":\"other\",\"x\":[1,2,3]}"};
    static const char *const long_ones[] = {"{\"list\":[1,2,3]}", "{ \"list\" : [ {}, \"\", [] ] }",
                                            "{\"list\":[1,2],\"other\":[1,2,3]}",
                                            "{\"l\\u0069st\":[1,2,3]}",
                                            "{\"list\":[1,[],{} and what follows is not looked at"};
    for (size_t i = 0; i < COUNT(short_ones); i++)
        if (refusal_within(&lists, short_ones[i]))
            fail_msg("%s is refused", short_ones[i]);
    for (size_t i = 0; i < COUNT(long_ones); i++)
        if (refusal_within(&lists, long_ones[i]) != json_list_too_long)
            fail_msg("%s is not a list that is too long", long_ones[i]);
}

/* -- Failed allocations ------------------------------------------------------------------------ */

#ifndef __SANITIZE_ADDRESS__
/* The number of the allocation that fails, counted from now; 0: none. */
static int failing;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static bool fails(void)
{
    return failing > 0 && --failing == 0;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

enum { WHOLE, LACKING, WRONG };

/* Reads a body that makes every kind of allocation grow: a table of names, a list, a string, a
 * number. */
static int read_while_one_fails(int number)
{
    struct json_value *value;
    struct json_list list;
    const char *message,
        *notes = "1234567890123456789012345678901234567890123456789012345678901234";
    char body[8192], *at = body + sprintf(body, "{\"list\":[");
    for (int i = 0; i < 40; i++) {
        for (int name = 0; i == 0 && name < 20; name++)
            at += sprintf(at, "%s\"%d\":%s.5", name ? "," : "{", name, notes);
        at += sprintf(at, "%s\"x\":\"%s\"}%s", i ? "{" : ",", notes, i < 39 ? "," : "]}");
    }
    arena_allocate(&arena, 1);
    failing = number;
    bool is_read = read_list(text_of(body), &list, &message);
    failing = 0;
    if (!is_read)
        return message ? WRONG : LACKING;
    for (int i = 0; i < 40; i++) {
        value = list.count == 40 ? list.elements[i] : NULL;
        if (!value || value->kind != JSON_STRING || !text_equals(value->text, text_of(notes)))
            return WRONG;
    }
    return WHOLE;
}

/* json-c 0.16 crashes if it cannot copy a name, and a failure elsewhere may also end the process:
 * nothing is stored then. */
static void a_failed_allocation_is_not_a_value(void **state)
{
    int results[3] = {0}, ended = 0;
    (void)state;
    for (int number = 1; number < 600; number++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            signal(SIGSEGV, SIG_DFL); /* not cmocka's handler, which continues */
            if (!freopen("/dev/null", "w", stderr))
                _exit(WRONG);
            _exit(read_while_one_fails(number));
        }
        assert_true(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status))
            ended++;
        else if (WEXITSTATUS(status) == WRONG)
            fail_msg("allocation %d of a body fails, but a different body is read", number);
        else
            results[WEXITSTATUS(status)]++;
    }
    assert_true(results[WHOLE] > 0 && results[LACKING] > 100);
    print_message("%d of 599 failed allocations are reported, %d end the process\n",
                  results[LACKING], ended);
}

/* Asserts the result of reading a list of this many empty objects with this many more MiB of
 * memory. */
static void assert_read_within(rlim_t mib, int count, const char *expected)
{
    struct text body = list_of("{}", count);
    unsigned long pages;
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct json_list list;
        const char *message;
        FILE *sizes = fopen("/proc/self/statm", "r");
        if (!sizes || fscanf(sizes, "%lu", &pages) != 1 || !freopen("/dev/null", "w", stderr))
            _exit(2);
        rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (mib << 20);
        if (setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}) != 0)
            _exit(2);
        if (mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
            _exit(0); /* under qemu the limit has no effect */
        if (read_list(body, &list, &message))
            _exit(2);
        _exit(expected ? !message || strcmp(message, expected) != 0 : message != NULL);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    arena_reset(&arena);
}

static void too_many_values_are_refused_before_they_take_memory(void **state)
{
    (void)state;
    assert_read_within(8, (8 << 20) / 3, "contains too many names and values");
}

static void lack_of_memory_is_not_reported_as_a_fault_of_the_text(void **state)
{
    (void)state;
    for (rlim_t mib = 1; mib <= 64; mib *= 2)
        assert_read_within(mib, 100000, NULL);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_contain_their_decoded_escapes),
        cmocka_unit_test(texts_that_only_json_c_accepts_are_refused),
        cmocka_unit_test(numbers_are_checked_as_they_were_sent),
        cmocka_unit_test(a_name_with_a_nul_matches_no_field),
        cmocka_unit_test(the_last_of_two_fields_with_one_name_counts),
        cmocka_unit_test(names_values_and_nesting_have_bounds),
        cmocka_unit_test(reading_stops_at_the_bounds_of_its_caller),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(a_failed_allocation_is_not_a_value),
        cmocka_unit_test(too_many_values_are_refused_before_they_take_memory),
        cmocka_unit_test(lack_of_memory_is_not_reported_as_a_fault_of_the_text),
#endif
    };
    return cmocka_run_group_tests_name("json", tests, NULL, free_arena);
}
