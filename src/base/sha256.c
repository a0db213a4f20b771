/* SHA-256 with the names of FIPS 180-4: the schedule W, the constants K, the working variables a to
 * h. Keeps no state between calls, and reads no table at a place that depends on the text. */
#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64
#define LENGTH_BYTES 8 /* the number of bits, at the end of the last block */
#define ROUNDS 64
#define WORDS 8

static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t read_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_word(uint32_t word, unsigned char *bytes)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (24 - 8 * i));
}

static void expand(const unsigned char *block, uint32_t W[ROUNDS])
{
    for (int t = 0; t < 16; t++)
        W[t] = read_word(block + 4 * t);
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t s0 = rotate_right(W[t - 15], 7) ^ rotate_right(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = rotate_right(W[t - 2], 17) ^ rotate_right(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = W[t - 16] + s0 + W[t - 7] + s1;
    }
}

static void compress(uint32_t hash[WORDS], const unsigned char *block)
{
    uint32_t W[ROUNDS];
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];
    expand(block, W);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t sum1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t T1 = h + sum1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
        uint32_t sum0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t T2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }
    const uint32_t variables[WORDS] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < WORDS; i++)
        hash[i] += variables[i];
    explicit_bzero(W, sizeof W);
}

void sha256_digest(struct text text, unsigned char out[SHA256_BYTES])
{
    uint32_t hash[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char last[2 * BLOCK_BYTES] = {0};
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    size_t rest = text.length % BLOCK_BYTES, whole = text.length - rest;
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        compress(hash, bytes + at);

    /* A one bit and zeros come after the text; the length ends its block, or the one after. */
    size_t last_bytes = rest + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : sizeof last;
    if (rest > 0)
        memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    uint64_t bits = (uint64_t)text.length * 8;
    write_word((uint32_t)(bits >> 32), last + last_bytes - 8);
    write_word((uint32_t)bits, last + last_bytes - 4);
    for (size_t at = 0; at < last_bytes; at += BLOCK_BYTES)
        compress(hash, last + at);
    explicit_bzero(last, sizeof last);
    for (int i = 0; i < WORDS; i++)
        write_word(hash[i], out + 4 * i);
}
