/* Counts requests in a table in shared memory, next to the database, with the times of each
 * address's requests in the last minute. The count is exact for limits up to SLOTS, and nearly
 * exact for higher limits. A leaky bucket or a count per minute would admit too many requests.
 *
 * The table has a fixed size, and consists of sets of a few entries. An address belongs to
 * one set, and has its own entry in the set. If the set is full, the address that has been idle
 * longest is forgotten. This error favours that client, and never harms other clients. A record
 * lock on the file locks a set; the kernel releases the lock if a worker dies. */
#include "worker/rate_limit.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/network.h"
#include "base/text.h"
#include "base/text_hash.h"

#define WINDOW_MS 60000
#define SLOTS 300 /* if the limit per minute is higher, one slot counts several requests */
#define ENTRIES 8
#define SETS 1024                  /* sets in the table, whose file has 5 MiB */
#define LAYOUT 0x716c696d697431ULL /* first number in a table that has the layout below */

/* The requests from one address, oldest first, as a ring of slots. A time is the lower 16 bits of
 * the milliseconds: times older than a minute are removed before they become ambiguous. */
struct entry {
    struct network key; /* family 0: the entry is free */
    int64_t last_ms;
    uint16_t first;     /* index of the oldest slot */
    uint16_t count;     /* number of slots in use */
    uint16_t in_newest; /* number of requests in the newest slot; every other slot is full */
    uint16_t times[SLOTS];
};

struct rate_table {
    _Atomic uint64_t layout; /* written last, when the table is complete */
    uint64_t seed;           /* random, so that nobody can choose addresses that share a set */
    struct entry entries[SETS][ENTRIES];
    unsigned char room[RATE_LIMIT_ROOM_BYTES];
};

static bool lock_set(const struct shared_file *table, off_t set)
{
    while (!shared_file_wait_lock(table, set))
        if (errno != EINTR)
            return false;
    return true;
}

/* Prepares a new table. The caller holds the lock on the first byte. */
static void lay_out(struct rate_table *table)
{
    if (table->layout != 0) /* a new file is all zeros */
        memset(table->entries, 0, sizeof table->entries);
    if (getrandom(&table->seed, sizeof table->seed, GRND_NONBLOCK) < 0)
        table->seed = LAYOUT;
    table->layout = LAYOUT;
}

bool rate_limit_open(struct shared_file *table, const char *database_path)
{
    if (!shared_file_open(table, database_path, "-limits") ||
        !shared_file_map(table, sizeof(struct rate_table)) || !lock_set(table, 0)) {
        shared_file_close(table);
        return false;
    }
    if (((const struct rate_table *)table->map)->layout != LAYOUT)
        lay_out(table->map);
    shared_file_unlock(table, 0);
    return true;
}

void *rate_limit_room(const struct shared_file *table)
{
    struct rate_table *counts = table->map;
    return counts ? counts->room : NULL;
}

/* Returns the number of minutes in which a group's limit applies. The group's clock is slower by
 * this factor. */
static int64_t minutes_of(uint32_t group)
{
    return group >= RATE_LIMIT_QUESTIONS ? 60 : 1;
}

static int64_t last_ms_of(const struct entry *entry)
{
    return entry->last_ms * minutes_of(entry->key.group);
}

/* Returns the address's own entry. If there is no such entry, empties and returns a free entry in
 * the set, or else the entry that has been idle longest. */
static struct entry *find_entry(struct entry *set, const struct network *key)
{
    struct entry *idlest = &set[0];
    for (int i = 0; i < ENTRIES; i++) {
        if (memcmp(&set[i].key, key, sizeof *key) == 0)
            return &set[i];
        if (idlest->key.family && (!set[i].key.family || last_ms_of(&set[i]) < last_ms_of(idlest)))
            idlest = &set[i];
    }
    memset(idlest, 0, sizeof *idlest);
    idlest->key = *key;
    return idlest;
}

static uint16_t age_of(const struct entry *entry, int slot)
{
    return (uint16_t)((uint16_t)entry->last_ms - entry->times[(entry->first + slot) % SLOTS]);
}

/* Removes times that are older than the window. Empties an entry that a killed worker left
 * half-written. Also empties an entry whose last time is far ahead of now, because that time is
 * from before a reboot. */
static void remove_old(struct entry *entry, int64_t now_ms)
{
    int64_t idle_ms = now_ms - entry->last_ms;
    if (idle_ms < 0 || idle_ms >= WINDOW_MS || entry->count > SLOTS || entry->first >= SLOTS)
        entry->count = 0;
    while (entry->count > 0 && idle_ms + age_of(entry, 0) >= WINDOW_MS) {
        entry->first = (uint16_t)((entry->first + 1) % SLOTS);
        entry->count--;
    }
    if (entry->count == 0)
        entry->first = 0;
}

/* Allows or refuses a request, and counts an allowed request. A slot with several requests is
 * removed together with its first request. The slot's other requests are removed too early, but
 * they are at most 1/300 of the limit. */
static void decide(struct entry *entry, int64_t now_ms, struct rate_verdict *verdict)
{
    int64_t per_slot = (verdict->limit + SLOTS - 1) / SLOTS;
    if (now_ms < entry->last_ms && entry->last_ms - now_ms < WINDOW_MS)
        now_ms = entry->last_ms; /* another worker has already counted a later request */
    remove_old(entry, now_ms);
    int64_t used = entry->count ? (entry->count - 1) * per_slot + entry->in_newest : 0;
    verdict->refused = used >= verdict->limit;
    entry->last_ms = now_ms;
    if (!verdict->refused && (entry->count == 0 || entry->in_newest >= per_slot)) {
        entry->times[(entry->first + entry->count) % SLOTS] = (uint16_t)now_ms;
        entry->count++;
        entry->in_newest = 0;
    }
    if (!verdict->refused) {
        entry->in_newest++;
        used++;
    }
    verdict->remaining = verdict->limit > used ? verdict->limit - used : 0;
    if (verdict->remaining == 0)
        verdict->reset_seconds = (WINDOW_MS - age_of(entry, 0) + 999) / 1000;
}

void rate_limit_count(const struct shared_file *table, const struct rate_count *count,
                      const char *address, int64_t limit_per_minute, int64_t now_ms,
                      struct rate_verdict *verdict)
{
    struct rate_table *counts = table->map;
    struct network key;
    memset(verdict, 0, sizeof *verdict);
    if (limit_per_minute == 0 || !counts)
        return;
    if (count->session)
        key = (struct network){.number = count->session, .family = NETWORK_NO_ADDRESS};
    else
        network_of(address, &key);
    key.group = count->group;
    uint64_t hash = text_hash(TEXT_HASH_START ^ counts->seed, &key, sizeof key);
    off_t set = (off_t)((hash ^ hash >> 32) % SETS);
    if (!lock_set(table, set))
        return;
    verdict->counted = true;
    verdict->limit = limit_per_minute * count->times;
    decide(find_entry(counts->entries[set], &key), now_ms / minutes_of(key.group), verdict);
    verdict->reset_seconds *= minutes_of(key.group);
    shared_file_unlock(table, set);
}
