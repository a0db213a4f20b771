/* Reads the system's clocks, which no other file does. Times since 1970 are for stamps and for
 * people; the monotonic clock is for waiting. The header lists the main reasons for reading a
 * clock; most code receives the time as an argument. */
#include "base/clock.h"

#include <sys/sysinfo.h>
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
