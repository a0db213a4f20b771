/* API keys: their format, their creation, and their fingerprint. The service stores only the
 * fingerprint and the first characters.
 *
 * A key is "qsosync_", 43 base62 characters (256 random bits) and 6 more characters, the CRC-32 of
 * the preceding text: qsosync_[0-9A-Za-z]{49}. In the key of a sandbox for authors, "sandbox"
 * replaces the first of the 43 characters, and 214 random bits are left. */
#ifndef QSOSYNC_BASE_API_KEY_H
#define QSOSYNC_BASE_API_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define API_KEY_DIGITS 49 /* characters after the prefix */
#define API_KEY_PREFIX "qsosync_"
#define API_KEY_LENGTH (sizeof API_KEY_PREFIX - 1 + API_KEY_DIGITS) /* bytes, without a NUL */
#define API_KEY_HINT_LENGTH 12       /* number of initial characters shown in lists */
#define API_KEY_FINGERPRINT_BYTES 32 /* length of the SHA-256 of the whole key */

/* Other secrets have the same format with other prefixes, so that no kind can be mistaken for
 * another. These secrets are upload tokens, PoLo tokens, secrets of sign-in links (invitations,
 * links for another device) and other clubs' service keys. */
#define API_KEY_TOKEN_PREFIX "qsosyncup_"
#define API_KEY_TOKEN_LENGTH (sizeof API_KEY_TOKEN_PREFIX - 1 + API_KEY_DIGITS)
#define API_KEY_TOKEN_HINT_LENGTH 14
#define API_KEY_POLO_PREFIX "qsosyncpo_" /* PoLo tokens are as long as upload tokens */
#define API_KEY_LINK_PREFIX "qsosyncin_"
#define API_KEY_LINK_LENGTH (sizeof API_KEY_LINK_PREFIX - 1 + API_KEY_DIGITS)
#define API_KEY_PEER_PREFIX "qsosyncpeer_"
#define API_KEY_PEER_LENGTH (sizeof API_KEY_PEER_PREFIX - 1 + API_KEY_DIGITS)
#define API_KEY_COOKIE_LENGTH 43

enum api_key_kind { API_KEY_KEY, API_KEY_TOKEN, API_KEY_POLO, API_KEY_LINK, API_KEY_PEER };

/* Creates a key from the system's random source. `out` receives as many characters as the kind has,
 * and a NUL. */
void api_key_make(enum api_key_kind kind, char *out);

/* Creates the key of a sandbox, and recognises such a key, which also has the format of an API key.
 */
void api_key_make_trial(char out[API_KEY_LENGTH + 1]);
bool api_key_is_of_trial(struct text key);

/* Returns whether the text has the format of a key and a correct checksum. Mistyped keys are thus
 * detected without the database. */
bool api_key_is(enum api_key_kind kind, struct text key);

/* Creates the secret of a peer's code or of a session's cookie: 43 base62 characters (256 random
 * bits), without a prefix or checksum. In a cookie, the store replaces the last characters
 * (store/people/sessions.c). */
void api_key_make_cookie(char out[API_KEY_COOKIE_LENGTH + 1]);

/* Computes the SHA-256 of the key. */
void api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES]);

/* Prepares libcrypto before the first fingerprint, in a program that can be started for each
 * request. libcrypto then loads only the parts that fingerprints need, which shortens the program's
 * start by a third. Such a program cannot use TLS. */
void api_key_start_small(void);

#endif
