/* A table in shared memory beside the logbook with the times of each address's failures, laid out
 * like that of the request limit (rate_limit.c): sets of a few entries; in a full set the address
 * that failed longest ago is forgotten. Times are those of a clock that nobody sets. Behind it lies
 * the table of slowing.c. One lock is for all of it.
 *
 * Verifying a password takes a processor for a while, so there are places for it, bytes of the same
 * file: one for all, one more for addresses that have not failed, and one for members where they
 * have signed in before, which those that guess cannot take. Of each of these one waits for a place
 * at a time, so that workers are left for everybody else. Who is sent away gets a turn, and with it
 * goes before all who come for the first time. Of addresses that have failed one is let through at
 * a time, ten in a second at most, and the rest sent away at once. Locks go with the process that
 * holds them. */
#include "site/guesses.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/log.h"
#include "base/keyed_hash.h"
#include "worker/worker.h"

#define SETS 512
#define LAYOUT 0x716c677565737331ULL
#define PAUSE_MS 100

/* Bytes that are locked. Those before these were locked by former releases. */
enum {
    PLACE_OF_ALL = SETS,
    PLACE_OF_NEW,
    WAIT_OF_NEW,
    PLACE_OF_KNOWN,
    WAIT_OF_KNOWN,
    WAIT_OF_TURN,
    TABLE,
};
#define WAIT_MS 1000
#define LOOK_EVERY_MS 4
#define BUSY_MS 1000
#define ACCOUNT_EACH_MS 3000 /* how often strangers try at an account that is slowed */
#define TURN_EACH_MS 200     /* at all, if there are too many */

/* Who comes. */
enum standing { HAS_FAILED, IS_NEW, HAS_TURN, IS_KNOWN };

struct table {
    _Atomic uint64_t layout;     /* written last */
    uint64_t seed;               /* nobody can choose addresses that meet in one set */
    _Atomic int64_t verified_ms; /* when a try of an address that has failed was let through last */
    struct slowing_failures entries[SETS][SLOWING_SET];
    struct slowing_table slowing;
};

/* -- The table --------------------------------------------------------------------------------- */

/* The table, for this process alone until it unlocks; NULL: it cannot be locked. */
static struct table *lock(const struct guess *guess)
{
    bool locked;
    do
        locked = shared_file_wait_lock(&guess->shared, TABLE);
    while (!locked && errno == EINTR);
    return locked ? guess->shared.map : NULL;
}

static void unlock(const struct guess *guess)
{
    shared_file_unlock(&guess->shared, TABLE);
}

static struct keyed_hash hash_of(const struct table *table)
{
    return (struct keyed_hash){{table->seed, ~table->seed}};
}

static bool lay_out(const struct guess *guess)
{
    struct table *table = lock(guess);
    if (!table)
        return false;
    if (table->layout != LAYOUT) {
        memset(table->entries, 0, sizeof table->entries);
        memset(&table->slowing, 0, sizeof table->slowing);
        if (!random_fill(&table->seed, sizeof table->seed))
            table->seed = LAYOUT;
        table->layout = LAYOUT;
    }
    unlock(guess);
    return true;
}

static bool open_table(struct guess *guess, struct request *request)
{
    const char *database_path = worker_setting_text(request, SETTING_DB);
    *guess = (struct guess){.shared = SHARED_FILE_CLOSED,
                            .now_ms = clock_monotonic_ms(),
                            .day = request->arrived_ms / DATETIME_DAY_MS};
    network_of(request->remote_address, &guess->network);
    if (shared_file_open(&guess->shared, database_path, "-guesses") &&
        shared_file_map(&guess->shared, sizeof(struct table)) && lay_out(guess))
        return true;
    log_line("%s-guesses: cannot open the table of failed attempts: %s", database_path,
             strerror(errno));
    shared_file_close(&guess->shared);
    return false;
}

/* -- Addresses --------------------------------------------------------------------------------- */

static struct slowing_failures *set_of(struct table *table, const struct network *network)
{
    uint64_t hash = text_hash(TEXT_HASH_START ^ table->seed, network, sizeof *network);
    return table->entries[(hash ^ hash >> 32) % SETS];
}

/* -- Accounts and wider networks --------------------------------------------------------------- */

