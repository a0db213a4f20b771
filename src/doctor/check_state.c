/* Checks the state of an open logbook: its schema, write-ahead log, stamps and operators. */
#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/findings.h"
#include "doctor/logbook_checks.h"
#include "doctor/workers.h"
#include "store/ageing.h"

/* writers shorten the write-ahead log at the latest when it reaches 16 MB */
#define LOG_BYTES_LARGE (64 << 20)
#define CLOCK_AHEAD_MS 60000

/* Compares the clock with the logbook. Stamps can be ahead of the clock after the operator has
 * confirmed the clock. */
static void look_at_clock(struct examination *seen, const struct ageing *ageing)
{
    const int64_t now_ms = clock_wall_ms(), ahead_ms = ageing->last_stamp_ms - now_ms;
    const bool is_confirmed = ageing->last_stamp_ms - ageing->confirmed_ms <= AGEING_APART_MS;
    const char *fix = seen->doctor->is_worker
                          ? examination_fix_for_other(seen, seen->path)
                          : print(seen, CLOCK_DOUBTED_FIX, workers_command(seen, "clock confirm"));
    const long long days = ahead_ms / DATETIME_DAY_MS;
    char time[DATETIME_TEXT_LENGTH], until[DATETIME_TEXT_LENGTH];
    datetime_format(ageing->doubted_ms, time);
    datetime_format(ageing->doubted_ms + AGEING_DOUBT_MS, until);
    if (ahead_ms > AGEING_APART_MS && !is_confirmed)
        found_with(seen, CLOCK_FELL_BACK, fix, days, days == 1 ? "" : "s");
    else if (ageing->doubted_ms && now_ms - ageing->doubted_ms < AGEING_DOUBT_MS)
        found_with(seen, CLOCK_DOUBTED, fix, time, until);
    else if (ahead_ms > CLOCK_AHEAD_MS && !is_confirmed)
        found(seen, CLOCK_SET_BACK, (long long)(ahead_ms / 1000));
}

void state_check(struct examination *seen, const struct logbook_status *status)
{
    struct ageing ageing;
    found(seen, SCHEMA_PRESENT, (long long)status->schema_version);
    /* the command init shortens the log, as a write does */
    if (status->log_bytes > LOG_BYTES_LARGE)
        found_with(seen, LOG_GROWS,
                   seen->doctor->is_worker ? examination_fix_for_other(seen, seen->path)
                                           : workers_command(seen, "init"),
                   (long long)(status->log_bytes >> 20));
    else
        found(seen, LOG_SHORT, (long long)(status->log_bytes >> 10));
    if (store_read_ageing(seen->doctor->store, &ageing) == STORE_DONE)
        look_at_clock(seen, &ageing);
    if (status->active_members > 0 && status->operators == 0)
        found(seen, OPERATORS_NONE);
}
