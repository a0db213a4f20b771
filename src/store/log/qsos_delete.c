/* Deletes QSOs, with everything that must happen in the same transaction: the confirmation ends, a
 * tombstone informs clients, and the history keeps the content. */
#include "store/log/qsos_delete.h"

#include "base/uuid.h"
#include "store/confirm/confirmations.h"
#include "store/log/edits.h"
#include "store/log/known.h"
#include "store/log/leftovers.h"
#include "store/log/page_counts.h"
#include "store/log/qsos_save.h"
#include "store/log/tombstones.h"
#include "store/store.h"

enum store_result qsos_delete(struct transaction *transaction, int64_t member_id, int64_t id,
                              int64_t confirmed_by)
{
    struct released released;
    enum store_result result = confirmations_release(transaction, id, confirmed_by, &released);
    THEN(result, page_counts_take(transaction, member_id, id));
    THEN(result, store_run(transaction->store, STATEMENT_DELETE_QSO, BIND("id", id)));
    return THEN(result, confirmations_pair_again(transaction, &released));
}

/* Deletes the QSO in the statement's row. Returns STORE_NONE if the member has no such QSO. */
static enum store_result delete_found(struct transaction *transaction,
                                      const struct identity *member, struct statement *find)
{
    struct store *store = transaction->store;
    struct qso qso;
    struct edit_change change = {.previous = &qso, .extent = STATE_WHOLE};
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE && database_read_integer(find, "member_id") != member->member_id)
        result = STORE_NONE;
    if (result == STORE_DONE) {
        const int64_t confirmed_by = database_read_integer(find, "confirmed_by");
        columns_read_qso(&store->columns, find, &qso);
        const int64_t id = change.qso_id = qso.values[FIELD_ID].integer;
        change.previous_edit = database_read_integer(find, "edit");
        result = edits_begin(transaction, member, change.previous_edit, true);
        THEN(result, edits_note(transaction, &change));
        THEN(result, edits_note_gone(transaction, &qso, transaction->edit.number));
        THEN(result, tombstones_add(transaction, id));
        THEN(result, qsos_delete(transaction, member->member_id, id, confirmed_by));
        if (!transaction->edit.act) {
            THEN(result, leftovers_forget(transaction, member->member_id, id));
            THEN(result, known_forget(transaction, member->member_id, id));
        }
        THEN(result, qsos_revise_log(transaction, member->member_id));
    }
    sqlite3_reset(find->handle);
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

enum store_result store_delete_qso(struct transaction *transaction, const struct identity *member,
                                   const unsigned char client_id[UUID_BYTES])
{
    return delete_found(transaction, member,
                        store_with(transaction->store, STATEMENT_FIND_QSO,
                                   BIND_BLOB("client_id", client_id, UUID_BYTES)));
}

enum store_result qsos_delete_own(struct transaction *transaction, const struct identity *member,
                                  int64_t id)
{
    return delete_found(transaction, member,
                        store_with(transaction->store, STATEMENT_FIND_OWN_QSO,
                                   BIND("member_id", member->member_id), BIND("id", id)));
}
