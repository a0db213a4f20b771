/* Encrypts messages for Web Push (RFC 8291), in a single record of aes128gcm (RFC 8188). */
#ifndef QSOSYNC_BASE_PUSH_MESSAGE_H
#define QSOSYNC_BASE_PUSH_MESSAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/es256_key.h"
#include "base/text.h"

#define PUSH_SALT_BYTES 16
#define PUSH_SECRET_BYTES 16
#define PUSH_MESSAGE_MAX 3000 /* push services accept bodies of 4,096 bytes */

/* The keys of a message: the receiver's point and secret, and a key pair and a salt that are
 * created for this message only. */
struct push_keys {
    const unsigned char *receiver; /* ES256_POINT_BYTES */
    const unsigned char *secret;   /* PUSH_SECRET_BYTES */
    const struct es256_key *sender;
    const unsigned char *salt; /* PUSH_SALT_BYTES */
};

/* Returns the encrypted body, in the arena. Returns no text if the message is too long, if the
 * receiver's point is not on the curve, or if libcrypto fails. */
struct text push_encrypt(struct text message, const struct push_keys *keys, struct arena *arena);

#endif
