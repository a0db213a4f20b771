/* Reads the output of authenticators. The store checks the challenge, the site checks the page's
 * address, and es256.c verifies the signature. The key of a new passkey is CBOR in the only form
 * that the specification allows (CTAP2's canonical form of an ES256 key, section 6.5.1.1). The
 * fixed parts of the key are therefore compared, not parsed. */
#include "base/passkey.h"

#include <string.h>

#include "base/api_key.h"

#define HASH_BYTES API_KEY_FINGERPRINT_BYTES
#define HEAD_BYTES (HASH_BYTES + 1 + 4) /* the hash of rp_id, the flags and the counter */
#define AAGUID_BYTES 16
#define COORDINATE_BYTES (ES256_POINT_BYTES / 2)
#define KEY_BYTES 77

enum { USER_PRESENT = 1, USER_VERIFIED = 4, HAS_CREDENTIAL = 0x40, HAS_EXTENSIONS = 0x80 };

/* Reads a public key: a map of five values, which are type EC2, algorithm ES256, curve P-256, x and
 * y. */
static bool read_key(const unsigned char *bytes, unsigned char point[ES256_POINT_BYTES])
{
    static const unsigned char start[] = {0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20};
    static const unsigned char middle[] = {0x22, 0x58, 0x20};
    const unsigned char *x = bytes + sizeof start, *y = x + COORDINATE_BYTES + sizeof middle;
    _Static_assert(sizeof start + sizeof middle + ES256_POINT_BYTES == KEY_BYTES,
                   "the parts make up a key");
    memcpy(point, x, COORDINATE_BYTES);
    memcpy(point + COORDINATE_BYTES, y, COORDINATE_BYTES);
    return es256_is_point(point) && memcmp(bytes, start, sizeof start) == 0 &&
           memcmp(x + COORDINATE_BYTES, middle, sizeof middle) == 0;
}

/* Reads the part after the head: the authenticator's model, the length of the id, the id and the
 * key. *end receives the offset after the key. */
static bool read_credential(const unsigned char *bytes, size_t length, struct passkey_data *out,
                            size_t *end)
{
    size_t start = HEAD_BYTES + AAGUID_BYTES + 2;
    if (length < start)
        return false;
    out->credential.bytes = (const char *)bytes + start;
    out->credential.length = (size_t)bytes[start - 2] << 8 | bytes[start - 1];
    *end = start + out->credential.length + KEY_BYTES;
    return out->credential.length > 0 && out->credential.length <= PASSKEY_CREDENTIAL_MAX &&
           length >= *end && read_key(bytes + *end - KEY_BYTES, out->point);
}

bool passkey_read(struct text data, struct text rp_id, bool is_new, struct passkey_data *out)
{
    const unsigned char *bytes = (const unsigned char *)data.bytes;
    const unsigned verified = USER_PRESENT | USER_VERIFIED;
    unsigned char hash[HASH_BYTES];
    size_t end = HEAD_BYTES;
    *out = (struct passkey_data){0};
    api_key_fingerprint(rp_id, hash);
    if (data.length < HEAD_BYTES || memcmp(bytes, hash, HASH_BYTES) != 0)
        return false;
    unsigned flags = bytes[HASH_BYTES];
    for (size_t i = HASH_BYTES + 1; i < HEAD_BYTES; i++)
        out->sign_count = out->sign_count << 8 | bytes[i];
    if ((flags & verified) != verified || is_new != ((flags & HAS_CREDENTIAL) != 0) ||
        (is_new && !read_credential(bytes, data.length, out, &end)))
        return false;
    return flags & HAS_EXTENSIONS ? data.length > end : data.length == end;
}

bool passkey_verify(const unsigned char point[ES256_POINT_BYTES], struct text data,
                    struct text client_data, struct text signature)
{
    unsigned char hash[HASH_BYTES];
    api_key_fingerprint(client_data, hash);
    const struct text parts[] = {data, {(const char *)hash, sizeof hash}};
    return es256_verify(point, parts, sizeof parts / sizeof *parts, signature);
}
