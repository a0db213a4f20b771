/* Tests how API keys and the secrets of links and cookies are generated and recognised
 * (src/base/api_key.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/api_key.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct text key_text(const char *key)
{
    return (struct text){key, API_KEY_LENGTH};
}

static void a_generated_key_has_the_documented_format(void **state)
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

/* Another program computed the checksum and fingerprint of this key. */
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

/* The examples are from FIPS 180-2, appendix B. The empty message is from NIST's test vectors. */
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
        cmocka_unit_test(a_generated_key_has_the_documented_format),
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
    return cmocka_run_group_tests_name("API keys", tests, NULL, NULL);
}
