/* SipHash-2-4 as its paper has it, for tables whose keys clients choose. Hashes that anybody else
 * compares, such as entity tags, are made elsewhere (text.c). It is not that of libcrypto, without
 * which the cluster feed does. */
#include "base/keyed_hash.h"

#include <endian.h>
#include <string.h>
#include <sys/random.h>

struct state {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static void mix(struct state *state, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        state->v0 += state->v1;
        state->v2 += state->v3;
        state->v1 = rotate(state->v1, 13) ^ state->v0;
        state->v3 = rotate(state->v3, 16) ^ state->v2;
        state->v0 = rotate(state->v0, 32);
        state->v2 += state->v1;
        state->v0 += state->v3;
        state->v1 = rotate(state->v1, 17) ^ state->v2;
        state->v3 = rotate(state->v3, 21) ^ state->v0;
        state->v2 = rotate(state->v2, 32);
    }
}

static void take(struct state *state, uint64_t word)
{
    state->v3 ^= word;
    mix(state, 2);
    state->v0 ^= word;
}

static uint64_t read_word(const unsigned char *bytes, size_t length)
{
    uint64_t word = 0;
    memcpy(&word, bytes, length);
    return le64toh(word);
}

uint64_t keyed_hash_of(const struct keyed_hash *hash, const void *bytes, size_t length)
{
    struct state state = {
        hash->key[0] ^ UINT64_C(0x736f6d6570736575), hash->key[1] ^ UINT64_C(0x646f72616e646f6d),
        hash->key[0] ^ UINT64_C(0x6c7967656e657261), hash->key[1] ^ UINT64_C(0x7465646279746573)};
    const unsigned char *byte = bytes;
    size_t rest = length;
    for (; rest >= 8; rest -= 8, byte += 8)
        take(&state, read_word(byte, 8));
    take(&state, (rest ? read_word(byte, rest) : 0) | (uint64_t)length << 56);
    state.v2 ^= 0xFF;
    mix(&state, 4);
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

struct keyed_hash keyed_hash_begin(void)
{
    struct keyed_hash made = {{0}};
    random_fill(&made, sizeof made);
    return made;
}

/* Random bytes from the system call getrandom(2), which needs no file: a sandbox may have closed
 * them. Without them nothing secret can be made, so a failure is told to the caller, who makes
 * none. */

bool random_fill(void *out, size_t length)
{
    return getrandom(out, length, 0) == (ssize_t)length;
}
