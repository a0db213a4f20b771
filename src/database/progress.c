/* Passes on how far long work has come, to whoever shows it to a person. It belongs to the process
 * and not to a database, because one piece of work may open several. Programs that nobody watches
 * never set a function, and then nothing happens. */
#include "database/progress.h"

#include <stdbool.h>
#include <stddef.h>

#define INSTRUCTIONS_PER_TICK 50000 /* of SQLite's virtual machine; some milliseconds */

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

static void show(void)
{
    if (progress.show)
        progress.show(progress.phase, progress.done, progress.total);
}

static int tick(void *context)
{
    (void)context;
    if (progress.counts_ticks && progress.done + 1 < progress.total)
        progress.done++;
    show();
    return 0; /* go on */
}

void progress_watch(sqlite3 *database)
{
    if (progress.show)
        sqlite3_progress_handler(database, INSTRUCTIONS_PER_TICK, tick, NULL);
}

void progress_begin(const char *phase)
{
    progress.phase = phase;
    progress.counts_ticks = false;
    progress_step(0, 0);
}

void progress_expect(int64_t instructions)
{
    progress.counts_ticks = true;
    progress_step(0, instructions / INSTRUCTIONS_PER_TICK);
}

void progress_step(int64_t done, int64_t total)
{
    progress.done = done;
    progress.total = total;
    show();
}
