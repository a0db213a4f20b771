/* Key pairs on the curve P-256: ES256 signatures (RFC 7518, section 3.4), and key agreement. */
#ifndef QSOSYNC_BASE_ES256_KEY_H
#define QSOSYNC_BASE_ES256_KEY_H

#include <stdbool.h>

#include "base/es256.h"
#include "base/text.h"

#define ES256_SECRET_BYTES 32
#define ES256_SIGNATURE_BYTES 64

struct es256_key {
    unsigned char secret[ES256_SECRET_BYTES];
    unsigned char point[ES256_POINT_BYTES];
};

/* Creates a key pair. Returns false if libcrypto fails. */
bool es256_make_key(struct es256_key *out);

/* Signs the message. The signature is the two numbers r and s. Returns false if libcrypto fails. */
bool es256_sign(const struct es256_key *key, struct text message,
                unsigned char out[ES256_SIGNATURE_BYTES]);

/* Computes the secret that the key shares with the owner of a point (ECDH). Returns false if the
 * point is not on the curve. */
bool es256_agree(const struct es256_key *key, const unsigned char point[ES256_POINT_BYTES],
                 unsigned char out[ES256_SECRET_BYTES]);

#endif
