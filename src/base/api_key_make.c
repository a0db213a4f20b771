/* New keys and tokens: random bytes of libcrypto, written in base62. Stores none, and wipes what it
 * held on the way. */
#include "base/api_key_make.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <string.h>

#include "base/base62.h"

#define SECRET_BYTES 32

/* What openssl.cnf says is about other algorithms than ours, and of their names none is asked for.
 */
static void begin_library(void)
{
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS |
                            OPENSSL_INIT_NO_ADD_ALL_DIGESTS,
                        NULL);
}

static bool make(const char *prefix, char *out, size_t length)
{
    unsigned char secret[SECRET_BYTES];
    size_t prefix_length = strlen(prefix), checked_length = length - BASE62_CHECKSUM_DIGITS;
    begin_library();
    if (RAND_priv_bytes(secret, sizeof secret) != 1) {
        explicit_bzero(secret, sizeof secret);
        explicit_bzero(out, length + 1);
        return false;
    }
    memcpy(out, prefix, prefix_length);
    base62_encode(secret, sizeof secret, out + prefix_length, API_KEY_SECRET_DIGITS);
    base62_write_checksum(out, checked_length, out + checked_length);
    out[length] = '\0';
    explicit_bzero(secret, sizeof secret);
    return true;
}

bool api_key_make(char out[API_KEY_LENGTH + 1])
{
    return make(API_KEY_PREFIX, out, API_KEY_LENGTH);
}

bool api_key_make_token(char out[API_KEY_TOKEN_LENGTH + 1])
{
    return make(API_KEY_TOKEN_PREFIX, out, API_KEY_TOKEN_LENGTH);
}
