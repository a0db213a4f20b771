/* Computes CRC-32 bit by bit, without a table, because a key is short. */
#include "base/crc32.h"

uint32_t crc32_of(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint32_t remainder = 0xFFFFFFFF;
    for (size_t i = 0; i < length; i++) {
        remainder ^= byte[i];
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder >> 1 ^ (remainder & 1 ? 0xEDB88320 : 0);
    }
    return ~remainder;
}
