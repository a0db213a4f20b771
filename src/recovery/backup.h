/* Backups, and the record of the last one. */
#ifndef QSOSYNC_RECOVERY_BACKUP_H
#define QSOSYNC_RECOVERY_BACKUP_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"
#include "base/uuid.h"
#include "database/result.h"

struct store;

/* Writes a consistent copy to a new file while the service continues. STORE_CONFLICT: the file
 * already exists. A failed copy leaves no file. */
enum store_result store_back_up(struct store *store, const char *path);

/* Previous logbooks that restores kept next to this one, and previous sites that put-site kept. */
struct kept_file {
    struct kept_file *next;
    const char *path;
    int64_t made_at_ms;
    bool is_site; /* root's */
};

/* Lists all of them, in the arena; NULL: none. */
struct kept_file *backup_list_kept(const char *logbook, struct arena *arena);

/* Removes the previous logbooks that were kept before that time. */
void backup_remove_kept(const char *logbook, int64_t before_ms, struct arena *arena);

/* The record of the last backup. It is next to the logbook, not inside, so that restoring an older
 * logbook does not lose it. */
struct backup_note {
    int64_t made_at_ms;
    struct text path;
    /* how many backups are kept: one per day with our timers; 0: all of them */
    int64_t keep;
    /* when the newest backup was made that all of the operator's programs received; 0: none */
    int64_t handed_at_ms;
    struct text failure; /* the failure when the last one was passed to them; no text: success */
    unsigned char identity[UUID_BYTES]; /* identity of the logbook; zeros: not recorded */
};

/* Reads the identity of an open logbook or backup; false if it cannot be read. */
bool store_read_identity(const struct store *store, unsigned char out[UUID_BYTES]);

/* Records a backup of the open logbook, together with the logbook's identity; false, after a line
 * in the log, on failure. */
bool store_record_backup(const struct store *store, const struct backup_note *note);

/* Removes the record of a backup if it belongs to another logbook than the one with this identity,
 * which now has this name. */
void store_forget_other_backup(const char *logbook, const unsigned char identity[UUID_BYTES],
                               struct arena *arena);

/* Reads the record for the logbook of this name, whether or not the logbook can be opened.
 * STORE_NONE: no backup was ever recorded. The backup's path is in the arena. */
enum store_result store_find_backup_note(const char *logbook, struct arena *arena,
                                         struct backup_note *out);

/* Whether a backup has fewer bytes than its header says, or no header; false if the file cannot be
 * read. */
bool backup_is_cut_short(const char *path);

#endif
