/* SHA-256 (FIPS 180-4) of a text that is there as a whole.
 *
 * libcrypto has it, too, and loading and starting libcrypto costs a CGI program more than all else
 * that it does for a request. */
#ifndef QSOSYNC_BASE_SHA256_H
#define QSOSYNC_BASE_SHA256_H

#include "base/text.h"

#define SHA256_BYTES 32

/* How long it takes depends on the length alone, and nothing of the text stays in memory. */
void sha256_digest(struct text text, unsigned char out[SHA256_BYTES]);

#endif
