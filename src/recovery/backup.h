/* Backups, and what is known of the last one. */
#ifndef QSOSYNC_RECOVERY_BACKUP_H
#define QSOSYNC_RECOVERY_BACKUP_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* Writes a consistent copy to a new file while the service goes on. STORE_CONFLICT: the file exists
 * already. A failed copy leaves no file. */
enum store_result store_back_up(struct store *store, const char *path);

/* What is known of the last backup: beside the logbook, so that an older one, restored, still
 * knows. */
struct backup_note {
    int64_t made_at_ms;
    struct text path;
};

/* Notes a backup that was made; false, once it is logged, where that fails. */
bool store_note_backup(const struct store *store, const struct backup_note *note);

/* Of the logbook of this name, whether it can be opened or not. STORE_NONE: none was ever noted.
 * The backup's path is in the arena. */
enum store_result store_find_backup_note(const char *logbook, struct arena *arena,
                                         struct backup_note *out);

#endif
