/* Tests that each log line is one write, and contains nothing that moves a terminal's cursor or
 * forges a line. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/log.h"

#if defined __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

/* A pipe in packet mode (O_DIRECT of pipe(2)) replaces standard error, so that each read returns
 * one write. */
static int saved_stderr;
static int read_end;

static int redirect_stderr(void **state)
{
    int ends[2];
    (void)state;
    if (pipe2(ends, O_DIRECT | O_CLOEXEC) != 0)
        return -1;
    read_end = ends[0];
    saved_stderr = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    return 0;
}

static int restore_stderr(void **state)
{
    (void)state;
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    close(read_end);
    log_set_program("qsosync");
    log_set_request("");
    return 0;
}

static void assert_written(const char *expected)
{
    char line[4096];
    ssize_t length = read(read_end, line, sizeof line - 1);
    assert_true(length >= 0);
    line[length] = '\0';
    assert_string_equal(line, expected);
}

static void a_line_names_the_program_and_the_request(void **state)
{
    (void)state;
    log_line("started %d", 1);
    assert_written("qsosync: started 1\n");
    log_set_program("qsosync-admin");
    log_set_request("0a1b");
    log_line("%s", "disk full");
    assert_written("qsosync-admin: [0a1b] disk full\n");
    log_set_request("");
    log_line("%s", "");
    assert_written("qsosync-admin: \n");
}

/* First, standard error is not the journal, although a journal exists. Then standard error is the
 * journal. A terminal as standard error cannot be tested here. */
static void a_line_begins_with_the_time_if_no_journal_adds_it(void **state)
{
    char line[4096] = "";
    struct stat status;
    char stream[64];
    (void)state;
    setenv("JOURNAL_STREAM", "1:2", 1);
    log_show_time();
    log_line("started");
    ssize_t length = read(read_end, line, sizeof line - 1);
    int64_t ms;
    assert_int_equal(length, DATETIME_TEXT_LENGTH + (ssize_t)strlen(" qsosync: started\n"));
    assert_true(datetime_parse((struct text){line, DATETIME_TEXT_LENGTH}, &ms));
    assert_true(ms <= clock_wall_ms());
    assert_string_equal(line + DATETIME_TEXT_LENGTH, " qsosync: started\n");
    log_line("%*d", 100000, 1);
    assert_int_equal(read(read_end, line, sizeof line), 2048);

    fstat(STDERR_FILENO, &status);
    snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
    setenv("JOURNAL_STREAM", stream, 1);
    log_show_time();
    log_line("started");
    assert_written("qsosync: started\n");
    unsetenv("JOURNAL_STREAM");
}

static void control_characters_become_question_marks(void **state)
{
    (void)state;
    log_line("%s", "a\nb\rc\td\x1b[31m\x7f");
    assert_written("qsosync: a?b?c?d?[31m?\n");
    log_line("%s", "\xc2\x9b"
                   "31m \xc2\xa0 \xc3\xb6 \xc2");
    assert_written("qsosync: ??31m \xc2\xa0 \xc3\xb6 \xc2\n");
    log_set_request("a\nb");
    log_line("c");
    assert_written("qsosync: [a?b] c\n");
}

static void a_long_line_is_cut_and_stays_one_line(void **state)
{
    char line[4096];
    (void)state;
    log_line("%*d", 100000, 1);
    log_line("next");
    ssize_t length = read(read_end, line, sizeof line);
    assert_int_equal(length, 2048);
    assert_int_equal(line[length - 1], '\n');
    assert_null(memchr(line, '\n', (size_t)length - 1));
    assert_written("qsosync: next\n");
}

static void an_unprintable_message_is_still_a_line(void **state)
{
    static const wchar_t no_character[] = {0xD800, 0};
    (void)state;
    log_line("a%lsb", no_character);
    assert_written("qsosync: \n");
}

static void logging_preserves_errno(void **state)
{
    (void)state;
    close(STDERR_FILENO);
    errno = ENOSPC;
    log_line("nobody reads this");
    assert_int_equal(errno, ENOSPC);
}

#ifndef HAS_ADDRESS_SANITIZER /* the sanitizer itself ends the program if malloc fails */
static void exhausted_memory_ends_the_process_with_a_line(void **state)
{
    static const struct {
        size_t bytes;
        bool from_arena;
    } cases[] = {
        {SIZE_MAX / 2 + 1, false},
        /* more than an obstack can count */
        {(size_t)INT_MAX + 1, true},
        {SIZE_MAX - 8, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            (void)(cases[i].from_arena ? arena_allocate(&arena, cases[i].bytes)
                                       : memory_allocate(cases[i].bytes));
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        char line[128];
        snprintf(line, sizeof line, "qsosync: out of memory: %zu bytes could not be allocated\n",
                 cases[i].bytes);
        assert_written(line);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_line_names_the_program_and_the_request, redirect_stderr,
                                        restore_stderr),
        cmocka_unit_test_setup_teardown(a_line_begins_with_the_time_if_no_journal_adds_it,
                                        redirect_stderr, restore_stderr),
        cmocka_unit_test_setup_teardown(control_characters_become_question_marks, redirect_stderr,
                                        restore_stderr),
        cmocka_unit_test_setup_teardown(a_long_line_is_cut_and_stays_one_line, redirect_stderr,
                                        restore_stderr),
        cmocka_unit_test_setup_teardown(an_unprintable_message_is_still_a_line, redirect_stderr,
                                        restore_stderr),
        cmocka_unit_test_setup_teardown(logging_preserves_errno, redirect_stderr, restore_stderr),
#ifndef HAS_ADDRESS_SANITIZER
        cmocka_unit_test_setup_teardown(exhausted_memory_ends_the_process_with_a_line,
                                        redirect_stderr, restore_stderr),
#endif
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
