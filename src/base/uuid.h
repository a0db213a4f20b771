/* UUIDs (RFC 9562) as 16 bytes and as their 36-character text, by libuuid. Any version and variant
 * counts. */
#ifndef QSOSYNC_BASE_UUID_H
#define QSOSYNC_BASE_UUID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define UUID_BYTES 16
#define UUID_TEXT_LENGTH 36 /* without a NUL */

/* Reads exactly the hyphenated 36-character form, letters in either case. Returns false, and leaves
 * out alone, for anything else. */
bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES]);

/* Writes UUID_TEXT_LENGTH lower-case characters and a NUL. */
void uuid_format_text(const unsigned char uuid[UUID_BYTES], char *out);

/* The UUID of a name in a namespace (version 5, SHA-1): the same name in the same namespace gives
 * the same one. out may be the namespace. */
void uuid_make_named(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES]);

/* A number for each of many UUIDs. Its memory grows with them, 27 to 53 bytes each. */

struct uuid_table;

/* Never returns NULL; uuid_table_free frees it. */
struct uuid_table *uuid_table_create(void);
void uuid_table_free(struct uuid_table *table); /* NULL is allowed */

/* 0: none was put there. Numbers that are put are not 0. */
uint32_t uuid_table_get(const struct uuid_table *table, const unsigned char uuid[UUID_BYTES]);
void uuid_table_put(struct uuid_table *table, const unsigned char uuid[UUID_BYTES],
                    uint32_t number);

/* Calls visit for each UUID that has a number, in any order. */
void uuid_table_list(const struct uuid_table *table,
                     void (*visit)(void *context, const unsigned char uuid[UUID_BYTES],
                                   uint32_t number),
                     void *context);

#endif
