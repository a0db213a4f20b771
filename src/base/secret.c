/* Compares secrets with libcrypto's comparison, which no compiler shortens. */
#include "base/secret.h"

#include <openssl/crypto.h>

bool secret_equals(const void *one, const void *other, size_t length)
{
    return CRYPTO_memcmp(one, other, length) == 0;
}
