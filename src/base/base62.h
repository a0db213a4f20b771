/* Numbers written with the 62 characters 0-9, A-Z, a-z, and the CRC-32 that a key ends with. */
#ifndef QSOSYNC_BASE_BASE62_H
#define QSOSYNC_BASE_BASE62_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the big-endian number in bytes as exactly `digits` base62 digits, most significant first,
 * padded with 0; no NUL. The caller asks for enough digits (43 for 32 bytes, 6 for 4 bytes). length
 * is at most 64 bytes. */
void base62_encode(const unsigned char *bytes, size_t length, char *out, size_t digits);

/* True if the character is one of the 62. */
bool base62_is_digit(char character);

/* CRC-32 as in ISO-HDLC and zlib (polynomial 0xEDB88320 reflected); of "123456789": 0xCBF43926. */
uint32_t base62_checksum(const void *bytes, size_t length);

#endif
