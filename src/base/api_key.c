/* API keys: recognising their form, taking their fingerprint. Never stores a key, compares two of
 * them or writes one anywhere. */
#include "base/api_key.h"

#include <string.h>

#include "base/base62.h"

#define LENGTH_AFTER(prefix) (sizeof prefix - 1 + API_KEY_SECRET_DIGITS + BASE62_CHECKSUM_DIGITS)

_Static_assert(LENGTH_AFTER(API_KEY_PREFIX) == API_KEY_LENGTH, "the parts make up a key");
_Static_assert(LENGTH_AFTER(API_KEY_TOKEN_PREFIX) == API_KEY_TOKEN_LENGTH,
               "the parts make up a token");

static bool is_well_formed(struct text key, const char *prefix, size_t length)
{
    char checksum[BASE62_CHECKSUM_DIGITS];
    size_t prefix_length = strlen(prefix), checked_length = length - sizeof checksum;
    if (key.length != length || memcmp(key.bytes, prefix, prefix_length) != 0)
        return false;
    for (size_t i = prefix_length; i < length; i++)
        if (!base62_is_digit(key.bytes[i]))
            return false;
    base62_write_checksum(key.bytes, checked_length, checksum);
    return memcmp(key.bytes + checked_length, checksum, sizeof checksum) == 0;
}

bool api_key_is_well_formed(struct text key)
{
    return is_well_formed(key, API_KEY_PREFIX, API_KEY_LENGTH);
}

bool api_key_is_token(struct text token)
{
    return is_well_formed(token, API_KEY_TOKEN_PREFIX, API_KEY_TOKEN_LENGTH);
}

void api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES])
{
    sha256_digest(key, out);
}
