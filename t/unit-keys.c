/* Identifiers: base62 and its checksum, UUIDs, API keys. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/api_key.h"
#include "base/base62.h"
#include "base/crc32.h"
#include "base/uuid.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* -- Base62 ------------------------------------------------------------------------------------ */

static void assert_base62(const unsigned char *bytes, size_t length, const char *expected)
{
    char out[96];
    size_t digits = strlen(expected);
    memset(out, '#', sizeof out);
    base62_encode(bytes, length, out, digits);
    assert_memory_equal(out, expected, digits);
    assert_int_equal(out[digits], '#');
}

static void numbers_are_written_in_base62(void **state)
{
    unsigned char ones[64];
    (void)state;
    memset(ones, 0xFF, sizeof ones);
    assert_base62((const unsigned char[]){0}, 1, "0");
    assert_base62((const unsigned char[]){0}, 1, "000");
    assert_base62((const unsigned char[]){9}, 1, "9");
    assert_base62((const unsigned char[]){10}, 1, "A");
    assert_base62((const unsigned char[]){35}, 1, "Z");
    assert_base62((const unsigned char[]){36}, 1, "a");
    assert_base62((const unsigned char[]){61}, 1, "z");
    assert_base62((const unsigned char[]){62}, 1, "10");
    assert_base62((const unsigned char[]){0x0F, 0x03}, 2, "zz");
    assert_base62((const unsigned char[]){0x0F, 0x04}, 2, "100");
    assert_base62(ones, 4, "4gfFC3");
    assert_base62(ones, 8, "LygHa16AHYF");
    assert_base62(ones, 32, "yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1");
    assert_base62(ones, 64,
                  "xR9fAlrdKvCIINsqEkJZSfvkAt8lzmSSSSwEFE05v06E"
                  "BY3r5dlozuRxnvOf5LFQW8jES7aPVEzqA5lO3MW8I3");
    assert_base62(NULL, 0, "00");
}

static void the_checksum_of_a_key_is_crc_32(void **state)
{
    (void)state;
    assert_int_equal(crc32_of("123456789", 9), 0xCBF43926);
    assert_int_equal(crc32_of("", 0), 0);
    assert_int_equal(crc32_of("\0", 1), 0xD202EF8D);
    assert_int_equal(crc32_of("The quick brown fox jumps over the lazy dog", 43), 0x414FA339);
}

/* -- UUID -------------------------------------------------------------------------------------- */

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

/* -- API keys ---------------------------------------------------------------------------------- */

static struct text key_text(const char *key)
{
    return (struct text){key, API_KEY_LENGTH};
}

static void a_generated_key_has_the_documented_form(void **state)
{
    char key[API_KEY_LENGTH + 1];
    (void)state;
    for (int i = 0; i < 1000; i++) {
        api_key_make(API_KEY_KEY, key);
        assert_int_equal(strlen(key), API_KEY_LENGTH);
        assert_memory_equal(key, API_KEY_PREFIX, 8);
        assert_int_equal(strspn(key + 8, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "abcdefghijklmnopqrstuvwxyz"),
                         49);
        assert_true(api_key_is(API_KEY_KEY, key_text(key)));
    }
}

static void the_secret_of_a_link_is_generated_like_a_key(void **state)
{
    char link[API_KEY_LINK_LENGTH + 1];
    (void)state;
    api_key_make(API_KEY_LINK, link);
    assert_memory_equal(link, "qsosyncin_", 10);
    assert_int_equal(strlen(link), API_KEY_LINK_LENGTH);
    assert_false(api_key_is(API_KEY_TOKEN, text_of(link)));
}

static void a_cookie_is_43_characters_of_base62(void **state)
{
    char cookie[API_KEY_COOKIE_LENGTH + 1], another[API_KEY_COOKIE_LENGTH + 1];
    (void)state;
    api_key_make_cookie(cookie);
    api_key_make_cookie(another);
    assert_string_not_equal(cookie, another);
    assert_int_equal(strlen(cookie), 43);
    for (size_t i = 0; i < API_KEY_COOKIE_LENGTH; i++)
        assert_true(isalnum((unsigned char)cookie[i]));
}

static void generated_keys_differ(void **state)
{
    static char keys[500][API_KEY_LENGTH + 1];
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        api_key_make(API_KEY_KEY, keys[i]);
        for (size_t earlier = 0; earlier < i; earlier++)
            assert_string_not_equal(keys[i], keys[earlier]);
    }
}

/* A fixed key, whose checksum and fingerprint were computed by another program. */
static const char known_key[] = "qsosync_JAanpjzMehrxcMTxd5w2acQ8bcDyyCiBSPploaLC5Bk0aAq2V";

