/* A table in shared memory beside the logbook with the times of each address's failures, laid out
 * like that of the request limit (rate_limit.c): sets of a few entries, each locked by a byte of
 * the file; in a full set the address that failed longest ago is forgotten. Times are those of a
 * clock that nobody sets.
 *
 * Verifying a password takes a processor for a while, so there are places for it, bytes of the same
 * file: one for all, and one more for addresses that have not failed, which those that guess cannot
 * take. Who has not failed waits for a place, one at a time, so that a worker is left for everybody
 * else. Of the others one is let through at a time, ten in a second at most, and the rest
 * sent away at once. Locks go with the process that holds them. */
#include "site/guesses.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "worker/worker.h"

#define ENTRIES 8
#define SETS 512
#define LAYOUT 0x716c677565737331ULL
#define PAUSE_MS 100

/* Bytes that are locked: sets from 0 on, then these. */
#define PLACE_OF_ALL SETS
#define PLACE_OF_NEW (SETS + 1)
#define PLACE_TO_WAIT (SETS + 2)
#define WAIT_MS 1000
#define LOOK_EVERY_MS 4
#define BUSY_SECONDS 1

struct entry {
    struct network network; /* family 0: it is free */
    int64_t count;
    int64_t failed_ms[GUESSES_MAX]; /* oldest first */
};

struct table {
    _Atomic uint64_t layout;     /* written last */
    uint64_t seed;               /* nobody can choose addresses that meet in one set */
    _Atomic int64_t verified_ms; /* when a try of an address that has failed was let through last */
    struct entry entries[SETS][ENTRIES];
};

/* -- The table --------------------------------------------------------------------------------- */

static bool lock_set(const struct guess *guess, off_t set)
{
    bool locked;
    do
        locked = shared_file_wait_lock(&guess->shared, set);
    while (!locked && errno == EINTR);
    return locked;
}

static bool lay_out(const struct guess *guess)
{
    struct table *table = guess->shared.map;
    if (table->layout == LAYOUT)
        return true;
    if (!lock_set(guess, 0))
        return false;
    if (table->layout != LAYOUT) {
        memset(table->entries, 0, sizeof table->entries);
        if (!random_fill(&table->seed, sizeof table->seed))
            table->seed = LAYOUT;
        table->layout = LAYOUT;
    }
    shared_file_unlock(&guess->shared, 0);
    return true;
}

static bool open_table(struct guess *guess, const char *database_path)
{
    if (!shared_file_open(&guess->shared, database_path, "-guesses"))
        return false;
    if (shared_file_map(&guess->shared, sizeof(struct table)) && lay_out(guess))
        return true;
    shared_file_close(&guess->shared);
    return false;
}

static off_t set_of(const struct guess *guess)
{
    const struct table *table = guess->shared.map;
    uint64_t hash =
        text_hash(TEXT_HASH_START ^ table->seed, &guess->network, sizeof guess->network);
    return (off_t)((hash ^ hash >> 32) % SETS);
}

/* Failures of before a reboot lie ahead of now; a killed worker may leave any count. Workers that
 * look at the clock at the same time may be a moment apart. */
static void remove_old(struct entry *entry, int64_t now_ms)
{
    int64_t kept = 0;
    if (entry->count < 0 || entry->count > GUESSES_MAX)
        entry->count = 0;
    for (int64_t i = 0; i < entry->count; i++) {
        int64_t age_ms = now_ms - entry->failed_ms[i];
        if (age_ms < GUESSES_WINDOW_MS && age_ms > -GUESSES_WINDOW_MS / 10)
            entry->failed_ms[kept++] = entry->failed_ms[i];
    }
    entry->count = kept;
}

static int64_t last_failure(const struct entry *entry)
{
    bool has_any = entry->network.family && entry->count > 0 && entry->count <= GUESSES_MAX;
    return has_any ? entry->failed_ms[entry->count - 1] : INT64_MIN;
}

/* The address's own entry; NULL: it has none. */
static struct entry *find_entry(const struct guess *guess, off_t set)
{
    struct table *table = guess->shared.map;
    struct entry *entries = table->entries[set];
    for (int i = 0; i < ENTRIES; i++)
        if (memcmp(&entries[i].network, &guess->network, sizeof guess->network) == 0)
            return &entries[i];
    return NULL;
}

static struct entry *find_or_make_entry(const struct guess *guess, off_t set)
{
    struct table *table = guess->shared.map;
    struct entry *found = find_entry(guess, set), *idlest = &table->entries[set][0];
    if (found)
        return found;
    for (int i = 1; i < ENTRIES; i++)
        if (last_failure(&table->entries[set][i]) < last_failure(idlest))
            idlest = &table->entries[set][i];
    memset(idlest, 0, sizeof *idlest);
    idlest->network = guess->network;
    return idlest;
}

