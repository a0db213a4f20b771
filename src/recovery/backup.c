/* Copies the whole logbook to a file while the service goes on. Noting the copy as the last backup
 * is left to backup_note.c; names, numbers and ages of backups to the command; how one comes back
 * to restore.c. */
#include "recovery/backup.h"

#include "database/copy.h"
#include "store/store.h"

enum store_result store_back_up(struct store *store, const char *path)
{
    return copy_to_file(store->database->handle, path);
}
