/* Passwords of members, kept as hashes of crypt(3). Both functions that hash a password normalise
 * it first. Not thread-safe. */
#ifndef QSOSYNC_BASE_PASSWORD_H
#define QSOSYNC_BASE_PASSWORD_H

#include <stdbool.h>

#include "base/text.h"

#define PASSWORD_HASH_BYTES 128

/* Returns the password in Unicode's form NFC (UAX 15), with a final NUL, because keyboards send the
 * same letter in different ways. Returns NULL if the password is not UTF-8 or contains a NUL. The
 * caller passes the result and its length to password_forget, which wipes and frees it. */
char *password_normalise(struct text password, size_t *length);
void password_forget(char *normal, size_t length);

/* Creates a yescrypt hash with a new salt, which costs about 16 MiB and 0.05 s. Returns false, with
 * out wiped, if the system creates no hash or the password is not UTF-8. */
bool password_hash(struct text password, char out[PASSWORD_HASH_BYTES]);

/* Returns whether the hash belongs to this password. No text, or a hash that password_hash does not
 * create, matches no password, but takes as long to verify. */
bool password_verify(struct text password, struct text hash);

#endif
