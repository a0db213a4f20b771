/* SHA-256 by the book: words and names are those of the standard, FIPS 180-4 (sections 4 to 6). A
 * library that has it takes longer to be loaded than a CGI program takes for its request. What it
 * takes does not depend on the bytes, but on their number alone. */
#include "base/sha256.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64
#define ROUNDS 64

/* Of the cube roots of the first 64 primes the first 32 bits behind the point. */
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

/* Of the square roots of the first eight. */
static const uint32_t beginning[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotr(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

/* The message schedule of a block. */
static void make_schedule(const unsigned char *block, uint32_t W[ROUNDS])
{
    memcpy(W, block, BLOCK_BYTES);
    for (int t = 0; t < 16; t++)
        W[t] = be32toh(W[t]);
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t two = W[t - 2], fifteen = W[t - 15];
        uint32_t sigma1 = rotr(two, 17) ^ rotr(two, 19) ^ two >> 10;
        uint32_t sigma0 = rotr(fifteen, 7) ^ rotr(fifteen, 18) ^ fifteen >> 3;
        W[t] = sigma1 + W[t - 7] + sigma0 + W[t - 16];
    }
}

static void add_block(uint32_t H[8], const unsigned char *block)
{
    uint32_t W[ROUNDS];
    uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
    make_schedule(block, W);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
        uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        uint32_t T1 = h + sum1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
        uint32_t T2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + T1;
        d = c, c = b, b = a, a = T1 + T2;
    }
    H[0] += a, H[1] += b, H[2] += c, H[3] += d;
    H[4] += e, H[5] += f, H[6] += g, H[7] += h;
    explicit_bzero(W, sizeof W);
}

/* What is left of the message, a one, zeros, and its length in bits: one block, or two. */
static void add_end(uint32_t H[8], const unsigned char *rest, size_t rest_bytes, size_t length)
{
    unsigned char padded[2 * BLOCK_BYTES] = {0};
    uint64_t bits = htobe64((uint64_t)length * 8);
    size_t size = rest_bytes + 1 + sizeof bits <= BLOCK_BYTES ? BLOCK_BYTES : sizeof padded;
    if (rest_bytes > 0)
        memcpy(padded, rest, rest_bytes);
    padded[rest_bytes] = 0x80;
    memcpy(padded + size - sizeof bits, &bits, sizeof bits);
    for (size_t at = 0; at < size; at += BLOCK_BYTES)
        add_block(H, padded + at);
    explicit_bzero(padded, sizeof padded);
}

void sha256_of(const void *bytes, size_t length, unsigned char out[SHA256_BYTES])
{
    const unsigned char *message = bytes;
    uint32_t H[8];
    size_t whole = length / BLOCK_BYTES * BLOCK_BYTES;
    memcpy(H, beginning, sizeof H);
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        add_block(H, message + at);
    add_end(H, whole < length ? message + whole : NULL, length - whole, length);
    for (int i = 0; i < 8; i++)
        H[i] = htobe32(H[i]);
    memcpy(out, H, SHA256_BYTES);
    explicit_bzero(H, sizeof H);
}
