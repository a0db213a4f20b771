/* Stores a bucket as the time at which the bucket will be full again: each missing token is an
 * equal part of the window. Full buckets take no memory. If a set has no space, the bucket that
 * will be full first is dropped. attempt.c chooses the owners and the answers. */
#include "site/sign_in/throttle.h"

#include "base/keyed_hash.h"

#define MINUTE_MS INT64_C(60000)

/* The limits are not lower, because members sometimes forget a password, and an IPv6 /48 can be a
 * town's network. */
static const struct {
    /* number of tokens in a full bucket, and the time in which it fills */
    int64_t tokens, window_ms;
} rules[THROTTLE_KINDS] = {
    [THROTTLE_ACCOUNT] = {20, 60 * MINUTE_MS},
    [THROTTLE_NETWORK] = {40, 10 * MINUTE_MS},
    [THROTTLE_ADDRESS] = {10, 10 * MINUTE_MS},
    [THROTTLE_DEVICE] = {10, 10 * MINUTE_MS},
};
#define WINDOW_MAX_MS (60 * MINUTE_MS)

static int64_t token_ms(enum throttle_kind kind)
{
    return rules[kind].window_ms / rules[kind].tokens;
}

uint64_t throttle_owner(const struct throttle_table *table, enum throttle_kind kind,
                        const void *bytes, size_t length)
{
    const struct {
        uint64_t kind, hash;
    } whole = {kind, keyed_hash_of(&table->hash, bytes, length)};
    const uint64_t owner = keyed_hash_of(&table->hash, &whole, sizeof whole);
    return owner ? owner : 1;
}

/* Returns whether a bucket is full. A time too far in the future is from before a reboot. */
static bool is_full(const struct throttle_bucket *bucket, int64_t window_ms, int64_t now_ms)
{
    return bucket->full_ms <= now_ms || bucket->full_ms > now_ms + window_ms;
}

static struct throttle_bucket *find(struct throttle_table *table, uint64_t owner)
{
    struct throttle_bucket *set = table->buckets[owner % THROTTLE_SETS];
    for (int i = 0; i < THROTTLE_SET; i++)
        if (set[i].owner == owner)
            return &set[i];
    return NULL;
}

/* Returns the owner's bucket. If there is none, a full bucket of the set becomes the owner's
 * bucket, or else the bucket that will be full first. */
static struct throttle_bucket *find_or_make(struct throttle_table *table, uint64_t owner,
                                            int64_t now_ms)
{
    struct throttle_bucket *found = find(table, owner);
    struct throttle_bucket *set = table->buckets[owner % THROTTLE_SETS];
    for (int i = 0; !found && i < THROTTLE_SET; i++)
        if (is_full(&set[i], WINDOW_MAX_MS, now_ms))
            found = &set[i];
    if (!found) {
        found = set;
        for (int i = 1; i < THROTTLE_SET; i++)
            if (set[i].full_ms < found->full_ms)
                found = &set[i];
    }
    if (found->owner != owner)
        *found = (struct throttle_bucket){owner, now_ms};
    return found;
}

int64_t throttle_wait(struct throttle_table *table, enum throttle_kind kind, uint64_t owner,
                      int64_t now_ms)
{
    const struct throttle_bucket *bucket = find(table, owner);
    if (!bucket || is_full(bucket, rules[kind].window_ms, now_ms))
        return 0;
    const int64_t wait_ms = bucket->full_ms + token_ms(kind) - rules[kind].window_ms - now_ms;
    return wait_ms > 0 ? wait_ms : 0;
}

bool throttle_count(struct throttle_table *table, enum throttle_kind kind, uint64_t owner,
                    int64_t now_ms)
{
    if (throttle_wait(table, kind, owner, now_ms) > 0)
        return false;
    struct throttle_bucket *bucket = find_or_make(table, owner, now_ms);
    if (is_full(bucket, rules[kind].window_ms, now_ms))
        bucket->full_ms = now_ms;
    bucket->full_ms += token_ms(kind);
    return true;
}

void throttle_uncount(struct throttle_table *table, enum throttle_kind kind, uint64_t owner)
{
    struct throttle_bucket *bucket = find(table, owner);
    if (bucket)
        bucket->full_ms -= token_ms(kind);
}
