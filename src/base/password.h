/* Passwords that members choose for the pages: judged, kept as a hash of crypt(3), verified. The
 * only module that uses libcrypt and libutf8proc. Not for several threads. */
#ifndef QSOSYNC_BASE_PASSWORD_H
#define QSOSYNC_BASE_PASSWORD_H

#include <stdbool.h>

#include "base/text.h"

#define PASSWORD_MIN 10  /* code points */
#define PASSWORD_MAX 200 /* code points */
#define PASSWORD_HASH_BYTES 128

/* All three bring the password into Unicode's form NFC first (UAX 15): keyboards send one letter in
 * different ways. */

/* NULL, or why a member with this callsign cannot have it, as a phrase that follows "the password":
 * too short or long, control characters, the callsign in any spelling, or one of the commonest. Of
 * these two, a password with only a little added to one of them is rejected as well. */
const char *password_judge(struct text password, struct text callsign);

/* The hash is yescrypt with a new salt, some 16 MiB and 0.05 s of work. False, with out wiped, when
 * the system gives none, or the password is no UTF-8. */
bool password_hash(struct text password, char out[PASSWORD_HASH_BYTES]);

/* Whether the hash was made of this password. No text, or a hash that password_hash does not make,
 * is no member's password; verifying takes as long then. */
bool password_verify(struct text password, struct text hash);

#endif
