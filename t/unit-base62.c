/* Tests numbers in base62, and the checksum CRC-32 (src/base/base62.c, src/base/crc32.c). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/base62.h"
#include "base/crc32.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_in_base62),
        cmocka_unit_test(the_checksum_of_a_key_is_crc_32),
    };
    return cmocka_run_group_tests_name("base62 and CRC-32", tests, NULL, NULL);
}
