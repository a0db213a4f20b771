/* Tests that a password must be hard to guess, and that a hash belongs to only one password. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/resource.h>

#include "base/password.h"
#include "base/password_choice.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define U_UMLAUT "\xc3\xbc"         /* one code point */
#define U_AND_DIAERESIS "u\xcc\x88" /* the same letter as two code points */
#define EURO "\xe2\x82\xac"

static const char *judge(const char *password)
{
    return password_find_fault(text_of(password), text_of("21-SD-333"));
}

static void common_passwords_are_refused(void **state)
{
    static const char *const common[] = {
        "password12", "Password1!",     "P@ssw0rd123",   "passwordpassword", "1234567890",
        "0987654321", "qwertyuiop",     "Qwertz12345",   "1q2w3e4r5t",       "1qaz2wsx3edc",
        "iloveyou12", "abcdefghij",     "12345678901",   "asdfghjkl;",       "Passwort2024",
        "welkom1234", "hunter2hunter2", "administrator", "zaq12wsxcde3",     "qsosync2026",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(common); i++) {
        const char *fault = judge(common[i]);
        if (!fault || strcmp(fault, "is one of the commonest") != 0)
            fail_msg("%s: %s", common[i], fault ? fault : "accepted");
    }
}

static void a_password_of_a_few_repeated_characters_is_refused(void **state)
{
    static const char sentence[] = "must not repeat a few characters";
    char equal[201] = "";
    (void)state;
    memset(equal, 'a', sizeof equal - 1);
    assert_string_equal(judge(equal), sentence);
    assert_string_equal(judge("0000000000"), sentence);
    assert_string_equal(judge("abababababab"), sentence);
    assert_string_equal(judge("aaaaaaaaaaabbbbbbbbbbb"), sentence);
    assert_string_equal(judge(U_UMLAUT U_UMLAUT U_UMLAUT U_UMLAUT U_UMLAUT U_UMLAUT U_UMLAUT
                                  U_UMLAUT U_UMLAUT U_UMLAUT),
                        sentence);
}

static void other_passwords_are_accepted(void **state)
{
    static const char *const others[] = {
        "correct horse battery staple",
        "a good password",
        "Zw4nzig Meter",
        "kmXq7-pTr2",
        "dragon monkey master hunter",
        "21SD333 im Wohnzimmer",
        "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c 1984",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++)
        if (judge(others[i]))
            fail_msg("%s: %s", others[i], judge(others[i]));
}

static void a_callsign_is_refused_in_every_spelling(void **state)
{
    static const char *const spellings[] = {"21-SD-333-",     "21 sd 333 1", "21.sd.333..",
                                            "21sd33321SD333", "21SD333-123", "password21sd333"};
    (void)state;
    for (size_t i = 0; i < COUNT(spellings); i++) {
        assert_non_null(judge(spellings[i]));
        assert_string_equal(judge(spellings[i]), "must not be the callsign");
    }
    assert_null(password_find_fault(text_of("21SD333 alpha"), text_of("21SD333")));
    assert_string_equal(password_find_fault(text_of("\xC3\xA4\xC3\xB6"
                                                    "1x--\xC3\xA4\xC3\x96"
                                                    "1X"),
                                            text_of("\xC3\x84\xC3\x96-1X")),
                        "must not be the callsign");
}

static void lengths_are_counted_in_characters(void **state)
{
    char text[1024] = "";
    (void)state;
    assert_string_equal(judge("kmXq7-pTr"), "must be at least 10 characters long");
    assert_string_equal(judge(""), "must be at least 10 characters long");
    assert_string_equal(judge("kmXq7-p" U_AND_DIAERESIS U_AND_DIAERESIS),
                        "must be at least 10 characters long");
    strcpy(text, "kmXq7");
    for (int i = 5; i < 200; i++)
        strcat(text, EURO);
    assert_null(judge(text));
    strcat(text, EURO);
    assert_string_equal(judge(text), "must be at most 200 characters long");
    assert_string_equal(judge("kmXq7-pTr2\n"), "must not contain control characters");
    assert_string_equal(password_find_fault((struct text){"kmXq7\0-pTr2", 11}, text_of("1XY2")),
                        "must not contain control characters");
    assert_string_equal(judge("kmXq7-pTr2\xff"), "must be UTF-8");
}

static void assert_verified(bool expected, const char *password, const char *hash)
{
    assert_int_equal(password_verify(text_of(password), text_of(hash)), expected);
}

static void a_hash_matches_only_one_password(void **state)
{
    char hash[PASSWORD_HASH_BYTES], again[PASSWORD_HASH_BYTES];
    (void)state;
    assert_true(password_hash(text_of("T" U_UMLAUT "r zu, bitte"), hash));
    assert_true(password_hash(text_of("T" U_UMLAUT "r zu, bitte"), again));
    assert_memory_equal(hash, "$y$j9T$", 7);
    assert_string_not_equal(hash, again);
    assert_verified(true, "T" U_UMLAUT "r zu, bitte", hash);
    assert_verified(true, "T" U_AND_DIAERESIS "r zu, bitte", hash);
    assert_verified(false, "t" U_UMLAUT "r zu, bitte", hash);
    assert_verified(false, "T" U_UMLAUT "r zu, bitte ", hash);
    assert_verified(false, "", hash);
    assert_int_equal(password_verify((struct text){"T\xc3\xbcr zu, bitte\0", 15}, text_of(hash)),
                     false);
    assert_false(password_hash(text_of("\xff"), hash));
    assert_string_equal(hash, "");
}

static void long_passwords_are_compared_to_their_end(void **state)
{
    char hash[PASSWORD_HASH_BYTES], text[1024] = "";
    (void)state;
    for (int i = 0; i < 200; i++)
        strcat(text, EURO);
    assert_true(password_hash(text_of(text), hash));
    assert_verified(true, text, hash);
    text[strlen(text) - 3] = '\0';
    assert_verified(false, text, hash);
}

static void no_password_matches_a_missing_hash(void **state)
{
    (void)state;
    assert_verified(false, "no password", NULL);
    assert_verified(false, "no password", "");
    assert_verified(false, "no password", "*0");
    assert_verified(false, "no password", "$5$rounds=1000$salt$x");
    assert_verified(false, "no password", "$y$");
}

/* Returns the memory that yescrypt fills, in pages that the system provided. */
static long pages_for(struct text hash)
{
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    password_verify(text_of("a password of somebody"), hash);
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
}

static void an_unknown_login_costs_as_much_as_a_member(void **state)
{
    char hash[PASSWORD_HASH_BYTES];
    (void)state;
    assert_true(password_hash(text_of("a password of a member"), hash));
    long of_member = pages_for(text_of(hash)), of_nobody = pages_for((struct text){0});
    assert_true(of_member > 0);
    assert_in_range(of_nobody, of_member / 10, of_member * 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_passwords_are_refused),
        cmocka_unit_test(a_password_of_a_few_repeated_characters_is_refused),
        cmocka_unit_test(other_passwords_are_accepted),
        cmocka_unit_test(a_callsign_is_refused_in_every_spelling),
        cmocka_unit_test(lengths_are_counted_in_characters),
        cmocka_unit_test(a_hash_matches_only_one_password),
        cmocka_unit_test(long_passwords_are_compared_to_their_end),
        cmocka_unit_test(no_password_matches_a_missing_hash),
        cmocka_unit_test(an_unknown_login_costs_as_much_as_a_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
