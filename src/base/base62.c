/* Base62 and CRC-32, the two encodings of an API key.
 *
 * Knows nothing of keys, and has no decoder, because keys are only compared. */
#include "base/base62.h"

#include <assert.h>
#include <string.h>

#define BYTES_MAX 64

void base62_encode(const unsigned char *bytes, size_t length, char *out, size_t digits)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    unsigned char quotient[BYTES_MAX] = {0};
    assert(length <= BYTES_MAX);
    if (length > 0)
        memcpy(quotient, bytes, length);
    unsigned left = 0;
    for (size_t digit = digits; digit > 0; digit--) {
        unsigned remainder = 0;
        left = 0;
        for (size_t i = 0; i < length; i++) {
            unsigned dividend = remainder << 8 | quotient[i];
            quotient[i] = (unsigned char)(dividend / 62);
            remainder = dividend % 62;
            left |= quotient[i];
        }
        out[digit - 1] = alphabet[remainder];
    }
    assert(left == 0); /* the digits hold the whole number, so quotient keeps no part of a key */
}

bool base62_is_digit(char character)
{
    return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
           (character >= 'a' && character <= 'z');
}

uint32_t base62_checksum(const void *bytes, size_t length)
{
    /* The remainders of all half bytes: a small table, and fast enough for one key a request. */
    static const uint32_t table[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
        0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
    };
    const unsigned char *byte = bytes;
    uint32_t remainder = 0xFFFFFFFF;
    for (size_t i = 0; i < length; i++) {
        remainder ^= byte[i];
        remainder = remainder >> 4 ^ table[remainder & 15];
        remainder = remainder >> 4 ^ table[remainder & 15];
    }
    return ~remainder;
}
