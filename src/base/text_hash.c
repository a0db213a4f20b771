/* Computes FNV-1a. For tables whose keys are chosen by clients, keyed_hash.c computes the
 * hashes. */
#include "base/text_hash.h"

uint64_t text_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * ((UINT64_C(1) << 40) + 0x1b3);
    return hash;
}
