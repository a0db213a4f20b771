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

/* Writes a consistent copy to a new file while the service goes on. STORE_CONFLICT: the file exists
 * already. A failed copy leaves no file. */
enum store_result store_back_up(struct store *store, const char *path);

/* Previous logbooks that restores kept next to this one, and previous sites that put-site kept. */
struct kept_file {
    struct kept_file *next;
    const char *path;
    int64_t made_at_ms;
    bool is_site; /* root's */
};

/* All of them, in the arena; NULL: there is none. */
struct kept_file *backup_list_kept(const char *logbook, struct arena *arena);

/* Removes the former logbooks that were kept before that time. */
void backup_remove_kept(const char *logbook, int64_t before_ms, struct arena *arena);

/* What is known of the last backup: beside the logbook, so that an older one, restored, still
 * knows. */
struct backup_note {
    int64_t made_at_ms;
    struct text path;
    int64_t keep;         /* how many backups are kept: one a day with our timers; 0: all of them */
    int64_t handed_at_ms; /* when the newest was made that all programs of the operator's have
                             taken; 0: none */
    struct text failure;  /* what failed when the last one was handed to them; no text: nothing */
    unsigned char identity[UUID_BYTES]; /* of the logbook; zeros: the note does not say it */
};

/* The identity of an open logbook or backup; false: it cannot be read. */
bool store_read_identity(const struct store *store, unsigned char out[UUID_BYTES]);

/* Notes a backup of the open logbook, whose identity is noted with it; false, once it is logged,
 * if that fails. */
bool store_note_backup(const struct store *store, const struct backup_note *note);

/* Removes the note of a backup that is of another logbook than the one of this identity, which has
 * come to this name. */
void store_forget_other_backup(const char *logbook, const unsigned char identity[UUID_BYTES],
                               struct arena *arena);

/* Of the logbook of this name, whether it can be opened or not. STORE_NONE: none was ever noted.
 * The backup's path is in the arena. */
enum store_result store_find_backup_note(const char *logbook, struct arena *arena,
                                         struct backup_note *out);

/* Whether a backup has fewer bytes than its header says, or no header; false if it cannot be read.
 */
bool backup_is_cut_short(const char *path);

#endif
