/* Members' passwords, stored as hashes of crypt(3). Both functions that hash a password normalise
 * it first. The functions are not thread-safe. */
#ifndef QSOSYNC_BASE_PASSWORD_H
#define QSOSYNC_BASE_PASSWORD_H

#include <stdbool.h>

#include "base/text.h"

#define PASSWORD_HASH_BYTES 128

/* Returns the password in Unicode's form NFC (UAX 15), with a final NUL, because keyboards send the
 * same letter in different ways. Returns NULL if the password is not UTF-8 or contains a NUL. The
 * caller passes the result and its length to password_forget, which wipes and frees the text. */
char *password_normalise(struct text password, size_t *length);
void password_forget(char *normal, size_t length);

/* Creates a yescrypt hash with a new salt. The computation takes about 16 MiB and 0.05 s. Returns
 * false, with `out` wiped, if the system creates no hash, or if the password is not UTF-8 or
 * contains a NUL. */
bool password_hash(struct text password, char out[PASSWORD_HASH_BYTES]);

/* Returns whether the hash belongs to this password. If `hash` is empty, or not a hash that
 * password_hash creates, no password matches, but the verification takes as long as with a real
 * hash. */
bool password_verify(struct text password, struct text hash);

#endif
