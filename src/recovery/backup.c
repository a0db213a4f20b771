/* A copy of the whole logbook while the service goes on. */
#include "recovery/backup.h"

#include "database/copy.h"
#include "store/store.h"

enum store_result store_back_up(struct store *store, const char *path)
{
    return copy_to_file(store->database->handle, path);
}
