/* API keys: making them, recognising their form, taking their fingerprint.
 *
 * Never stores a key, compares two of them or writes one anywhere but to its caller, and wipes
 * what it held on the way. Not for several threads: the digest's state is one and reused, because
 * setting it up costs more than the digest of a key does. */
#include "base/api_key.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "base/base62.h"

#define PREFIX_LENGTH (sizeof API_KEY_PREFIX - 1)
#define SECRET_BYTES 32
#define SECRET_DIGITS 43 /* 62^43 > 2^256 */
#define CHECKSUM_DIGITS 6
#define CHECKED_LENGTH (PREFIX_LENGTH + SECRET_DIGITS)

_Static_assert(CHECKED_LENGTH + CHECKSUM_DIGITS == API_KEY_LENGTH, "the parts make up a key");

/* Writes the checksum of the characters before it. */
static void write_checksum(const char *key, char *out)
{
    uint32_t checksum = base62_checksum(key, CHECKED_LENGTH);
    const unsigned char bytes[4] = {
        (unsigned char)(checksum >> 24),
        (unsigned char)(checksum >> 16),
        (unsigned char)(checksum >> 8),
        (unsigned char)checksum,
    };
    base62_encode(bytes, sizeof bytes, out, CHECKSUM_DIGITS);
}

bool api_key_make(char out[API_KEY_LENGTH + 1])
{
    unsigned char secret[SECRET_BYTES];
    if (RAND_priv_bytes(secret, sizeof secret) != 1) {
        explicit_bzero(secret, sizeof secret);
        explicit_bzero(out, API_KEY_LENGTH + 1);
        return false;
    }
    memcpy(out, API_KEY_PREFIX, PREFIX_LENGTH);
    base62_encode(secret, sizeof secret, out + PREFIX_LENGTH, SECRET_DIGITS);
    write_checksum(out, out + CHECKED_LENGTH);
    out[API_KEY_LENGTH] = '\0';
    explicit_bzero(secret, sizeof secret);
    return true;
}

bool api_key_is_well_formed(struct text key)
{
    char checksum[CHECKSUM_DIGITS];
    if (key.length != API_KEY_LENGTH || memcmp(key.bytes, API_KEY_PREFIX, PREFIX_LENGTH) != 0)
        return false;
    for (size_t i = PREFIX_LENGTH; i < API_KEY_LENGTH; i++)
        if (!base62_is_digit(key.bytes[i]))
            return false;
    write_checksum(key.bytes, checksum);
    return memcmp(key.bytes + CHECKED_LENGTH, checksum, CHECKSUM_DIGITS) == 0;
}

bool api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES])
{
    static EVP_MD *sha256;
    static EVP_MD_CTX *context;
    unsigned char digest[API_KEY_FINGERPRINT_BYTES];
    if (sha256 == NULL)
        sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (context == NULL)
        context = EVP_MD_CTX_new();
    if (sha256 == NULL || context == NULL || EVP_DigestInit_ex2(context, sha256, NULL) != 1 ||
        EVP_DigestUpdate(context, key.bytes, key.length) != 1 ||
        EVP_DigestFinal_ex(context, digest, NULL) != 1)
        return false;
    memcpy(out, digest, sizeof digest);
    return true;
}
