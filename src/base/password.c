/* Makes and verifies hashes of passwords, in the form that crypt(3) understands, so that nobody who
 * reads the logbook can sign in by it. Which passwords members may choose is judged in
 * password_judge.c; where hashes are kept is left to the store, and how many may be verified at
 * once to the site. */
#include "base/password.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/api_key.h"
#include "base/password_text.h"
#include "base/random.h"

#define PREFIX "$y$"
#define SALT_BYTES 16

/* What is verified where a member has no password: of the same cost as those that are made here. */
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

/* The work of crypt(3) in NFC; it takes fewer bytes than a password may have, so of a longer one it
 * gets the digest. */
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
    char salt[SALT_BYTES], setting[CRYPT_GENSALT_OUTPUT_SIZE];
    memset(out, 0, PASSWORD_HASH_BYTES);
    return random_fill(salt, sizeof salt) &&
           crypt_gensalt_rn(PREFIX, 0, salt, sizeof salt, setting, sizeof setting) &&
           compute(password, setting, out);
}

static bool is_own_hash(struct text hash)
{
    return hash.length > strlen(PREFIX) && hash.length < PASSWORD_HASH_BYTES &&
           memcmp(hash.bytes, PREFIX, strlen(PREFIX)) == 0 && !text_has_nul(hash);
}

/* Every byte is looked at, whichever differs. */
static bool same_hash(const char a[PASSWORD_HASH_BYTES], const char b[PASSWORD_HASH_BYTES])
{
    unsigned char difference = 0;
    for (size_t i = 0; i < PASSWORD_HASH_BYTES; i++)
        difference |= (unsigned char)(a[i] ^ b[i]);
    return difference == 0;
}

bool password_verify(struct text password, struct text hash)
{
    char expected[PASSWORD_HASH_BYTES] = NOBODYS, made[PASSWORD_HASH_BYTES];
    bool is_own = is_own_hash(hash);
    if (is_own) {
        memset(expected, 0, sizeof expected);
        memcpy(expected, hash.bytes, hash.length);
    }
    bool computed = compute(password, expected, made);
    return computed && same_hash(expected, made) && is_own;
}
