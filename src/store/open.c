/* Opens a logbook whole: members, QSOs, keys, spots, the counters of rejections. For the workers
 * and the operator's command; programs that read spots alone open it by follow.c, and so need not
 * link the rest. */
#include <string.h>

#include "base/log.h"
#include "qso/fields.h"
#include "store/deletions.h"
#include "store/history.h"
#include "store/logbook.h"
#include "store/state.h"
#include "store/store.h"

static enum store_result prepare(struct store *store, enum opening opening)
{
    if (opening == OPEN_BRIEFLY)
        return STORE_DONE;
    enum store_result result = database_prepare(store->database);
    return result == STORE_DONE ? columns_find_all(&store->columns) : result;
}

static bool check_fields(void)
{
    const char *name = state_find_equal_marks();
    if (name)
        log_line("the field table, %s: its column has the mark of another one in former states",
                 name);
    return !name;
}

enum store_result store_open(const char *path, enum opening opening, struct store **out)
{
    struct database *database;
    if (!check_fields())
        return STORE_BROKEN;
    enum store_result result = database_open(path, opening, &database);
    if (result != STORE_DONE)
        return result;
    struct store *store = memory_allocate(sizeof *store);
    memset(store, 0, sizeof *store);
    store->database = database;
    store->columns.database = database;
    store->rejection_counts = SHARED_FILE_CLOSED;
    store->tombstone_days = TOMBSTONE_DAYS_DEFAULT;
    store->history_days = HISTORY_DAYS_DEFAULT;
    store->history_states = HISTORY_STATES_DEFAULT;
    result = prepare(store, opening);
    if (result != STORE_DONE) {
        store_close(store);
        return result;
    }
    *out = store;
    return STORE_DONE;
}
