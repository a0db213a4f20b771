/* Computes SipHash-2-4 as specified in its paper, for tables whose keys are chosen by clients.
 * text_hash.c computes hashes that clients compare, such as entity tags. libcrypto's SipHash is not
 * used, because the cluster feed does not link libcrypto. */
#include "base/keyed_hash.h"

#include <endian.h>
#include <string.h>

#include "base/random.h"

static uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void mix_half(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, int bits,
                            int other_bits)
{
    *a += *b;
    *c += *d;
    *b = rotate(*b, bits) ^ *a;
    *d = rotate(*d, other_bits) ^ *c;
    *a = rotate(*a, 32);
}

static inline void mix(uint64_t v[4], int rounds)
{
    for (int i = 0; i < rounds; i++) {
        mix_half(&v[0], &v[1], &v[2], &v[3], 13, 16);
        mix_half(&v[2], &v[1], &v[0], &v[3], 17, 21);
    }
}

static inline void take(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
}

uint64_t keyed_hash_of(const struct keyed_hash *hash, const void *bytes, size_t length)
{
    uint64_t v[4] = {
        hash->key[0] ^ UINT64_C(0x736f6d6570736575), hash->key[1] ^ UINT64_C(0x646f72616e646f6d),
        hash->key[0] ^ UINT64_C(0x6c7967656e657261), hash->key[1] ^ UINT64_C(0x7465646279746573)};
    uint64_t word = 0;
    for (size_t at = 0; at + sizeof word <= length; at += sizeof word) {
        memcpy(&word, (const char *)bytes + at, sizeof word);
        take(v, le64toh(word));
    }
    word = 0;
    if (length % sizeof word > 0)
        memcpy(&word, (const char *)bytes + length / sizeof word * sizeof word,
               length % sizeof word);
    take(v, le64toh(word) | (uint64_t)length << 56);
    v[2] ^= 0xFF;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

struct keyed_hash keyed_hash_begin(void)
{
    struct keyed_hash made = {{0}};
    random_fill(&made, sizeof made);
    return made;
}
