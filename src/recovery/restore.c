/* Replaces the logbook with a backup, whether or not the service is running.
 *
 * A readable logbook gets the pages of the checked copy in one transaction (restore_content.c).
 * Files are exchanged only if the logbook is missing, unreadable or too damaged to be written to
 * (restore_files.c). candidate.c checks the backup; carry_over.c keeps data that must not return to
 * an earlier state. */
#include "recovery/restore.h"

#include "base/log.h"
#include "recovery/backup_note.h"
#include "recovery/carry_over.h"
#include "recovery/restore_steps.h"
#include "store/log/logbook.h"
#include "store/store.h"

static enum store_result replace(struct restore *restore)
{
    enum logbook_state state = logbook_state_examine(restore->path);
    if (state == LOGBOOK_UNKNOWN)
        return STORE_BROKEN;
    if (state != LOGBOOK_READABLE)
        return restore_files(restore, state);
    enum store_result result = restore_content(restore);
    if (result != STORE_BROKEN || !store_has_found_damage())
        return result;
    /* The backup was intact when it was checked, so the damage is in the old logbook. The data to
     * be kept from the old logbook was carried over completely or not at all. */
    if (!restore->is_carried_over)
        log_line("%s is too damaged to carry anything over from it: repeat the revocations and "
                 "deletions "
                 "since the backup",
                 restore->path);
    return restore_files(restore, LOGBOOK_READABLE);
}

enum store_result store_restore(const char *path, const char *from, bool takes_other,
                                struct arena *arena, struct restored *out)
{
    struct restore restore = {.arena = arena, .takes_other = takes_other, .out = out};
    unsigned char identity[UUID_BYTES] = {0};
    *out = (struct restored){0};
    enum store_result result = candidate_begin(path, from, arena, &restore.candidate);
    struct store *candidate = restore.candidate.store;
    restore.path = restore.candidate.logbook;
    if (result == STORE_DONE) {
        store_read_identity(candidate, identity);
        restored_read_side(candidate, arena, &out->backup);
        result = carry_over_nothing(candidate);
    }
    THEN(result, replace(&restore));
    if (result == STORE_DONE && restore.relation != RELATION_SAME)
        backup_note_forget_other(restore.path, identity, arena);
    candidate_end(&restore.candidate);
    return result == STORE_NONE ? STORE_BROKEN : result;
}
