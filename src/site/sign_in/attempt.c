/* Counts failed attempts in the table of throttle.c, which is in shared memory next to the logbook,
 * under one lock. Times are from the monotonic clock, which nobody can set. places.c limits how
 * many passwords are verified at once. */
#include "site/sign_in/attempt.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/keyed_hash.h"
#include "base/log.h"
#include "base/network.h"
#include "site/sign_in/places.h"
#include "worker/worker.h"

#define LAYOUT 0x716c677565737333ULL
#define BUSY_MS 1000

struct table {
    _Atomic uint64_t layout;
    struct throttle_table throttle;
};

/* Locks the table for this process until the process unlocks the table or closes the file. Returns
 * NULL if locking failed. */
static struct throttle_table *lock(const struct attempt *attempt)
{
    struct table *table = attempt->shared.map;
    if (!place_lock_table(&attempt->shared))
        return NULL;
    if (table->layout != LAYOUT) {
        memset(&table->throttle, 0, sizeof table->throttle);
        table->throttle.hash = keyed_hash_begin();
        table->layout = LAYOUT;
    }
    return &table->throttle;
}

/* Opens the table and locks it. Returns NULL on failure, with nothing left open. */
static struct throttle_table *open_table(struct attempt *attempt, const struct request *request)
{
    const char *database_path = worker_setting_text(request, SETTING_DB);
    *attempt = (struct attempt){.shared = SHARED_FILE_CLOSED, .now_ms = clock_monotonic_ms()};
    bool is_mapped = shared_file_open(&attempt->shared, database_path, "-guesses") &&
                     shared_file_map(&attempt->shared, sizeof(struct table));
    struct throttle_table *throttle = is_mapped ? lock(attempt) : NULL;
    if (!throttle) {
        log_line("%s-guesses: cannot open the table of failed attempts: %s", database_path,
                 strerror(errno));
        shared_file_close(&attempt->shared);
    }
    return throttle;
}

/* Finds the bucket of the address and, for IPv6, the bucket of its network. The network is a /48,
 * because all addresses in a /48 can belong to one person. */
static void find_address(struct attempt *attempt, const struct throttle_table *throttle,
                         const struct request *request)
{
    struct network address, wide = {.family = 6};
    network_of(request->remote_address, &address);
    attempt->owners[THROTTLE_ADDRESS] =
        throttle_owner(throttle, THROTTLE_ADDRESS, &address, sizeof address);
    memcpy(&wide.number, &address.number, 48 / 8); /* the address's bytes are in network order */
    if (address.family == 6)
        attempt->owners[THROTTLE_NETWORK] =
            throttle_owner(throttle, THROTTLE_NETWORK, &wide, sizeof wide);
}

/* Finds the buckets of the account and of the device. An unknown name also counts as an account;
 * otherwise refusals would show which names exist. */
static void find_account(struct attempt *attempt, const struct throttle_table *throttle,
                         const struct attempted *attempted)
{
    struct match_callsign name;
    match_normalise_callsign(text_trim(attempted->name), &name);
    const bool is_member = attempted->member_id != 0;
    attempt->owners[THROTTLE_ACCOUNT] =
        throttle_owner(throttle, THROTTLE_ACCOUNT,
                       is_member ? (const void *)&attempted->member_id : (const void *)name.bytes,
                       is_member ? sizeof attempted->member_id : name.length);
    if (attempted->device.length > 0)
        attempt->owners[THROTTLE_DEVICE] = throttle_owner(
            throttle, THROTTLE_DEVICE, attempted->device.bytes, attempted->device.length);
}

/* Returns the milliseconds until all buckets of the attempt have a token. For a known device, only
 * the device's own bucket is used. */
static int64_t find_wait(const struct attempt *attempt, struct throttle_table *throttle)
{
    const uint64_t device = attempt->owners[THROTTLE_DEVICE];
    int64_t wait_ms = 0;
    if (device)
        return throttle_wait(throttle, THROTTLE_DEVICE, device, attempt->now_ms);
    for (enum throttle_kind kind = 0; kind < THROTTLE_KINDS; kind++) {
        const uint64_t owner = attempt->owners[kind];
        const int64_t more_ms = owner ? throttle_wait(throttle, kind, owner, attempt->now_ms) : 0;
        wait_ms = more_ms > wait_ms ? more_ms : wait_ms;
    }
    return wait_ms;
}

static void count(struct attempt *attempt, struct throttle_table *throttle)
{
    for (enum throttle_kind kind = 0; kind < THROTTLE_KINDS; kind++)
        attempt->counted[kind] =
            attempt->owners[kind] &&
            throttle_count(throttle, kind, attempt->owners[kind], attempt->now_ms);
}

static void uncount(const struct attempt *attempt)
{
    struct throttle_table *throttle = lock(attempt);
    for (enum throttle_kind kind = 0; throttle && kind < THROTTLE_KINDS; kind++)
        if (attempt->counted[kind])
            throttle_uncount(throttle, kind, attempt->owners[kind]);
}

static const struct error *refuse(struct attempt *attempt, struct exchange *exchange,
                                  int64_t wait_ms)
{
    shared_file_close(&attempt->shared);
    return error_too_often(exchange->arena, (wait_ms + 999) / 1000);
}

const struct error *attempt_begin(struct attempt *attempt, struct exchange *exchange,
                                  const struct attempted *attempted)
{
    struct throttle_table *throttle = open_table(attempt, exchange->request);
    if (!throttle)
        return &error_internal;
    find_address(attempt, throttle, exchange->request);
    find_account(attempt, throttle, attempted);
    const int64_t wait_ms = find_wait(attempt, throttle);
    if (wait_ms > 0)
        return refuse(attempt, exchange, wait_ms);
    count(attempt, throttle);
    place_unlock_table(&attempt->shared);
    if (place_take(&attempt->shared, attempt->owners[THROTTLE_DEVICE] != 0))
        return NULL;
    uncount(attempt);
    return refuse(attempt, exchange, BUSY_MS);
}

void attempt_end(struct attempt *attempt, bool has_failed)
{
    if (!has_failed)
        uncount(attempt);
    shared_file_close(&attempt->shared);
}

const struct error *attempt_note_failure(struct exchange *exchange, const struct error *error)
{
    struct attempt attempt;
    struct throttle_table *throttle = open_table(&attempt, exchange->request);
    if (!throttle)
        return &error_internal;
    find_address(&attempt, throttle, exchange->request);
    const int64_t wait_ms = find_wait(&attempt, throttle);
    if (wait_ms > 0)
        return refuse(&attempt, exchange, wait_ms);
    count(&attempt, throttle);
    shared_file_close(&attempt.shared);
    return error;
}
