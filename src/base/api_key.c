/* API keys: making them, recognising their form, taking their fingerprint.
 *
 * Never stores a key, compares two of them or writes one anywhere but to its caller, and wipes
 * what it held on the way. */
#include "base/api_key.h"

/* The plain functions for SHA-256, which OpenSSL 3 has beside those of EVP: the latter load tables
 * of algorithms first, which would cost a CGI program more than all else that libcrypto does. */
#define OPENSSL_API_COMPAT 10101
#include <openssl/sha.h>
#include <string.h>

#include "base/base62.h"
#include "base/random.h"

#define SECRET_BYTES 32
#define SECRET_DIGITS 43 /* 62^43 > 2^256 */
#define CHECKSUM_DIGITS 6
#define LENGTH_AFTER(prefix) (sizeof prefix - 1 + SECRET_DIGITS + CHECKSUM_DIGITS)

_Static_assert(LENGTH_AFTER(API_KEY_PREFIX) == API_KEY_LENGTH, "the parts make up a key");
_Static_assert(LENGTH_AFTER(API_KEY_TOKEN_PREFIX) == API_KEY_TOKEN_LENGTH,
               "the parts make up a token");
_Static_assert(LENGTH_AFTER(API_KEY_LINK_PREFIX) == API_KEY_LINK_LENGTH,
               "the parts make up a link's secret");
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

static bool make(const char *prefix, char *out, size_t length)
{
    size_t prefix_length = strlen(prefix);
    memset(out, 0, length + 1);
    if (!make_secret(out + prefix_length))
        return false;
    memcpy(out, prefix, prefix_length);
    write_checksum(out, length - CHECKSUM_DIGITS, out + length - CHECKSUM_DIGITS);
    return true;
}

static bool is_well_formed(struct text key, const char *prefix, size_t length)
{
    char checksum[CHECKSUM_DIGITS];
    size_t prefix_length = strlen(prefix), checked_length = length - CHECKSUM_DIGITS;
    if (key.length != length || memcmp(key.bytes, prefix, prefix_length) != 0)
        return false;
    for (size_t i = prefix_length; i < length; i++)
        if (!base62_is_digit(key.bytes[i]))
            return false;
    write_checksum(key.bytes, checked_length, checksum);
    return memcmp(key.bytes + checked_length, checksum, CHECKSUM_DIGITS) == 0;
}

bool api_key_make(char out[API_KEY_LENGTH + 1])
{
    return make(API_KEY_PREFIX, out, API_KEY_LENGTH);
}

bool api_key_is_well_formed(struct text key)
{
    return is_well_formed(key, API_KEY_PREFIX, API_KEY_LENGTH);
}

bool api_key_make_token(char out[API_KEY_TOKEN_LENGTH + 1])
{
    return make(API_KEY_TOKEN_PREFIX, out, API_KEY_TOKEN_LENGTH);
}

bool api_key_is_token(struct text token)
{
    return is_well_formed(token, API_KEY_TOKEN_PREFIX, API_KEY_TOKEN_LENGTH);
}

bool api_key_make_link(char out[API_KEY_LINK_LENGTH + 1])
{
    return make(API_KEY_LINK_PREFIX, out, API_KEY_LINK_LENGTH);
}

bool api_key_is_link(struct text link)
{
    return is_well_formed(link, API_KEY_LINK_PREFIX, API_KEY_LINK_LENGTH);
}

bool api_key_make_cookie(char out[API_KEY_COOKIE_LENGTH + 1])
{
    memset(out, 0, API_KEY_COOKIE_LENGTH + 1);
    return make_secret(out);
}

void api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES])
{
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, key.bytes, key.length);
    SHA256_Final(out, &state);
    explicit_bzero(&state, sizeof state);
}
