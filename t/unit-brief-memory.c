/* The memory that SQLite has in a CGI program, used by SQLite's own functions for it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <string.h>

#include "database/brief_memory.h"

#define SIZE_MAX_TRIED 10000 /* from small pieces to the C library's */
#define STEP 7

static void assert_filled(const unsigned char *bytes, size_t length, int with)
{
    for (size_t i = 0; i < length; i++)
        assert_int_equal(bytes[i], with);
}

static void pieces_of_all_sizes_lie_apart(void **state)
{
    static unsigned char *pieces[SIZE_MAX_TRIED + 1];
    (void)state;
    for (int size = 1; size <= SIZE_MAX_TRIED; size += STEP) {
        pieces[size] = sqlite3_malloc(size);
        assert_non_null(pieces[size]);
        assert_int_equal((uintptr_t)pieces[size] % 8, 0);
        assert_in_range(sqlite3_msize(pieces[size]), size, size + 7);
        memset(pieces[size], size % 251, sqlite3_msize(pieces[size]));
    }
    for (int size = 1; size <= SIZE_MAX_TRIED; size += STEP) {
        assert_filled(pieces[size], sqlite3_msize(pieces[size]), size % 251);
        sqlite3_free(pieces[size]);
    }
}

static void a_piece_keeps_its_content_when_it_grows_and_shrinks(void **state)
{
    unsigned char *piece = NULL;
    int had = 0;
    (void)state;
    for (int i = 1; i <= SIZE_MAX_TRIED; i++) {
        int size = 1 + i * 1237 % SIZE_MAX_TRIED;
        piece = sqlite3_realloc(piece, size);
        assert_non_null(piece);
        assert_filled(piece, (size_t)(had < size ? had : size), i % 251);
        memset(piece, (i + 1) % 251, (size_t)size);
        had = size;
    }
    sqlite3_free(piece);
}

static void what_was_given_back_is_used_again(void **state)
{
    void *first = sqlite3_malloc(100), *second = sqlite3_malloc(100);
    (void)state;
    sqlite3_free(first);
    void *third = sqlite3_malloc(99);
    assert_ptr_equal(third, first);
    sqlite3_free(second);
    sqlite3_free(third);
}

static int begin(void **state)
{
    (void)state;
    brief_memory_use();
    return sqlite3_initialize() == SQLITE_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_all_sizes_lie_apart),
        cmocka_unit_test(a_piece_keeps_its_content_when_it_grows_and_shrinks),
        cmocka_unit_test(what_was_given_back_is_used_again),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
