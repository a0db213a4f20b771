/* Creates and verifies password hashes, in the format of crypt(3), so that nobody can sign in by
 * reading the logbook. The store keeps the hashes; the site limits the number of simultaneous
 * verifications. */
#include "base/password.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/api_key.h"
#include "base/secret.h"
#include "base/text.h"
#include "base/text_hex.h"

#define PREFIX "$y$"

/* A dummy hash for members without a password. Verifying this hash takes as long as verifying a
 * real hash. */
#define NOBODYS "$y$j9T$k2XAnEHBqQ1Ct2aMXFKNa/$Xmgb3iQMR8eaxy3mI3D1SqUWhPjlYGS2eXm.E9cdgk6"

char *password_normalise(struct text password, size_t *length)
{
    utf8proc_uint8_t *normal = NULL;
    if (text_has_nul(password))
        return NULL;
    utf8proc_ssize_t result =
        utf8proc_map((const utf8proc_uint8_t *)password.bytes, (utf8proc_ssize_t)password.length,
                     &normal, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (result < 0) {
        free(normal);
        return NULL;
    }
    *length = (size_t)result;
    return (char *)normal;
}

void password_forget(char *normal, size_t length)
{
    if (normal)
        explicit_bzero(normal, length);
    free(normal);
}

/* Runs crypt(3) on the password's NFC form. crypt(3) accepts fewer bytes than a password may have,
 * so a longer password is replaced by its digest. */
static bool compute(struct text password, const char *setting, char out[PASSWORD_HASH_BYTES])
{
    static struct crypt_data data;
    unsigned char digest[API_KEY_FINGERPRINT_BYTES];
    char hex[2 * sizeof digest + 1] = "";
    size_t length = 0;
    char *normal = password_normalise(password, &length);
    bool is_text = normal != NULL;
    if (is_text && length >= CRYPT_MAX_PASSPHRASE_SIZE) {
        api_key_fingerprint((struct text){normal, length}, digest);
        text_format_hex(digest, sizeof digest, hex);
    }
    const char *hash = crypt_r(is_text && !*hex ? normal : hex, setting, &data);
    bool hashed = is_text && hash && hash[0] == '$' && strlen(hash) < PASSWORD_HASH_BYTES;
    memset(out, 0, PASSWORD_HASH_BYTES);
    if (hashed)
        strcpy(out, hash);
    explicit_bzero(&data, sizeof data);
    explicit_bzero(hex, sizeof hex);
    password_forget(normal, length);
    return hashed;
}

bool password_hash(struct text password, char out[PASSWORD_HASH_BYTES])
{
    char setting[CRYPT_GENSALT_OUTPUT_SIZE];
    memset(out, 0, PASSWORD_HASH_BYTES);
    return crypt_gensalt_rn(PREFIX, 0, NULL, 0, setting, sizeof setting) &&
           compute(password, setting, out);
}

bool password_verify(struct text password, struct text hash)
{
    char expected[PASSWORD_HASH_BYTES] = NOBODYS, made[PASSWORD_HASH_BYTES];
    bool is_own =
        text_extends(hash, PREFIX) && hash.length < PASSWORD_HASH_BYTES && !text_has_nul(hash);
    if (is_own) {
        memset(expected, 0, sizeof expected);
        memcpy(expected, hash.bytes, hash.length);
    }
    bool computed = compute(password, expected, made);
    return computed && secret_equals(expected, made, sizeof made) && is_own;
}
