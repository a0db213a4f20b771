/* Tests how UUIDs are parsed and formatted (src/base/uuid.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include "base/uuid.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void uuids_are_parsed_in_either_case(void **state)
{
    static const unsigned char expected[UUID_BYTES] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab,
                                                       0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98,
                                                       0x76, 0x54, 0x32, 0x10};
    static const char *const spellings[] = {
        "01234567-89ab-cdef-fedc-ba9876543210",
        "01234567-89AB-CDEF-FEDC-BA9876543210",
        "01234567-89Ab-cDeF-FeDc-bA9876543210",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(spellings); i++) {
        unsigned char uuid[UUID_BYTES] = {0};
        char text[UUID_TEXT_LENGTH + 1];
        assert_true(uuid_parse_text(text_of(spellings[i]), uuid));
        assert_memory_equal(uuid, expected, UUID_BYTES);
        uuid_format_text(uuid, text);
        assert_string_equal(text, spellings[0]);
    }
}

static void a_uuid_of_any_version_and_variant_is_parsed(void **state)
{
    static const char *const uuids[] = {
        "00000000-0000-0000-0000-000000000000", /* nil */
        "ffffffff-ffff-ffff-ffff-ffffffffffff", /* max */
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", /* 1 */
        "5df41881-3aed-3515-88a7-2f4a814cf09e", /* 3 */
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", /* 4 */
        "2ed6657d-e927-568b-95e1-2665a8aea6a2", /* 5 */
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", /* 7 */
        "9b1deb4d-3b7d-fbad-1bdd-2b0d7b3dcb6d", /* neither a known version nor variant */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(uuids); i++) {
        unsigned char uuid[UUID_BYTES];
        char text[UUID_TEXT_LENGTH + 1];
        assert_true(uuid_parse_text(text_of(uuids[i]), uuid));
        uuid_format_text(uuid, text);
        assert_string_equal(text, uuids[i]);
    }
}

static void other_spellings_of_a_uuid_are_refused(void **state)
{
    static const char *const cases[] = {
        "",
        "9b1deb4d",
        "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d0",
        "{9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d}",
        "{9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb}",
        "urn:uuid:9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d ",
        " 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
        " b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6\n",
        "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d----",
        "9b1deb4-d3b7d-4bad-9bdd-2b0d7b3dcb6d",
        "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3d-b6d",
        "9b1deb4d-3b7d-4bad-9bdd_2b0d7b3dcb6d",
        "+b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
        "0x1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
    };
    unsigned char uuid[UUID_BYTES];
    unsigned char untouched[UUID_BYTES];
    (void)state;
    memset(uuid, 0x5A, sizeof uuid);
    memset(untouched, 0x5A, sizeof untouched);
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (uuid_parse_text(text_of(cases[i]), uuid))
            fail_msg("%s was accepted", cases[i]);
        assert_memory_equal(uuid, untouched, UUID_BYTES);
    }
    assert_false(uuid_parse_text((struct text){NULL, 0}, uuid));
}

static void every_position_of_a_uuid_accepts_only_its_characters(void **state)
{
    (void)state;
    for (size_t place = 0; place < UUID_TEXT_LENGTH; place++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[] = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
            unsigned char uuid[UUID_BYTES];
            bool is_expected = text[place] == '-' ? byte == '-' : byte < 128 && isxdigit(byte);
            text[place] = (char)byte;
            if (uuid_parse_text((struct text){text, UUID_TEXT_LENGTH}, uuid) != is_expected)
                fail_msg("byte %d at place %zu", byte, place);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uuids_are_parsed_in_either_case),
        cmocka_unit_test(a_uuid_of_any_version_and_variant_is_parsed),
        cmocka_unit_test(other_spellings_of_a_uuid_are_refused),
        cmocka_unit_test(every_position_of_a_uuid_accepts_only_its_characters),
    };
    return cmocka_run_group_tests_name("UUID", tests, NULL, NULL);
}
