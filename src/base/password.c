/* Makes passwords and their hashes. The hash is SHA-256 crypt with the fewest rounds that it
 * allows: nobody can guess 160 random bits, and the front server computes the hash for each
 * request. Where the hashes are kept is left to the store. */
#include "base/password.h"

#include <crypt.h>
#include <stdio.h>
#include <string.h>

#include "base/base62.h"
#include "base/random.h"

#define SECRET_BYTES 20
#define SALT_BYTES 11
#define SALT_DIGITS 15

bool password_make(char out[PASSWORD_LENGTH + 1])
{
    unsigned char secret[SECRET_BYTES];
    bool made = random_fill(secret, sizeof secret);
    memset(out, 0, PASSWORD_LENGTH + 1);
    if (made)
        base62_encode(secret, sizeof secret, out, PASSWORD_LENGTH);
    explicit_bzero(secret, sizeof secret);
    return made;
}

bool password_hash(const char *password, char out[PASSWORD_HASH_BYTES])
{
    static struct crypt_data data;
    unsigned char random[SALT_BYTES];
    char salt[SALT_DIGITS + 1] = "", setting[64];
    memset(out, 0, PASSWORD_HASH_BYTES);
    if (!random_fill(random, sizeof random))
        return false;
    base62_encode(random, sizeof random, salt, SALT_DIGITS);
    snprintf(setting, sizeof setting, "$5$rounds=1000$%s", salt);
    const char *hash = crypt_r(password, setting, &data);
    bool hashed = hash && hash[0] == '$' && strlen(hash) < PASSWORD_HASH_BYTES;
    if (hashed)
        strcpy(out, hash);
    explicit_bzero(&data, sizeof data);
    return hashed;
}
