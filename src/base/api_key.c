/* Creates API keys, checks their format and computes their fingerprints.
 *
 * Never stores or compares keys, passes a key only to its caller, and wipes its own copies. */
#include "base/api_key.h"

#include <ctype.h>
#include <endian.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>

#include "base/base62.h"
#include "base/crc32.h"
#include "base/log.h"
#include "base/random.h"

#define SECRET_BYTES 32
#define SECRET_DIGITS 43 /* 62^43 > 2^256 */
#define CHECKSUM_DIGITS 6
#define TRIAL_PREFIX API_KEY_PREFIX "sandbox"

static const char *const prefixes[] = {
    [API_KEY_KEY] = API_KEY_PREFIX,       [API_KEY_TOKEN] = API_KEY_TOKEN_PREFIX,
    [API_KEY_POLO] = API_KEY_POLO_PREFIX, [API_KEY_LINK] = API_KEY_LINK_PREFIX,
    [API_KEY_PEER] = API_KEY_PEER_PREFIX,
};

_Static_assert(SECRET_DIGITS + CHECKSUM_DIGITS == API_KEY_DIGITS, "the parts make up a key");
_Static_assert(SECRET_DIGITS == API_KEY_COOKIE_LENGTH, "a cookie is only the secret");

/* Computes the checksum of the key's first bytes, and writes it to `out`. */
static void write_checksum(const char *key, size_t checked_length, char *out)
{
    const uint32_t checksum = htobe32(crc32_of(key, checked_length));
    base62_encode((const unsigned char *)&checksum, sizeof checksum, out, CHECKSUM_DIGITS);
}

void api_key_make_cookie(char out[API_KEY_COOKIE_LENGTH + 1])
{
    unsigned char secret[SECRET_BYTES];
    random_fill(secret, sizeof secret);
    base62_encode(secret, sizeof secret, out, SECRET_DIGITS);
    out[SECRET_DIGITS] = '\0';
    explicit_bzero(secret, sizeof secret);
}

/* Completes a key whose prefix is followed by its secret. */
static void add_checksum(char *key, size_t prefix_length)
{
    const size_t checked_length = prefix_length + SECRET_DIGITS;
    write_checksum(key, checked_length, key + checked_length);
    key[prefix_length + API_KEY_DIGITS] = '\0';
}

void api_key_make(enum api_key_kind kind, char *out)
{
    const size_t length = strlen(prefixes[kind]);
    memcpy(out, prefixes[kind], length);
    api_key_make_cookie(out + length);
    add_checksum(out, length);
}

void api_key_make_trial(char out[API_KEY_LENGTH + 1])
{
    api_key_make_cookie(out + sizeof API_KEY_PREFIX - 1);
    memcpy(out, TRIAL_PREFIX, sizeof TRIAL_PREFIX - 1);
    add_checksum(out, sizeof API_KEY_PREFIX - 1);
}

bool api_key_is_of_trial(struct text key)
{
    return text_extends(key, TRIAL_PREFIX) && api_key_is(API_KEY_KEY, key);
}

bool api_key_is(enum api_key_kind kind, struct text key)
{
    char checksum[CHECKSUM_DIGITS];
    const size_t length = strlen(prefixes[kind]), checked_length = length + SECRET_DIGITS;
    if (key.length != length + API_KEY_DIGITS || memcmp(key.bytes, prefixes[kind], length) != 0 ||
        text_count_leading(text_skip(key, length), isalnum) != API_KEY_DIGITS)
        return false;
    write_checksum(key.bytes, checked_length, checksum);
    return memcmp(key.bytes + checked_length, checksum, CHECKSUM_DIGITS) == 0;
}

void api_key_start_small(void)
{
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS |
                            OPENSSL_INIT_NO_ADD_ALL_DIGESTS | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS,
                        NULL);
}

/* Uses a separate context of libcrypto, which no configuration file on the machine affects.
 * libcurl, which the doctor loads, uses the default context, which stays unchanged. The separate
 * context is kept until the program ends. */
void api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES])
{
    static const EVP_MD *sha256;
    if (!sha256)
        sha256 = EVP_MD_fetch(OSSL_LIB_CTX_new(), "SHA256", NULL);
    if (!sha256 || EVP_Digest(key.bytes, key.length, out, NULL, sha256, NULL) != 1) {
        log_line("out of memory: libcrypto has no SHA-256");
        _exit(1);
    }
}
