/* SHA-256 (FIPS 180-4). */
#ifndef QSOSYNC_BASE_SHA256_H
#define QSOSYNC_BASE_SHA256_H

#include <stddef.h>

#define SHA256_BYTES 32

/* Leaves nothing of the bytes on the stack: they may be a secret. */
void sha256_of(const void *bytes, size_t length, unsigned char out[SHA256_BYTES]);

#endif
