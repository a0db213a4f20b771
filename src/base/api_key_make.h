/* Makes API keys and upload tokens; api_key.h says what they look like.
 *
 * The only module that uses libcrypto, and apart from api_key.h so that programs that make no keys
 * need not load it. */
#ifndef QSOSYNC_BASE_API_KEY_MAKE_H
#define QSOSYNC_BASE_API_KEY_MAKE_H

#include <stdbool.h>

#include "base/api_key.h"

/* Makes a new key from the system's random source; out gets API_KEY_LENGTH characters and a NUL.
 * Returns false, with out wiped, if there is no randomness to be had. */
bool api_key_make(char out[API_KEY_LENGTH + 1]);

/* The same for an upload token. */
bool api_key_make_token(char out[API_KEY_TOKEN_LENGTH + 1]);

#endif