/* How many there were before this one, which is counted from now on unless there are too many; -1:
 * nothing can be counted. */
static int64_t count_try(struct guess *guess)
{
    off_t set = set_of(guess);
    if (!lock_set(guess, set))
        return -1;
    struct entry *entry = find_or_make_entry(guess, set);
    remove_old(entry, guess->now_ms);
    int64_t before = entry->count;
    if (before < GUESSES_MAX)
        entry->failed_ms[entry->count++] = guess->now_ms;
    else
        guess->wait_seconds =
            (entry->failed_ms[0] + GUESSES_WINDOW_MS - guess->now_ms + 999) / 1000;
    shared_file_unlock(&guess->shared, set);
    return before;
}

static void forget_try(const struct guess *guess)
{
    off_t set = set_of(guess);
    if (!lock_set(guess, set))
        return;
    struct entry *entry = find_entry(guess, set);
    for (int64_t i = entry ? entry->count - 1 : -1; i >= 0; i--)
        if (entry->failed_ms[i] == guess->now_ms) {
            entry->count--;
            memmove(&entry->failed_ms[i], &entry->failed_ms[i + 1],
                    (size_t)(entry->count - i) * sizeof entry->failed_ms[0]);
            break;
        }
    shared_file_unlock(&guess->shared, set);
}

/* -- Places ------------------------------------------------------------------------------------ */

static bool take_place(const struct guess *guess, bool has_none)
{
    return (has_none && shared_file_try_lock(&guess->shared, PLACE_OF_NEW)) ||
           shared_file_try_lock(&guess->shared, PLACE_OF_ALL);
}

static void sleep_ms(int64_t ms)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000}, NULL);
}

static bool wait_for_place(const struct guess *guess)
{
    bool taken = false;
    if (!shared_file_try_lock(&guess->shared, PLACE_TO_WAIT))
        return false;
    for (int left_ms = WAIT_MS; !taken && left_ms > 0; left_ms -= LOOK_EVERY_MS) {
        sleep_ms(LOOK_EVERY_MS);
        taken = take_place(guess, true);
    }
    shared_file_unlock(&guess->shared, PLACE_TO_WAIT);
    return taken;
}

/* A time that lies ahead is one from before a reboot. */
static bool take_place_of_others(const struct guess *guess)
{
    struct table *table = guess->shared.map;
    if (!take_place(guess, false))
        return false;
    int64_t since_ms = guess->now_ms - table->verified_ms;
    if (since_ms >= 0 && since_ms < PAUSE_MS)
        sleep_ms(PAUSE_MS - since_ms);
    table->verified_ms = clock_monotonic_ms();
    return true;
}

/* The front server makes Retry-After of it. */
static const struct error *refuse(struct guess *guess, struct request *request)
{
    static const struct error row = {
        .status = 429,
        .code = "GENERIC.RATE_LIMITED",
        .summary = "Too many failed attempts from this address; wait as long as Retry-After says.",
        .header_name = "RateLimit-Reset",
    };
    struct error *error = arena_allocate(request->arena, sizeof *error);
    *error = row;
    error->header_value = arena_print(request->arena, "%lld", (long long)guess->wait_seconds);
    shared_file_close(&guess->shared);
    return error;
}

const struct error *guess_begin(struct guess *guess, struct request *request)
{
    const char *database_path = worker_setting_text(request, SETTING_DB);
    *guess = (struct guess){.shared = SHARED_FILE_CLOSED, .now_ms = clock_monotonic_ms()};
    network_of(request->remote_address, &guess->network);
    if (!open_table(guess, database_path)) {
        log_line("%s-guesses: cannot open the table of failed attempts: %s", database_path,
                 strerror(errno));
        return &error_internal;
    }
    int64_t before = count_try(guess);
    if (before < 0) {
        shared_file_close(&guess->shared);
        return &error_internal;
    }
    if (before >= GUESSES_MAX)
        return refuse(guess, request);
    bool has_none = before == 0;
    if (has_none ? take_place(guess, true) || wait_for_place(guess) : take_place_of_others(guess))
        return NULL;
    forget_try(guess);
    guess->wait_seconds = BUSY_SECONDS;
    return refuse(guess, request);
}

void guess_end(struct guess *guess, bool has_failed)
{
    if (!has_failed)
        forget_try(guess);
    shared_file_close(&guess->shared);
}
