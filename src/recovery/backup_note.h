/* Reads and writes the record of the last backup: its time, its path, and the identity of its
 * logbook.
 *
 * The record is in a file next to the logbook, not in the logbook, so that restoring an older
 * logbook does not remove the record. */
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
    /* number of backups to keep, one per day with our timers; 0: all */
    int64_t keep;
    /* time of the newest backup that all of the operator's programs for copying backups have
     * received; 0: none */
    int64_t handed_at_ms;
    /* reason why these programs did not receive the last backup; no text: success */
    struct text failure;
    /* identity of the logbook that was backed up; zeros: not recorded */
    unsigned char identity[UUID_BYTES];
};

/* Reads the identity of an open logbook or backup. Returns false if the identity cannot be read. */
bool store_read_identity(const struct store *store, unsigned char out[UUID_BYTES]);

/* Records a backup of the open logbook, with the logbook's identity. On failure, writes a line to
 * the system log and returns false. */
bool backup_note_write(const struct store *store, const struct backup_note *note);

/* Removes the record if it describes a backup of a logbook other than the current logbook, which
 * has this path and identity. */
void backup_note_forget_other(const char *logbook, const unsigned char identity[UUID_BYTES],
                              struct arena *arena);

/* Reads the record for the logbook at this path, even if the logbook cannot be opened. Returns
 * STORE_NONE if no valid record exists. The texts are in the arena. */
enum store_result backup_note_read(const char *logbook, struct arena *arena,
                                   struct backup_note *out);

#endif
