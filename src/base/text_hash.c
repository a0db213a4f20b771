/* Computes FNV-1a. keyed_hash.c computes hashes of keys that clients choose. */
#include "base/text_hash.h"

uint64_t text_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * ((UINT64_C(1) << 40) + 0x1b3);
    return hash;
}
