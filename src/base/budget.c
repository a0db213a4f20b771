/* Limits a process's own processor time with a timer (setitimer(2), ITIMER_PROF). The timer needs
 * no clock reads in loops, and also limits time in libraries. A child process does not inherit the
 * timer. The worker's settings define the limit for a step. */
#include "base/budget.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

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
