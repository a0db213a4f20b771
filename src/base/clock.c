/* Reads the system's clocks; no other file does. Times since 1970 are for stamps and for people,
 * the monotonic clock is for waiting. The header lists the code that may read a clock, and when;
 * most code receives the time as an argument. */
#include "base/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>

static int64_t read_ms(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / (1000 * 1000);
}

int64_t clock_wall_ms(void)
{
    return read_ms(CLOCK_REALTIME);
}

int64_t clock_monotonic_ms(void)
{
    return read_ms(CLOCK_MONOTONIC);
}

int64_t clock_uptime_ms(void)
{
    struct sysinfo system;
    return sysinfo(&system) == 0 ? (int64_t)system.uptime * 1000 : 0;
}

/* Limits the processor time of one request. The timer of the process's own time (setitimer(2),
 * ITIMER_PROF) needs no clock reads in loops, and also limits libraries. A child has no timer. The
 * limit for a step is a setting of the worker. */

static budget_exceeded *call_when_exceeded;
static struct itimerval budget;

static void take_signal(int number)
{
    (void)number;
    call_when_exceeded();
    _Exit(1);
}

void budget_begin(int64_t ms, budget_exceeded *exceeded)
{
    const struct sigaction action = {.sa_handler = take_signal};
    if (!call_when_exceeded)
        sigaction(SIGPROF, &action, NULL);
    call_when_exceeded = exceeded;
    budget = (struct itimerval){.it_value = {ms / 1000, ms % 1000 * 1000}};
    budget_renew();
}

void budget_renew(void)
{
    if (budget.it_value.tv_sec > 0 || budget.it_value.tv_usec > 0)
        setitimer(ITIMER_PROF, &budget, NULL);
}

void budget_end(void)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    budget = none;
    setitimer(ITIMER_PROF, &none, NULL);
}