static void a_known_key_is_recognised(void **state)
{
    static const unsigned char expected[API_KEY_FINGERPRINT_BYTES] = {
        0x28, 0x03, 0x08, 0x89, 0x15, 0xc3, 0xf0, 0x01, 0xac, 0xcb, 0xc2,
        0x36, 0x57, 0x72, 0x90, 0xf7, 0x5d, 0x93, 0xb5, 0x28, 0x7e, 0x75,
        0xa8, 0x72, 0x7d, 0x50, 0x4a, 0x16, 0xd3, 0x6b, 0x0e, 0x5b,
    };
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    (void)state;
    assert_true(api_key_is(API_KEY_KEY, text_of(known_key)));
    api_key_fingerprint(text_of(known_key), fingerprint);
    assert_memory_equal(fingerprint, expected, sizeof expected);
}

static void assert_sha256(struct text text, const char *expected)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    char digits[2 * API_KEY_FINGERPRINT_BYTES + 1];
    api_key_fingerprint(text, fingerprint);
    for (size_t i = 0; i < sizeof fingerprint; i++)
        snprintf(digits + 2 * i, 3, "%02x", fingerprint[i]);
    assert_string_equal(digits, expected);
}

/* The examples of FIPS 180-2, appendix B, and the empty message of NIST's test vectors. */
static void a_fingerprint_is_sha_256(void **state)
{
    static char million[1000000];
    (void)state;
    memset(million, 'a', sizeof million);
    assert_sha256(text_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sha256(text_of("abc"),
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sha256(text_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_sha256((struct text){million, sizeof million},
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void every_wrong_character_of_a_key_is_detected(void **state)
{
    (void)state;
    for (size_t place = 0; place < API_KEY_LENGTH; place++) {
        for (int byte = 0; byte < 256; byte++) {
            char key[sizeof known_key];
            memcpy(key, known_key, sizeof key);
            key[place] = (char)byte;
            bool is_expected = key[place] == known_key[place];
            if (api_key_is(API_KEY_KEY, text_of(key)) && !is_expected)
                fail_msg("byte %d at place %zu", byte, place);
            assert_int_equal(api_key_is(API_KEY_KEY, key_text(key)), is_expected);
        }
    }
}

static void two_swapped_characters_of_a_key_are_detected(void **state)
{
    (void)state;
    for (size_t place = 0; place + 1 < API_KEY_LENGTH; place++) {
        char key[sizeof known_key];
        memcpy(key, known_key, sizeof key);
        key[place] = known_key[place + 1];
        key[place + 1] = known_key[place];
        assert_int_equal(api_key_is(API_KEY_KEY, key_text(key)),
                         known_key[place] == known_key[place + 1]);
    }
}

static void a_key_of_another_length_is_refused(void **state)
{
    char longer[sizeof known_key + 1];
    (void)state;
    memcpy(longer, known_key, API_KEY_LENGTH);
    longer[API_KEY_LENGTH] = '0';
    for (size_t length = 0; length <= API_KEY_LENGTH + 1; length++) {
        assert_int_equal(api_key_is(API_KEY_KEY, (struct text){longer, length}),
                         length == API_KEY_LENGTH);
    }
    assert_false(api_key_is(API_KEY_KEY, (struct text){NULL, 0}));
}

static void wiping_leaves_zero_bytes(void **state)
{
    char key[] = "qsosync_secret";
    const char zeros[sizeof key] = {0};
    (void)state;
    explicit_bzero(key, sizeof key);
    assert_memory_equal(key, zeros, sizeof key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_in_base62),
        cmocka_unit_test(the_checksum_of_a_key_is_crc_32),
        cmocka_unit_test(uuids_are_parsed_in_either_case),
        cmocka_unit_test(a_uuid_of_any_version_and_variant_is_parsed),
        cmocka_unit_test(other_spellings_of_a_uuid_are_refused),
        cmocka_unit_test(every_position_of_a_uuid_accepts_only_its_characters),
        cmocka_unit_test(a_generated_key_has_the_documented_form),
        cmocka_unit_test(the_secret_of_a_link_is_generated_like_a_key),
        cmocka_unit_test(a_cookie_is_43_characters_of_base62),
        cmocka_unit_test(generated_keys_differ),
        cmocka_unit_test(a_known_key_is_recognised),
        cmocka_unit_test(a_fingerprint_is_sha_256),
        cmocka_unit_test(every_wrong_character_of_a_key_is_detected),
        cmocka_unit_test(two_swapped_characters_of_a_key_are_detected),
        cmocka_unit_test(a_key_of_another_length_is_refused),
        cmocka_unit_test(wiping_leaves_zero_bytes),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
