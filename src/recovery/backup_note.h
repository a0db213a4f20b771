/* Reads and writes the record of the last backup: its time, its path, and the identity of its
 * logbook.
 *
 * The record is next to the logbook, not inside, so that restoring an older logbook does not lose
 * it. */
#ifndef QSOSYNC_RECOVERY_BACKUP_NOTE_H
#define QSOSYNC_RECOVERY_BACKUP_NOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/uuid.h"
#include "database/result.h"

struct store;

/* The record of the last backup. */
struct backup_note {
    int64_t made_at_ms;
    struct text path;
    /* number of kept backups, one per day with our timers; 0: all */
    int64_t keep;
    /* time of the newest backup that all of the operator's programs have received; 0: none */
    int64_t handed_at_ms;
    struct text
        failure; /* the failure of passing the last backup to these programs; no text: success */
    unsigned char identity[UUID_BYTES]; /* identity of the backup's logbook; zeros: not recorded */
};

/* Reads the identity of an open logbook or backup. Returns false if it cannot be read. */
bool store_read_identity(const struct store *store, unsigned char out[UUID_BYTES]);

/* Records a backup of the open logbook, with the logbook's identity. Returns false, after a line in
 * the log, on failure. */
bool backup_note_write(const struct store *store, const struct backup_note *note);

/* Removes the record if it is about another logbook than the present one, which has this path and
 * identity. */
void backup_note_forget_other(const char *logbook, const unsigned char identity[UUID_BYTES],
                              struct arena *arena);

/* Reads the record for the logbook at this path, even if the logbook cannot be opened. Returns
 * STORE_NONE if no backup was ever recorded. The texts are in the arena. */
enum store_result backup_note_read(const char *logbook, struct arena *arena,
                                   struct backup_note *out);

#endif
