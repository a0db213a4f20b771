/* Token buckets that slow down guessing: one for each account, network, address and device.
 *
 * The buckets are in memory that the caller shares and locks; all zeros are a table of full
 * buckets. Times are milliseconds of one clock. */
#ifndef QSOSYNC_SITE_THROTTLE_H
#define QSOSYNC_SITE_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/keyed_hash.h"

#define THROTTLE_SETS 2048
#define THROTTLE_SET 8 /* buckets that share a set */

enum throttle_kind {
    THROTTLE_ACCOUNT,
    THROTTLE_NETWORK,
    THROTTLE_ADDRESS,
    THROTTLE_DEVICE,
    THROTTLE_KINDS
};

struct throttle_bucket {
    uint64_t owner;  /* 0: the bucket is free */
    int64_t full_ms; /* time at which the bucket is full again */
};

struct throttle_table {
    struct keyed_hash hash; /* a secret hash, so that nobody can choose owners that share a set */
    struct throttle_bucket buckets[THROTTLE_SETS][THROTTLE_SET];
};

/* Returns the owner of a bucket of this kind, as a number that is never 0. */
uint64_t throttle_owner(const struct throttle_table *table, enum throttle_kind kind,
                        const void *bytes, size_t length);

/* Returns the milliseconds until the bucket has a token, or 0 if the bucket has a token now. */
int64_t throttle_wait(struct throttle_table *table, enum throttle_kind kind, uint64_t owner,
                      int64_t now_ms);

/* Removes a token from the bucket. Returns false if the bucket is empty; it is then unchanged. */
bool throttle_count(struct throttle_table *table, enum throttle_kind kind, uint64_t owner,
                    int64_t now_ms);

/* Returns a token to the bucket from which throttle_count removed it. */
void throttle_uncount(struct throttle_table *table, enum throttle_kind kind, uint64_t owner);

#endif
