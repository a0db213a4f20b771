/* Reports the progress of long work to a function that shows it. Progress belongs to the process,
 * because one task can open several databases. Programs without a terminal never set a function, so
 * they report nothing. */
#include "base/progress.h"

#include <stddef.h>

static struct {
    void (*show)(const char *phase, int64_t done, int64_t total);
    const char *phase;
    int64_t done;
    int64_t total;
    bool counts_ticks;
} progress;

void progress_show(void (*show)(const char *phase, int64_t done, int64_t total))
{
    progress.show = show;
}

bool progress_is_shown(void)
{
    return progress.show != NULL;
}

static void show(void)
{
    if (progress.show)
        progress.show(progress.phase, progress.done, progress.total);
}

void progress_begin(const char *phase)
{
    progress.phase = phase;
    progress.counts_ticks = false;
    progress_step(0, 0);
}

void progress_step(int64_t done, int64_t total)
{
    progress.done = done;
    progress.total = total;
    show();
}

void progress_expect(int64_t ticks)
{
    progress.counts_ticks = true;
    progress_step(0, ticks);
}

void progress_tick(void)
{
    if (progress.counts_ticks && progress.done + 1 < progress.total)
        progress.done++;
    show();
}
