/* API keys: what they look like, how they are made, and the fingerprint that is all we keep of
 * them.
 *
 * With passkey.c the only module that uses libcrypto. A key is "qsosync_", 43 base62 characters
 * (256 random bits) and 6 characters that are the CRC-32 of everything before them:
 * qsosync_[0-9A-Za-z]{49}. */
#ifndef QSOSYNC_BASE_API_KEY_H
#define QSOSYNC_BASE_API_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define API_KEY_DIGITS 49 /* behind the prefix */
#define API_KEY_PREFIX "qsosync_"
#define API_KEY_LENGTH (sizeof API_KEY_PREFIX - 1 + API_KEY_DIGITS) /* bytes, without a NUL */
#define API_KEY_HINT_LENGTH 12       /* the first characters, which lists may show */
#define API_KEY_FINGERPRINT_BYTES 32 /* SHA-256 of the whole key */

/* Upload tokens, tokens of PoLo, the secrets of links that sign a member in (an invitation, or one
 * for another device) and keys of the services of other clubs are made in the same way with other
 * beginnings, so that none can be taken for another. */
#define API_KEY_TOKEN_PREFIX "qsosyncup_"
#define API_KEY_TOKEN_LENGTH (sizeof API_KEY_TOKEN_PREFIX - 1 + API_KEY_DIGITS)
#define API_KEY_TOKEN_HINT_LENGTH 14
#define API_KEY_POLO_PREFIX "qsosyncpo_" /* as long as an upload token */
#define API_KEY_LINK_PREFIX "qsosyncin_"
#define API_KEY_LINK_LENGTH (sizeof API_KEY_LINK_PREFIX - 1 + API_KEY_DIGITS)
#define API_KEY_PEER_PREFIX "qsosyncpeer_"
#define API_KEY_PEER_LENGTH (sizeof API_KEY_PEER_PREFIX - 1 + API_KEY_DIGITS)
#define API_KEY_COOKIE_LENGTH 43

enum api_key_kind { API_KEY_KEY, API_KEY_TOKEN, API_KEY_POLO, API_KEY_LINK, API_KEY_PEER };

/* Makes a new one from the system's random source; out gets its length in characters and a NUL. */
void api_key_make(enum api_key_kind kind, char *out);

/* True if the text has the form of one and its checksum is right, so that a mistyped key is known
 * without asking the database. */
bool api_key_is(enum api_key_kind kind, struct text key);

/* What a browser that is signed in shows: 43 base62 characters (256 random bits), without prefix or
 * checksum, because no person ever types it. */
void api_key_make_cookie(char out[API_KEY_COOKIE_LENGTH + 1]);

/* SHA-256 of the key. */
void api_key_fingerprint(struct text key, unsigned char out[API_KEY_FINGERPRINT_BYTES]);

/* Before the first fingerprint, by a program that may be started for each request: libcrypto begins
 * with no more than fingerprints need, which saves a third of its time. Such a program can speak no
 * TLS. */
void api_key_start_small(void);

/* Numbers written with the 62 characters 0-9, A-Z, a-z, and the CRC-32 that a key ends with. */

/* Writes the big-endian number in bytes as exactly `digits` base62 digits, most significant first,
 * padded with 0; no NUL. The caller asks for enough digits (43 for 32 bytes, 6 for 4 bytes). */
void base62_encode(const unsigned char *bytes, size_t length, char *out, size_t digits);

/* CRC-32 as in ISO-HDLC and zlib (polynomial 0xEDB88320 reflected); of "123456789": 0xCBF43926. */
uint32_t base62_checksum(const void *bytes, size_t length);

#endif
