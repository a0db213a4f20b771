/* Random bytes, and hashes for tables whose keys clients choose: nobody outside can construct many
 * keys with the same hash.
 *
 * SipHash-2-4 (Aumasson, Bernstein 2012) under a random key. */
#ifndef QSOSYNC_BASE_KEYED_HASH_H
#define QSOSYNC_BASE_KEYED_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyed_hash {
    uint64_t key[2];
};

/* A new key: no two tables have the same one, so that what is listed in one table's order can be
 * put into another without meeting itself. */
struct keyed_hash keyed_hash_begin(void);

uint64_t keyed_hash_of(const struct keyed_hash *hash, const void *bytes, size_t length);

/* Random bytes of the system, for secrets. */

/* At most 256 bytes, for which no kernel that has the call ever fails. Without them nothing secret
 * can be made: the process would end with a line in the log. */
void random_fill(void *out, size_t length);

#endif
