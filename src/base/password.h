/* Passwords for the front server's login: made here, never chosen, and kept as a hash that crypt(3)
 * understands. The only module that uses libcrypt. */
#ifndef QSOSYNC_BASE_PASSWORD_H
#define QSOSYNC_BASE_PASSWORD_H

#include <stdbool.h>

#define PASSWORD_LENGTH 27 /* base62: 160 random bits */
#define PASSWORD_HASH_BYTES 128

/* Both return false, with out wiped, when the system gives no random numbers or no hash. */
bool password_make(char out[PASSWORD_LENGTH + 1]);
bool password_hash(const char *password, char out[PASSWORD_HASH_BYTES]);

#endif
