/* Passkeys (WebAuthn Level 2, ES256): what an authenticator has signed, and the public key of a new
 * one. With src/base/api_key.c the only module that uses libcrypto. */
#ifndef QSOSYNC_BASE_PASSKEY_H
#define QSOSYNC_BASE_PASSKEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

#define PASSKEY_POINT_BYTES 64 /* x and y of a public key on the curve P-256 */
#define PASSKEY_CREDENTIAL_MAX 1023

/* What authenticator data says (section 6.1). */
struct passkey_data {
    uint32_t sign_count;
    /* Of a new passkey only: its id, a view into the data, and its public key. */
    struct text credential;
    unsigned char point[PASSKEY_POINT_BYTES];
};

/* Reads the authenticator data of a new passkey, or of one that has signed. False: it is malformed
 * or for another site than rp_id, or the authenticator did not verify its user.
 *
 * Without attestation, nothing about a new passkey is signed: trust in it comes from the session
 * that brings it. Id and key are taken out of this data, so that there is one source for both. */
bool passkey_read(struct text data, struct text rp_id, bool is_new, struct passkey_data *out);

/* Whether the key has signed this authenticator data and client data. */
bool passkey_verify(const unsigned char point[PASSKEY_POINT_BYTES], struct text data,
                    struct text client_data, struct text signature);

/* Compares secrets in constant time: the time taken does not reveal where the two differ. */
bool passkey_equals(const void *one, const void *other, size_t length);

/* base64url without padding (RFC 4648, section 5), in the arena. No text: it is not base64url. */
struct text passkey_decode(struct text encoded, struct arena *arena);
struct text passkey_encode(const void *bytes, size_t length, struct arena *arena);

/* Plain base64, with padding (section 4). */
struct text passkey_base64(const void *bytes, size_t length, struct arena *arena);

#endif
