/* Reports progress by counting the instructions of SQLite's virtual machine. */
#include "database/watch.h"

#include <stddef.h>

#include "base/progress.h"

#define INSTRUCTIONS_PER_TICK 50000 /* number of instructions that take a few milliseconds */

static int tick(void *context)
{
    (void)context;
    progress_tick();
    return 0; /* continue */
}

void watch_statements(sqlite3 *database)
{
    if (progress_is_shown())
        sqlite3_progress_handler(database, INSTRUCTIONS_PER_TICK, tick, NULL);
}

void watch_expect(int64_t instructions)
{
    progress_expect(instructions / INSTRUCTIONS_PER_TICK);
}
