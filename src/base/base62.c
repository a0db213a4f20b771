/* Encodes base62 with libcrypto's large numbers, and wipes the number. Secrets are only compared,
 * so no decoder exists. */
#include "base/base62.h"

#include <openssl/bn.h>

#include "base/arena.h"

void base62_encode(const unsigned char *bytes, size_t length, char *out, size_t digits)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    BIGNUM *number = BN_bin2bn(bytes, (int)length, NULL);
    if (!number)
        memory_give_up(length);
    while (digits > 0)
        out[--digits] = alphabet[BN_div_word(number, sizeof alphabet - 1)];
    BN_clear_free(number);
}
