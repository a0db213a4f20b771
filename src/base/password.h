/* Passwords that members choose for the pages: checked, kept as a hash of crypt(3), verified. Only
 * this module uses libcrypt and libutf8proc. Not thread-safe. */
#ifndef QSOSYNC_BASE_PASSWORD_H
#define QSOSYNC_BASE_PASSWORD_H

#include <stdbool.h>

#include "base/text.h"

#define PASSWORD_MIN 10  /* code points */
#define PASSWORD_MAX 200 /* code points */
#define PASSWORD_HASH_BYTES 128

/* All three first convert the password to Unicode's form NFC (UAX 15), because keyboards send the
 * same letter in different ways. */

/* NULL, or why a member with this callsign cannot have the password, as a phrase that follows "the
 * password". It is too short or long, contains control characters, is the callsign in any spelling,
 * or is one of the commonest. The callsign or a common password with only a little added is
 * rejected as well. */
const char *password_judge(struct text password, struct text callsign);

/* The hash is yescrypt with a new salt, and costs about 16 MiB and 0.05 s. False, with out wiped,
 * if the system creates no hash or the password is not UTF-8. */
bool password_hash(struct text password, char out[PASSWORD_HASH_BYTES]);

/* Whether the hash belongs to this password. No text, or a hash that password_hash does not create,
 * matches no password, but takes as long to verify. */
bool password_verify(struct text password, struct text hash);

#endif
