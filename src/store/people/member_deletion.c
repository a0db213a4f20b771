/* Deletes a log, or a member with their log, in slices, so that other writers wait only for one
 * slice. Each slice is a transaction. */
#include "store/people/member_deletion.h"

#include "base/progress.h"
#include "store/confirm/claims.h"
#include "store/log/edits_removal.h"
#include "store/log/leftovers.h"
#include "store/log/qsos.h"
#include "store/log/qsos_delete.h"
#include "store/log/qsos_save.h"
#include "store/log/tombstones.h"
#include "store/operator_log.h"
#include "store/people/reviews.h"
#include "store/store.h"
#include "store/transaction.h"

#define DELETE_SLICE 500 /* QSOs */

/* Deletes at most DELETE_SLICE QSOs. These include QSOs that this transaction has stamped because
 * their confirmation has changed. Stores in *last whether no QSO is left. A deleted member needs no
 * tombstones, because nobody can request them. */
static enum store_result delete_slice(struct transaction *transaction, int64_t member_id,
                                      bool with_member, bool *last, int64_t *deleted)
{
    int64_t confirmed_by;
    for (int i = 0; i < DELETE_SLICE; i++) {
        struct position first = {0};
        enum store_result result =
            qsos_find_next(transaction->store, member_id, INT64_MAX, &first, &confirmed_by);
        *last = result == STORE_NONE;
        if (result != STORE_DONE)
            return *last ? STORE_DONE : result;
        if (!with_member)
            result = tombstones_add(transaction, first.id);
        THEN(result, qsos_delete(transaction, member_id, first.id, confirmed_by));
        THEN(result, leftovers_forget(transaction, member_id, first.id));
        if (result != STORE_DONE)
            return result;
        ++*deleted;
    }
    return STORE_DONE;
}

/* Removes at most DELETE_SLICE rows of each kind that a log without QSOs still has. The tombstones
 * of a deleted member are useless, and are removed as well. Stores in *last whether no such row is
 * left. */
static enum store_result remove_rest(struct transaction *transaction, int64_t member_id,
                                     bool with_tombstones, bool *last)
{
    static const enum statement_name steps[] = {
        STATEMENT_DELETE_MEMBER_LEFTOVERS, STATEMENT_DELETE_MAKERS, STATEMENT_DELETE_MEMBER_KNOWN,
        STATEMENT_DELETE_MEMBER_PROGRAM_IDS, STATEMENT_DELETE_MEMBER_TOMBSTONES};
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    *last = true;
    for (int i = 0; i < (with_tombstones ? 5 : 4); i++) {
        THEN(result,
             store_run(store, steps[i], BIND("member_id", member_id), BIND("limit", DELETE_SLICE)));
        *last = *last && sqlite3_changes(store->database->handle) < DELETE_SLICE;
    }
    return result;
}

/* Revokes the keys and tokens that the member has created for stations. */
static enum store_result end_keys_for_stations(struct transaction *transaction, int64_t member_id)
{
    struct store *store = transaction->store;
    const int64_t now_ms = transaction->written_at_ms;
    enum store_result result = store_run(store, STATEMENT_END_KEYS_OF_MEMBER,
                                         BIND("member_id", member_id), BIND("now", now_ms));
    return THEN(result, store_run(store, STATEMENT_END_TOKENS_OF_MEMBER,
                                  BIND("member_id", member_id), BIND("now", now_ms)));
}

/* Deletes the member's row, after all rows that reference it. */
static enum store_result delete_row(struct transaction *transaction, int64_t member_id)
{
    static const enum statement_name steps[] = {
        STATEMENT_DELETE_MEMBER_KEYS, STATEMENT_DELETE_MEMBER_TOKENS,
        STATEMENT_DELETE_MEMBER_CLAIMED, STATEMENT_INSERT_DELETED_MEMBER, STATEMENT_DELETE_MEMBER};
    struct store *store = transaction->store;
    enum store_result result =
        operator_log_note_member(transaction, "member delete", member_id, NULL);
    THEN(result, end_keys_for_stations(transaction, member_id));
    for (size_t i = 0; i < sizeof steps / sizeof *steps && result == STORE_DONE; i++)
        result = store_run(store, steps[i], BIND("member_id", member_id));
    return result;
}

/* Deletes a slice of the QSOs, of their history and of the data stored with the QSOs. A member
 * whose deletion is interrupted still exists. So the log gets a new revision, and clients learn
 * that some deletions are unknown. */
static enum store_result delete_part(struct transaction *transaction, int64_t member_id,
                                     bool with_member, bool *last, int64_t *deleted)
{
    struct store *store = transaction->store;
    bool last_act = false, last_claim = true, last_beside = false;
    enum store_result result = edits_remove_all(transaction, member_id, DELETE_SLICE, &last_act);
    if (with_member) {
        THEN(result,
             store_run(store, STATEMENT_UPDATE_MEMBER_DELETIONS_SINCE, BIND("member_id", member_id),
                       BIND("deletions_since", transaction->stamp_ms)));
        THEN(result, claims_remove_some(transaction,
                                        store_with(store, STATEMENT_LIST_CLAIMS_ABOUT_MEMBER,
                                                   BIND("member_id", member_id)),
                                        &last_claim));
    }
    THEN(result, delete_slice(transaction, member_id, with_member, last, deleted));
    if (*last)
        THEN(result, remove_rest(transaction, member_id, with_member, &last_beside));
    *last = *last && last_act && last_claim && last_beside;
    if (*last && with_member)
        return THEN(result, delete_row(transaction, member_id));
    if (*last)
        THEN(result, store_run(store, STATEMENT_DELETE_POLO_QSOS, BIND("member_id", member_id)));
    return THEN(result, qsos_revise_log(transaction, member_id));
}

/* Deletes all QSOs. If with_member is true, also deletes the member in the last slice. */
static enum store_result delete_all(struct store *store, int64_t member_id, bool with_member,
                                    int64_t *deleted)
{
    bool last = false;
    enum store_result result = STORE_DONE;
    progress_begin("deleting the log");
    while (result == STORE_DONE && !last) {
        struct transaction transaction;
        int64_t in_slice = 0;
        result = store_begin_write(store, &transaction);
        THEN(result, delete_part(&transaction, member_id, with_member, &last, &in_slice));
        result = last ? reviews_finish(&transaction, result) : store_finish(&transaction, result);
        if (result == STORE_DONE)
            *deleted += in_slice;
    }
    return result;
}

enum store_result store_delete_member(struct store *store, int64_t member_id)
{
    int64_t deleted = 0;
    return delete_all(store, member_id, true, &deleted);
}

enum store_result store_delete_log(struct store *store, int64_t member_id, int64_t *deleted)
{
    *deleted = 0;
    return delete_all(store, member_id, false, deleted);
}
