/* base64 and base64url (RFC 4648, sections 4 and 5). Results are in the arena. */
#ifndef QSOSYNC_BASE_BASE64_H
#define QSOSYNC_BASE_BASE64_H

#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"

/* Encodes bytes as base64, with padding. */
struct text base64_encode(const void *bytes, size_t length, struct arena *arena);

/* Encode and decode base64url without padding. For any text that is not base64url, decoding returns
 * no text. */
struct text base64url_encode(const void *bytes, size_t length, struct arena *arena);
struct text base64url_decode(struct text encoded, struct arena *arena);

#endif