/* Whom it is slow for: milliseconds until it may come again, 0: now. */
static int64_t slow_down(struct guess *guess)
{
    const struct slowing_places *places = &guess->places;
    int64_t network_ms = 0, account_ms = 0;
    if (places->network)
        network_ms = slowing_wait(places->network, &slowing_of_network, guess->now_ms);
    if (!network_ms && places->account &&
        slowing_wait(places->account, &slowing_of_account, guess->now_ms)) {
        account_ms =
            slowing_take_turn(places->queue, &guess->network, ACCOUNT_EACH_MS, guess->now_ms);
        guess->used_account_turn = account_ms == 0;
    }
    return network_ms > account_ms ? network_ms : account_ms;
}

static void count_in_places(const struct guess *guess, bool is_back)
{
    int64_t *const counts[] = {guess->places.network, guess->places.account};
    const struct slowing_rule *const rules[] = {&slowing_of_network, &slowing_of_account};
    for (int i = 0; i < 2; i++)
        if (counts[i] && is_back)
            slowing_take_back(counts[i], rules[i]);
        else if (counts[i])
            slowing_add(counts[i], rules[i], guess->now_ms);
}

/* Counts it unless it has to wait. */
static void pass_slowing(struct guess *guess, struct table *table,
                         const struct guess_target *target, bool *is_known)
{
    struct keyed_hash hash = hash_of(table);
    *is_known = target->is_signed_in ||
                (target->member_id &&
                 slowing_is_known(&table->slowing, &hash, target->member_id, &guess->network));
    slowing_find(&table->slowing, &hash, target->name, &guess->network, &guess->places);
    if (!*is_known)
        guess->wait_ms = slow_down(guess);
    if (!guess->wait_ms)
        count_in_places(guess, false);
}

/* How many failures of the address there were before this try, which is counted from now on unless
 * it has to wait; -1: nothing can be counted. */
static int64_t count_try(struct guess *guess, const struct guess_target *target, bool *is_known)
{
    struct table *table = lock(guess);
    if (!table)
        return -1;
    struct slowing_failures *set = set_of(table, &guess->network);
    int64_t before = slowing_count_try(set, &guess->network, guess->now_ms, &guess->wait_ms);
    if (before < SLOWING_FAILURES_MAX) {
        pass_slowing(guess, table, target, is_known);
        if (guess->wait_ms)
            slowing_forget_try(set, &guess->network, guess->now_ms);
    }
    unlock(guess);
    return before;
}

static void take_back(const struct guess *guess, struct table *table)
{
    slowing_forget_try(set_of(table, &guess->network), &guess->network, guess->now_ms);
    count_in_places(guess, true);
}

/* -- Places ------------------------------------------------------------------------------------ */

/* Who has a turn goes before those who come for the first time. */
static bool is_turn_waiting(const struct guess *guess)
{
    if (!shared_file_try_lock(&guess->shared, WAIT_OF_TURN))
        return true;
    shared_file_unlock(&guess->shared, WAIT_OF_TURN);
    return false;
}

static bool take_place(const struct guess *guess, enum standing standing)
{
    if (standing == IS_KNOWN && shared_file_try_lock(&guess->shared, PLACE_OF_KNOWN))
        return true;
    if (standing < HAS_TURN && is_turn_waiting(guess))
        return false;
    return (standing >= IS_NEW && shared_file_try_lock(&guess->shared, PLACE_OF_NEW)) ||
           shared_file_try_lock(&guess->shared, PLACE_OF_ALL);
}

static void sleep_ms(int64_t ms)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000}, NULL);
}

/* One that looks whether somebody waits holds the lock for a moment. */
static bool start_to_wait(const struct guess *guess, off_t line)
{
    for (int tries = 0; tries < 5; tries++) {
        if (shared_file_try_lock(&guess->shared, line))
            return true;
        sleep_ms(1);
    }
    return false;
}

static bool wait_for_place(const struct guess *guess, enum standing standing)
{
    off_t line = standing == IS_KNOWN ? WAIT_OF_KNOWN
                 : standing == IS_NEW ? WAIT_OF_NEW
                                      : WAIT_OF_TURN;
    bool taken = false;
    if (!start_to_wait(guess, line))
        return false;
    for (int left_ms = WAIT_MS; !taken && left_ms > 0; left_ms -= LOOK_EVERY_MS) {
        sleep_ms(LOOK_EVERY_MS);
        taken = take_place(guess, standing);
    }
    shared_file_unlock(&guess->shared, line);
    return taken;
}

