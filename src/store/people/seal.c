/* Computes keyed hashes. The secret is part of the logbook, and each logbook has a different
 * secret. */
#include "store/people/seal.h"

#include <endian.h>
#include <string.h>

#include "store/store.h"

#define SECRET_BYTES 32

/* The input of the hash. All parts have a fixed length, and the input begins with the secret, so
 * the hash is a MAC. */
struct seal_input {
    unsigned char secret[SECRET_BYTES], bytes[API_KEY_FINGERPRINT_BYTES], number[sizeof(int64_t)];
};

enum store_result store_seal(struct store *store, const unsigned char *bytes, int64_t number,
                             unsigned char out[API_KEY_FINGERPRINT_BYTES])
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN_BYTES(seal_input, secret, "challenge_secret"));
    struct seal_input input = {0};
    enum store_result result =
        store_find(store, columns, NULL, &input, STATEMENT_READ_CHALLENGE_SECRET);
    if (bytes)
        memcpy(input.bytes, bytes, sizeof input.bytes);
    const uint64_t big_endian = htobe64((uint64_t)number);
    memcpy(input.number, &big_endian, sizeof input.number);
    api_key_fingerprint((struct text){(const char *)&input, sizeof input}, out);
    explicit_bzero(&input, sizeof input);
    return result;
}
