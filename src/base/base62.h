/* Numbers written with the 62 characters 0-9, A-Z, a-z. */
#ifndef QSOSYNC_BASE_BASE62_H
#define QSOSYNC_BASE_BASE62_H

#include <stddef.h>

/* Writes the big-endian number in `bytes` as exactly `digits` base62 digits, most significant
 * first, padded with 0, without a NUL. `digits` must be large enough (43 for 32 bytes, 6 for 4
 * bytes). */
void base62_encode(const unsigned char *bytes, size_t length, char *out, size_t digits);

#endif
