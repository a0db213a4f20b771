/* Checks the clock before data is removed because of its age. The callers decide which data to
 * remove, and at what age.
 *
 * The logbook records the time, the boot and the uptime at the last check of the clock. It also
 * records since when the clock has not been trusted. Within a boot, the advances of the clock and
 * of the uptime may differ by at most a day. Across a reboot, the clock may advance by at most a
 * week, because some clubs are inactive for days. The clock may also go back by at most a day. A
 * clock that has jumped is trusted again after a week without another jump, so nobody needs to
 * confirm a corrected clock. */
#include "store/ageing.h"

#include <stdlib.h>

#include "base/clock.h"
#include "store/store.h"
#include "store/transaction.h"

/* minimum time between two records with the same boot and the same doubted_ms */
#define NOTED_MS (10 * DATETIME_MINUTE_MS)

static bool has_jumped(const struct ageing *ageing, const struct clock_look *look)
{
    const int64_t since_ms = ageing->seen_ms ? ageing->seen_ms : ageing->last_stamp_ms;
    const int64_t passed_ms = look->now_ms - since_ms;
    if (since_ms == 0)
        return false;
    if (ageing->seen_ms && ageing->boot == look->boot)
        return llabs(passed_ms - (look->uptime_ms - ageing->uptime_ms)) > AGEING_APART_MS;
    return passed_ms > AGEING_DOUBT_MS || passed_ms < -AGEING_APART_MS;
}

bool ageing_is_apart(const struct ageing *ageing, int64_t stamp_ms, int64_t now_ms)
{
    return stamp_ms > 0 && (now_ms - stamp_ms > AGEING_APART_MS ||
                            (stamp_ms - now_ms > AGEING_APART_MS &&
                             stamp_ms - ageing->confirmed_ms > AGEING_APART_MS));
}

bool ageing_is_believed(const struct ageing *ageing, int64_t now_ms)
{
    const bool is_doubted = ageing->doubted_ms && now_ms - ageing->doubted_ms < AGEING_DOUBT_MS;
    return !is_doubted && !ageing_is_apart(ageing, ageing->last_stamp_ms, now_ms);
}

/* Records this reading of the clock, and decides whether to trust the clock. An unconfirmed stamp
 * that is more than a day ahead of the clock counts as a jump. */
bool ageing_look_at_clock(struct ageing *ageing, const struct clock_look *look)
{
    const bool is_apart = ageing_is_apart(ageing, ageing->last_stamp_ms, look->now_ms);
    const bool is_ahead = is_apart && ageing->last_stamp_ms > look->now_ms;
    if (has_jumped(ageing, look) || (is_ahead && !ageing->doubted_ms)) {
        ageing->doubted_ms = look->now_ms;
    } else if (ageing->doubted_ms && look->now_ms - ageing->doubted_ms >= AGEING_DOUBT_MS) {
        ageing->doubted_ms = 0;
        ageing->confirmed_ms = ageing->last_stamp_ms;
    }
    ageing->seen_ms = look->now_ms;
    ageing->boot = look->boot;
    ageing->uptime_ms = look->uptime_ms;
    return !ageing->doubted_ms && !ageing_is_apart(ageing, ageing->last_stamp_ms, look->now_ms);
}

enum store_result store_read_ageing(struct store *store, struct ageing *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(ageing, last_stamp_ms, "last_stamp"), COLUMN(ageing, seen_ms, "clock_at"),
                COLUMN(ageing, boot, "clock_boot"), COLUMN(ageing, uptime_ms, "clock_uptime"),
                COLUMN(ageing, doubted_ms, "clock_doubted_at"),
                COLUMN(ageing, confirmed_ms, "clock_confirmed"));
    enum store_result result = store_find(store, columns, NULL, out, STATEMENT_READ_CLOCK);
    return result == STORE_NONE ? STORE_BROKEN : result;
}

enum store_result ageing_write(struct store *store, const struct ageing *ageing)
{
    return store_run(store, STATEMENT_UPDATE_CLOCK, BIND("clock_at", ageing->seen_ms),
                     BIND("clock_boot", ageing->boot), BIND("clock_uptime", ageing->uptime_ms),
                     BIND("clock_doubted_at", ageing->doubted_ms),
                     BIND("clock_confirmed", ageing->confirmed_ms));
}

/* Decides whether to trust the clock, which shows now_ms. last_stamp_ms is the stamp of the
 * previous write. Records this reading of the clock, unless the last record is recent. */
static enum store_result look(struct store *store, int64_t last_stamp_ms, int64_t now_ms,
                              bool *is_believed)
{
    const struct clock_look seen = {.now_ms = now_ms,
                                    .boot = (int64_t)store->database->writer_lock.boot,
                                    .uptime_ms = clock_uptime_ms()};
    struct ageing ageing;
    enum store_result result = store_read_ageing(store, &ageing);
    if (result != STORE_DONE)
        return result;
    ageing.last_stamp_ms = last_stamp_ms;
    const struct ageing before = ageing;
    *is_believed = ageing_look_at_clock(&ageing, &seen);
    const int64_t passed_ms = ageing.seen_ms - before.seen_ms;
    const bool is_recent = passed_ms >= 0 && passed_ms < NOTED_MS && ageing.boot == before.boot &&
                           ageing.doubted_ms == before.doubted_ms;
    return is_recent ? STORE_DONE : ageing_write(store, &ageing);
}

int64_t store_old_before(struct transaction *transaction, int64_t age_ms)
{
    if (!transaction->knows_clock) {
        transaction->knows_clock = true;
        bool is_believed = false;
        transaction->believes_clock =
            look(transaction->store, transaction->previous_stamp_ms, transaction->written_at_ms,
                 &is_believed) == STORE_DONE &&
            is_believed;
    }
    return transaction->believes_clock ? transaction->written_at_ms - age_ms : 0;
}
