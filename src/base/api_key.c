/* API keys: making them, recognising their form, taking their fingerprint.
 *
 * Never stores a key, compares two of them or writes one anywhere but to its caller, and wipes
 * what it held on the way. */
#include "base/api_key.h"

#include <assert.h>
#include <ctype.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/keyed_hash.h"

#define SECRET_BYTES 32
#define SECRET_DIGITS 43 /* 62^43 > 2^256 */
#define CHECKSUM_DIGITS 6

#define KIND(prefix)                                                                               \
    {                                                                                              \
        prefix, sizeof prefix - 1, sizeof prefix - 1 + API_KEY_DIGITS                              \
    }

static const struct {
    const char *prefix;
    size_t prefix_length, length;
} kinds[] = {
    [API_KEY_KEY] = KIND(API_KEY_PREFIX),       [API_KEY_TOKEN] = KIND(API_KEY_TOKEN_PREFIX),
    [API_KEY_POLO] = KIND(API_KEY_POLO_PREFIX), [API_KEY_LINK] = KIND(API_KEY_LINK_PREFIX),
    [API_KEY_PEER] = KIND(API_KEY_PEER_PREFIX),
};

_Static_assert(SECRET_DIGITS + CHECKSUM_DIGITS == API_KEY_DIGITS, "the parts make up a key");
_Static_assert(SECRET_DIGITS == API_KEY_COOKIE_LENGTH, "a cookie is the secret alone");

/* Writes the checksum of the characters before it. */
static void write_checksum(const char *key, size_t checked_length, char *out)
{
    uint32_t checksum = base62_checksum(key, checked_length);
    const unsigned char bytes[4] = {
        (unsigned char)(checksum >> 24),
        (unsigned char)(checksum >> 16),
        (unsigned char)(checksum >> 8),
        (unsigned char)checksum,
    };
    base62_encode(bytes, sizeof bytes, out, CHECKSUM_DIGITS);
}

static bool make_secret(char out[SECRET_DIGITS])
{
    unsigned char secret[SECRET_BYTES];
    bool made = random_fill(secret, sizeof secret);
    if (made)
        base62_encode(secret, sizeof secret, out, SECRET_DIGITS);
    explicit_bzero(secret, sizeof secret);
    return made;
}

bool api_key_make(enum api_key_kind kind, char *out)
{
    const size_t checked_length = kinds[kind].length - CHECKSUM_DIGITS;
    memset(out, 0, kinds[kind].length + 1);
    if (!make_secret(out + kinds[kind].prefix_length))
        return false;
    memcpy(out, kinds[kind].prefix, kinds[kind].prefix_length);
    write_checksum(out, checked_length, out + checked_length);
    return true;
}

bool api_key_is(enum api_key_kind kind, struct text key)
{
    char checksum[CHECKSUM_DIGITS];
    const size_t checked_length = kinds[kind].length - CHECKSUM_DIGITS;
    if (key.length != kinds[kind].length ||
        memcmp(key.bytes, kinds[kind].prefix, kinds[kind].prefix_length) != 0)
        return false;
    for (size_t i = kinds[kind].prefix_length; i < key.length; i++)
        if (!isalnum((unsigned char)key.bytes[i]))
            return false;
    write_checksum(key.bytes, checked_length, checksum);
    return memcmp(key.bytes + checked_length, checksum, CHECKSUM_DIGITS) == 0;
}

bool api_key_make_cookie(char out[API_KEY_COOKIE_LENGTH + 1])
{
    memset(out, 0, API_KEY_COOKIE_LENGTH + 1);
    return make_secret(out);
}

void api_key_start_small(void)
{
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS |
                            OPENSSL_INIT_NO_ADD_ALL_DIGESTS | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS,
                        NULL);
}

/* In a context of its own: no file of the machine decides what a key's fingerprint is, and libcurl,
 * which the doctor loads, finds libcrypto as it expects it. Kept as long as the program runs. */
static const EVP_MD *find_sha256(void)
{
    static EVP_MD *sha256;
    if (sha256)
        return sha256;
    sha256 = EVP_MD_fetch(OSSL_LIB_CTX_new(), "SHA256", NULL);
    return sha256;
}

void api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES])
{
    const EVP_MD *sha256 = find_sha256();
    if (!sha256 || EVP_Digest(key.bytes, key.length, out, NULL, sha256, NULL) != 1) {
        log_line("out of memory: libcrypto has no SHA-256");
        _exit(1);
    }
}

/* Base62 and CRC-32, the two encodings of an API key.
 *
 * Knows nothing of keys, and has no decoder, because keys are only compared. */

#define BYTES_MAX 64

void base62_encode(const unsigned char *bytes, size_t length, char *out, size_t digits)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    unsigned char quotient[BYTES_MAX] = {0};
    assert(length <= BYTES_MAX);
    if (length > 0)
        memcpy(quotient, bytes, length);
    unsigned left = 0;
    for (size_t digit = digits; digit > 0; digit--) {
        unsigned remainder = 0;
        left = 0;
        for (size_t i = 0; i < length; i++) {
            unsigned dividend = remainder << 8 | quotient[i];
            quotient[i] = (unsigned char)(dividend / 62);
            remainder = dividend % 62;
            left |= quotient[i];
        }
        out[digit - 1] = alphabet[remainder];
    }
    assert(left == 0); /* the digits hold the whole number, so quotient keeps no part of a key */
}

uint32_t base62_checksum(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint32_t remainder = 0xFFFFFFFF;
    for (size_t i = 0; i < length; i++) {
        remainder ^= byte[i];
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder >> 1 ^ (remainder & 1 ? 0xEDB88320 : 0);
    }
    return ~remainder;
}
