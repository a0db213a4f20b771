/* UUIDs (RFC 9562) as 16 bytes and as their 36-character text, using libuuid. UUIDs of any version
 * and variant are accepted. */
#ifndef QSOSYNC_BASE_UUID_H
#define QSOSYNC_BASE_UUID_H

#include <stdbool.h>

#include "base/text.h"

#define UUID_BYTES 16
#define UUID_TEXT_LENGTH 36 /* excludes the NUL */

/* Reads exactly the hyphenated 36-character form, with letters in either case. For any other text,
 * returns false and leaves `out` unchanged. */
bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES]);

/* Writes UUID_TEXT_LENGTH lower-case characters and a NUL. */
void uuid_format_text(const unsigned char uuid[UUID_BYTES], char *out);

/* Creates a random UUID (version 4). */
void uuid_make_random(unsigned char out[UUID_BYTES]);

/* Creates the UUID of a name in a namespace (version 5, SHA-1). Equal names in the same namespace
 * have equal UUIDs. `out` can be the namespace. */
void uuid_make_named(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES]);

#endif
