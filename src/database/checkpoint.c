/* Maintains an open database. The programs call this module between two requests, when no client is
 * waiting. */
#include "database/checkpoint.h"

#include <sys/resource.h>

#include "database/transaction.h"
#include "database/write_ahead_log.h"

#define LOG_PAGES_LONG 1000 /* SQLite's own default, in pages */
/* page faults between two releases; each fault maps up to 64 KiB (the kernel's
 * fault_around_bytes) */
#define FAULTS_MAX 160

void checkpoint_run(struct database *database)
{
    transaction_make_certain(database);
    /* While parts of the write-ahead log are possibly not on the disk, the system's memory can hold
     * the only complete copy of a page. Copying that page into the database could leave a
     * half-written page there. */
    if (database->log_pages >= LOG_PAGES_LONG && !writer_lock_is_in_flight(&database->writer_lock))
        write_ahead_log_shorten(database);
    struct rusage usage;
    if (database->opening == OPEN_BRIEFLY) /* such an opening maps no pages */
        return;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_minflt - database->page_faults < FAULTS_MAX)
        return;
    database->page_faults = usage.ru_minflt;
    database_execute(database, CHECKPOINT_UNMAP_FILE);
    database_execute(database, CHECKPOINT_MAP_FILE);
}
