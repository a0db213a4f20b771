/* Computes CRC-32 four bits at a time. */
#include "base/crc32.h"

uint32_t crc32_of(const void *bytes, size_t length)
{
    return crc32_extend(0, bytes, length);
}

uint32_t crc32_extend(uint32_t checksum, const void *bytes, size_t length)
{
    /* the remainders of the numbers 0 to 15 */
    static const uint32_t remainders[] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                          0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                          0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                          0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    const unsigned char *byte = bytes;
    uint32_t remainder = ~checksum;
    for (size_t i = 0; i < length; i++) {
        remainder ^= byte[i];
        remainder = remainder >> 4 ^ remainders[remainder & 15];
        remainder = remainder >> 4 ^ remainders[remainder & 15];
    }
    return ~remainder;
}
