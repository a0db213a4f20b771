/* Opens a logbook for a program that has a process for each of its clients, and reads the spots
 * that are new. What it does not link and prepare takes no memory: such a program knows no QSOs and
 * no keys. Workers open it by open.c. */
#include <string.h>

#include "store/logbook.h"
#include "store/store.h"

static enum store_result prepare(struct database *database)
{
    static const enum statement_name needed[] = {STATEMENT_LIST_SPOTS, STATEMENT_LIST_SPOTS_AFTER};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof needed / sizeof *needed && result == STORE_DONE; i++)
        result = database_prepare_one(database, needed[i]);
    return result;
}

enum store_result store_open_to_follow(const char *path, struct store **out)
{
    struct database *database;
    enum store_result result = database_open(path, OPEN_TO_FOLLOW, &database);
    if (result != STORE_DONE)
        return result;
    result = prepare(database);
    if (result != STORE_DONE) {
        database_close(database);
        return result;
    }
    struct store *store = memory_allocate(sizeof *store);
    memset(store, 0, sizeof *store);
    store->database = database;
    store->columns.database = database;
    store->rejection_counts = SHARED_FILE_CLOSED;
    *out = store;
    return STORE_DONE;
}
