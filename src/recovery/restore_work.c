/* Begins the slices in which one member's log is restored. */
#include "recovery/restore_work.h"

#include "base/log.h"
#include "store/store.h"

enum store_result restore_work_find_member(struct store *store, const struct member *member,
                                           bool *found)
{
    return store_has(store, found, STATEMENT_FIND_DELETED_MEMBER, BIND("id", member->id),
                     BIND("created_at", member->created_at_ms));
}

enum store_result restore_work_begin_slice(struct work *work)
{
    enum store_result result = store_begin_write(work->store, &work->transaction);
    bool is_there = false;
    if (result != STORE_DONE)
        return result;
    store_describe_work(&work->transaction, WORK_RESTORE, (struct text){0});
    result = restore_work_find_member(work->store, work->member, &is_there);
    if (is_there)
        return STORE_DONE;
    store_rollback(&work->transaction);
    if (result == STORE_DONE)
        log_line("%s: the member was deleted in the meantime", work->store->database->path);
    return STORE_BROKEN;
}
