/* Hashes for tables whose keys are chosen by clients: outsiders cannot construct many keys with the
 * same hash.
 *
 * SipHash-2-4 (Aumasson, Bernstein 2012) with a random key. */
#ifndef QSOSYNC_BASE_KEYED_HASH_H
#define QSOSYNC_BASE_KEYED_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyed_hash {
    uint64_t key[2];
};

/* Creates a random key. Each table has its own key, so that entries listed in one table's order do
 * not collide when they are added to another table. */
struct keyed_hash keyed_hash_begin(void);

uint64_t keyed_hash_of(const struct keyed_hash *hash, const void *bytes, size_t length);

#endif
