/* Tests how processes share files. Two open files with one name represent two processes. */
#include "base/shared_file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/unit-shared-file-XXXXXX";
static char database[64], path[64];

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(database, sizeof database, "%s/logbook.db", folder);
    snprintf(path, sizeof path, "%s/logbook.db-lock", folder);
    FILE *file = fopen(database, "w");
    return !file || fclose(file) != 0 || chmod(database, 0640) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return unlink(database) != 0 || rmdir(folder) != 0;
}

static void a_shared_file_has_the_mode_of_the_database(void **state)
{
    struct shared_file shared;
    struct stat status;
    (void)state;
    assert_true(shared_file_open(&shared, database, "-lock"));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    shared_file_close(&shared);
    assert_int_equal(shared.file, -1);
}

static void a_symbolic_link_is_refused(void **state)
{
    struct shared_file shared;
    struct stat status;
    (void)state;
    assert_int_equal(chmod(database, 0600), 0);
    assert_int_equal(symlink(database, path), 0);
    assert_false(shared_file_open(&shared, database, "-lock"));
    assert_int_equal(errno, ELOOP);
    assert_int_equal(shared.file, -1);
    assert_int_equal(stat(database, &status), 0);
    assert_int_equal(status.st_size, 0);
    assert_int_equal(chmod(database, 0640), 0);
}

static void a_hard_link_is_refused(void **state)
{
    struct shared_file shared;
    struct stat status;
    (void)state;
    assert_int_equal(chmod(database, 0600), 0);
    assert_int_equal(link(database, path), 0);
    assert_false(shared_file_open(&shared, database, "-lock"));
    assert_int_equal(errno, EMLINK);
    assert_int_equal(shared.file, -1);
    assert_int_equal(stat(database, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(chmod(database, 0640), 0);
}

static void opening_for_reading_creates_no_file(void **state)
{
    struct shared_file shared;
    char bytes[4] = "";
    (void)state;
    assert_false(shared_file_read(database, "-lock", bytes, sizeof bytes));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(shared_file_open(&shared, database, "-lock"));
    assert_false(shared_file_read(database, "-lock", bytes, sizeof bytes));
    assert_int_equal(errno, ENODATA);
    assert_true(shared_file_map(&shared, 100));
    strcpy(shared.map, "one");
    assert_true(shared_file_read(database, "-lock", bytes, sizeof bytes));
    assert_string_equal(bytes, "one");
    shared_file_close(&shared);
}

static void a_process_sees_the_writes_of_another(void **state)
{
    struct shared_file one, other;
    struct stat status;
    (void)state;
    assert_true(shared_file_open(&one, database, "-lock"));
    assert_true(shared_file_open(&other, database, "-lock"));
    assert_true(shared_file_map(&one, 10000));
    assert_true(shared_file_map(&other, 10000));
    strcpy((char *)one.map + 9000, "seen");
    assert_string_equal((char *)other.map + 9000, "seen");
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_blocks * 512 >= 10000);
    shared_file_close(&one);
    shared_file_close(&other);
}

static void locks_exclude_each_other_byte_by_byte(void **state)
{
    struct shared_file one, other;
    (void)state;
    assert_true(shared_file_open(&one, database, "-lock"));
    assert_true(shared_file_open(&other, database, "-lock"));
    assert_true(shared_file_try_lock(&one, 0));
    assert_false(shared_file_try_lock(&other, 0));
    assert_true(errno == EAGAIN || errno == EACCES);
    assert_true(shared_file_wait_lock(&other, 1));
    shared_file_unlock(&one, 0);
    assert_true(shared_file_try_lock(&other, 0));
    shared_file_close(&other);
    assert_true(shared_file_try_lock(&one, 0));
    shared_file_close(&one);
}

static void a_name_that_is_too_long_is_refused(void **state)
{
    struct shared_file shared;
    char name[5000];
    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(shared_file_open(&shared, name, "-lock"));
    assert_int_equal(errno, ENAMETOOLONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_shared_file_has_the_mode_of_the_database, remove_file),
        cmocka_unit_test_teardown(a_symbolic_link_is_refused, remove_file),
        cmocka_unit_test_teardown(a_hard_link_is_refused, remove_file),
        cmocka_unit_test_teardown(opening_for_reading_creates_no_file, remove_file),
        cmocka_unit_test_teardown(a_process_sees_the_writes_of_another, remove_file),
        cmocka_unit_test_teardown(locks_exclude_each_other_byte_by_byte, remove_file),
        cmocka_unit_test(a_name_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
