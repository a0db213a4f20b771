/* Passkeys (WebAuthn Level 2, ES256): an authenticator's signatures, and the public key of a new
 * passkey. */
#ifndef QSOSYNC_BASE_PASSKEY_H
#define QSOSYNC_BASE_PASSKEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/es256.h"
#include "base/text.h"

#define PASSKEY_CREDENTIAL_MAX 1023

/* The values in authenticator data (section 6.1). */
struct passkey_data {
    uint32_t sign_count;
    /* Only for a new passkey: the passkey's id, a view into the data, and its public key. */
    struct text credential;
    unsigned char point[ES256_POINT_BYTES];
};

/* Reads the authenticator data of a new passkey, or of a signature. Returns false if the data is
 * malformed or belongs to a site other than rp_id, or if the authenticator did not verify its user.
 *
 * Without attestation, nothing about a new passkey is signed: the passkey is trusted because of the
 * session that registers it. Both the id and the key are from this data, so that they have one
 * source. */
bool passkey_read(struct text data, struct text rp_id, bool is_new, struct passkey_data *out);

/* Returns whether the key signed this authenticator data and this client data. */
bool passkey_verify(const unsigned char point[ES256_POINT_BYTES], struct text data,
                    struct text client_data, struct text signature);

#endif
