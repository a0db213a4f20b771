/* The table of slowing.c, in shared memory beside the logbook and under one lock. Times are those
 * of a clock that nobody sets.
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

#define LAYOUT 0x716c677565737332ULL
#define PAUSE_MS 100

/* Bytes that are locked. Those before these were locked by former releases. */
enum {
    PLACE_OF_ALL = 512,
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
    _Atomic uint64_t layout;
    _Atomic int64_t verified_ms; /* when a try of an address that has failed was let through last */
    struct slowing_table slowing;
};

/* -- The table --------------------------------------------------------------------------------- */

/* The table, for this process alone until it unlocks it or closes the file; NULL: it cannot be
 * locked. */
static struct table *lock(const struct guess *guess)
{
    struct table *table = guess->shared.map;
    while (!shared_file_wait_lock(&guess->shared, TABLE))
        if (errno != EINTR)
            return NULL;
    if (table->layout != LAYOUT) {
        memset(&table->slowing, 0, sizeof table->slowing);
        table->slowing.hash = keyed_hash_begin();
        table->layout = LAYOUT;
    }
    return table;
}

/* The table, locked. NULL: it cannot be had, and nothing is open. */
static struct table *open_table(struct guess *guess, struct request *request, int64_t member_id)
{
    const char *database_path = worker_setting_text(request, SETTING_DB);
    *guess = (struct guess){.shared = SHARED_FILE_CLOSED,
                            .member_id = member_id,
                            .now_ms = clock_monotonic_ms(),
                            .day = request->arrived_ms / DATETIME_DAY_MS};
    network_of(request->remote_address, &guess->network);
    bool is_mapped = shared_file_open(&guess->shared, database_path, "-guesses") &&
                     shared_file_map(&guess->shared, sizeof(struct table));
    struct table *table = is_mapped ? lock(guess) : NULL;
    if (!table) {
        log_line("%s-guesses: cannot open the table of failed attempts: %s", database_path,
                 strerror(errno));
        shared_file_close(&guess->shared);
    }
    return table;
}

/* -- Counting ---------------------------------------------------------------------------------- */

/* For clients that are slowed: milliseconds until a retry is allowed; 0: now. */
static int64_t slow_down(struct guess *guess)
{
    const struct slowing_places *places = &guess->places;
    int64_t wait_ms = slowing_wait(places->network, &slowing_of_network, guess->now_ms);
    if (!wait_ms && slowing_wait(places->account, &slowing_of_account, guess->now_ms)) {
        wait_ms = slowing_take_turn(places->queue, &guess->network, ACCOUNT_EACH_MS, guess->now_ms);
        guess->used_account_turn = wait_ms == 0;
    }
    return wait_ms;
}

/* Counts it for accounts and wider networks unless it has to wait. */
static void pass_slowing(struct guess *guess, struct slowing_table *table)
{
    guess->is_known |=
        guess->member_id && slowing_is_known(table, guess->member_id, &guess->network);
    slowing_find(table, guess->name, &guess->network, &guess->places);
    guess->wait_ms = guess->is_known ? 0 : slow_down(guess);
    if (!guess->wait_ms) {
        slowing_add(guess->places.network, &slowing_of_network, guess->now_ms);
        slowing_add(guess->places.account, &slowing_of_account, guess->now_ms);
    }
}

/* How many failures of the address there were before this try, which is counted from now on unless
 * it has to wait. */
static int64_t count_try(struct guess *guess, struct slowing_table *table)
{
    int64_t before = slowing_count_try(table, &guess->network, guess->now_ms, &guess->wait_ms);
    if (before < SLOWING_FAILURES_MAX) {
        pass_slowing(guess, table);
        if (guess->wait_ms)
            slowing_forget_try(table, &guess->network, guess->now_ms);
    }
    return before;
}

static void take_back(const struct guess *guess, struct slowing_table *table)
{
    slowing_forget_try(table, &guess->network, guess->now_ms);
    slowing_take_back(guess->places.network, &slowing_of_network);
    slowing_take_back(guess->places.account, &slowing_of_account);
}

/* -- Places ------------------------------------------------------------------------------------ */

/* Clients with a turn go before first-time clients. */
static bool take_place(const struct guess *guess, enum standing standing)
{
    if (standing == IS_KNOWN && shared_file_try_lock(&guess->shared, PLACE_OF_KNOWN))
        return true;
    if (standing < HAS_TURN && shared_file_is_held(&guess->shared, WAIT_OF_TURN))
        return false;
    return (standing >= IS_NEW && shared_file_try_lock(&guess->shared, PLACE_OF_NEW)) ||
           shared_file_try_lock(&guess->shared, PLACE_OF_ALL);
}

static void sleep_ms(int64_t ms)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000}, NULL);
}

static bool wait_for_place(const struct guess *guess, enum standing standing)
{
    off_t line = standing == IS_KNOWN ? WAIT_OF_KNOWN
                 : standing == IS_NEW ? WAIT_OF_NEW
                                      : WAIT_OF_TURN;
    bool taken = false;
    if (!shared_file_try_lock(&guess->shared, line))
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

/* A client that used its turn and found no free place keeps the turn if it retries in time. */
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
    struct table *table = standing == IS_NEW ? lock(guess) : NULL;
    if (table) {
        int64_t turn_ms = slowing_take_turn(&table->slowing.verifying, &guess->network,
                                            TURN_EACH_MS, guess->now_ms);
        shared_file_unlock(&guess->shared, TABLE);
        guess->used_place_turn = turn_ms == 0;
        if (turn_ms)
            guess->wait_ms = turn_ms;
        else
            standing = HAS_TURN;
    }
    return standing != HAS_FAILED && wait_for_place(guess, standing);
}

/* -- A try ------------------------------------------------------------------------------------- */

static const struct error *refuse(struct guess *guess, struct request *request)
{
    shared_file_close(&guess->shared);
    return error_too_often(request->arena, (guess->wait_ms + 999) / 1000);
}

const struct error *guess_begin(struct guess *guess, struct request *request, struct text name,
                                int64_t member_id, bool is_signed_in)
{
    struct table *table = open_table(guess, request, member_id);
    if (!table)
        return &error_internal;
    guess->name = name;
    guess->is_known = is_signed_in;
    int64_t before = count_try(guess, &table->slowing);
    shared_file_unlock(&guess->shared, TABLE);
    if (guess->wait_ms)
        return refuse(guess, request);
    if (!name.bytes || find_place(guess, before > 0        ? HAS_FAILED
                                         : guess->is_known ? IS_KNOWN
                                                           : IS_NEW))
        return NULL;
    if (lock(guess)) {
        take_back(guess, &table->slowing);
        give_turns_back(guess, table);
    }
    return refuse(guess, request);
}

void guess_end(struct guess *guess, bool has_failed)
{
    struct table *table = has_failed ? NULL : lock(guess);
    if (table)
        take_back(guess, &table->slowing);
    if (table && guess->member_id)
        slowing_note_known(&table->slowing, guess->member_id, &guess->network, guess->day);
    shared_file_close(&guess->shared);
}

void guess_note_use(struct request *request, int64_t member_id)
{
    struct guess guess;
    struct table *table = open_table(&guess, request, member_id);
    if (table)
        slowing_note_known(&table->slowing, member_id, &guess.network, guess.day);
    shared_file_close(&guess.shared);
}
