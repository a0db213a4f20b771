/* ES256 signatures (RFC 7518, section 3.4): ECDSA with SHA-256 on the curve P-256. Compute a
 * fingerprint first (api_key.h), which initialises libcrypto. */
#ifndef QSOSYNC_BASE_ES256_H
#define QSOSYNC_BASE_ES256_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define ES256_POINT_BYTES 64 /* the coordinates x and y of a public key */

/* Returns whether the point is on the curve, so that it can be a public key. */
bool es256_is_point(const unsigned char point[ES256_POINT_BYTES]);

/* Returns whether the key signed the message, the concatenation of `parts`. The signature is in
 * DER. */
bool es256_verify(const unsigned char point[ES256_POINT_BYTES], const struct text *parts,
                  size_t count, struct text signature);

#endif