/* A time that lies ahead is one from before a reboot. */
static bool take_place_of_others(const struct guess *guess)
{
    struct table *table = guess->shared.map;
    if (!take_place(guess, HAS_FAILED))
        return false;
    int64_t since_ms = guess->now_ms - table->verified_ms;
    if (since_ms >= 0 && since_ms < PAUSE_MS)
        sleep_ms(PAUSE_MS - since_ms);
    table->verified_ms = clock_monotonic_ms();
    return true;
}

/* 0: the address has a turn. */
static int64_t ask_for_turn(const struct guess *guess)
{
    struct table *table = lock(guess);
    if (!table)
        return BUSY_MS;
    int64_t wait_ms =
        slowing_take_turn(&table->slowing.verifying, &guess->network, TURN_EACH_MS, guess->now_ms);
    unlock(guess);
    return wait_ms;
}

/* Whoever came in his turn and found no place has it when he comes again as he is told. */
static void give_turns_back(const struct guess *guess, struct table *table)
{
    if (guess->used_account_turn)
        slowing_give_turn_back(guess->places.queue, &guess->network, ACCOUNT_EACH_MS, guess->now_ms,
                               guess->wait_ms);
    if (guess->used_place_turn)
        slowing_give_turn_back(&table->slowing.verifying, &guess->network, TURN_EACH_MS,
                               guess->now_ms, guess->wait_ms);
}

/* Only strangers who find no place need a turn. */
static bool find_place(struct guess *guess, enum standing standing)
{
    if (standing == HAS_FAILED ? take_place_of_others(guess) : take_place(guess, standing))
        return true;
    guess->wait_ms = BUSY_MS;
    if (standing == IS_NEW) {
        int64_t turn_ms = ask_for_turn(guess);
        guess->used_place_turn = turn_ms == 0;
        if (guess->used_place_turn)
            standing = HAS_TURN;
        else
            guess->wait_ms = turn_ms;
    }
    return standing != HAS_FAILED && wait_for_place(guess, standing);
}

/* -- A try ------------------------------------------------------------------------------------- */

static const struct error *refuse(struct guess *guess, struct request *request)
{
    shared_file_close(&guess->shared);
    return error_too_often(request->arena, (guess->wait_ms + 999) / 1000);
}

const struct error *guess_begin(struct guess *guess, struct request *request,
                                const struct guess_target *target)
{
    bool is_known = false;
    if (!open_table(guess, request))
        return &error_internal;
    guess->member_id = target->member_id;
    int64_t before = count_try(guess, target, &is_known);
    if (before < 0) {
        shared_file_close(&guess->shared);
        return &error_internal;
    }
    if (guess->wait_ms)
        return refuse(guess, request);
    if (!target->name.bytes || find_place(guess, before > 0 ? HAS_FAILED
                                                 : is_known ? IS_KNOWN
                                                            : IS_NEW))
        return NULL;
    struct table *table = lock(guess);
    if (table) {
        take_back(guess, table);
        give_turns_back(guess, table);
        unlock(guess);
    }
    return refuse(guess, request);
}

static void note_known(const struct guess *guess, struct table *table)
{
    struct keyed_hash hash = hash_of(table);
    if (guess->member_id)
        slowing_note_known(&table->slowing, &hash, guess->member_id, &guess->network, guess->day);
}

void guess_end(struct guess *guess, bool has_failed)
{
    struct table *table = has_failed ? NULL : lock(guess);
    if (table) {
        take_back(guess, table);
        note_known(guess, table);
        unlock(guess);
    }
    shared_file_close(&guess->shared);
}

void guess_note_use(struct request *request, int64_t member_id)
{
    struct guess guess;
    if (!open_table(&guess, request))
        return;
    guess.member_id = member_id;
    struct table *table = lock(&guess);
    if (table) {
        note_known(&guess, table);
        unlock(&guess);
    }
    shared_file_close(&guess.shared);
}
