/* Restores one member's log from a backup, while all other members continue.
 *
 * All changes are ordinary writes in short transactions. Clients receive these writes like any
 * other write, and the next run continues an interrupted run. QSOs are restored first and deleted
 * last, so that the log never has fewer QSOs than at the end. candidate.c checks the backup. */
#include "recovery/restore_member.h"

#include "database/copy.h"
#include "recovery/both_logbooks.h"
#include "recovery/candidate_files.h"
#include "recovery/client_ids.h"
#include "recovery/restore_work.h"
#include "store/people/members.h"
#include "store/store.h"

/* Finds the member in the backup by id and by the time when the member was added, because the
 * callsign may have changed since. A member who was deleted and added again is found by callsign.
 * Returns STORE_NONE if the backup lacks the member, or if the callsign belonged to a member who
 * now has another callsign. */
static enum store_result find_in_backup(struct work *work)
{
    struct member *in_backup = &work->in_backup;
    struct text callsign = work->member->callsign;
    bool is_same = false, is_another = false;
    enum store_result result = restore_work_find_member(work->candidate, work->member, &is_same);
    if (is_same)
        result =
            store_find_member_by_number(work->candidate, work->arena, work->member->id, in_backup);
    THEN(result, store_find_member(work->candidate, work->arena,
                                   is_same ? in_backup->callsign : callsign, in_backup));
    if (!is_same)
        THEN(result, restore_work_find_member(work->store, in_backup, &is_another));
    return is_another ? STORE_NONE : result;
}

/* Rejects a backup from another logbook, because two clubs can have members with the same callsign.
 */
static enum store_result refuse_other(struct work *work, struct restored_log *out)
{
    enum logbook_relation relation;
    enum store_result result = both_logbooks_compare(work->store, work->candidate, &relation);
    if (result != STORE_DONE || relation == RELATION_SAME)
        return result;
    restored_read_side(work->store, work->arena, &out->present);
    restored_read_side(work->candidate, work->arena, &out->backup);
    return STORE_REFUSED;
}

static enum store_result restore_log(struct work *work, struct restored_log *out)
{
    enum store_result result =
        store_find_integer(work->store, "id", &work->last_id, STATEMENT_FIND_LAST_QSO_ID);
    THEN(result, copy_keep(work->store->database->path,
                           candidate_files_name_kept(work->prepared.path, work->arena), work->arena,
                           &out->kept));
    THEN(result, client_ids_assign(work->candidate, &work->in_backup, work->store, work->member));
    THEN(result, restore_qsos(work, out));
    THEN(result, restore_deletions(work, out));
    if (out->kept && out->restored + out->changed_back + out->deleted == 0) {
        copy_remove(out->kept);
        out->kept = NULL;
    }
    return result;
}

enum store_result store_restore_member(struct store *store, const struct member *member,
                                       const char *from, bool takes_other, struct arena *arena,
                                       struct restored_log *out)
{
    struct work work = {.store = store, .member = member, .arena = arena};
    work.identity = (struct identity){
        .member_id = member->id, .callsign = member->callsign, .is_disabled = !member->active};
    *out = (struct restored_log){0};
    enum store_result result = candidate_begin(store->database->path, from, arena, &work.prepared);
    work.candidate = work.prepared.store;
    if (result == STORE_DONE && !takes_other)
        result = refuse_other(&work, out);
    THEN(result, find_in_backup(&work));
    THEN(result, restore_log(&work, out));
    candidate_end(&work.prepared);
    arena_free(&work.slice);
    buffer_free(&work.to_delete);
    return result;
}
