/* Writes acts, edits and previous states. Only a member's last act continues, while the same writer
 * does the same work without a long pause. An undo is the exception: its writer can resume the undo
 * after later acts. edits_removal.c and room.c remove old history. */
#include "store/log/edits.h"

#include "base/log.h"
#include "base/uuid.h"
#include "store/log/edits_removal.h"
#include "store/log/room.h"
#include "store/store.h"

/* The number of each kind of writer equals the number of its kind of credential. A writer without a
 * credential is the operator. */
_Static_assert((int)WRITER_KEY == CREDENTIAL_KEY && (int)WRITER_TOKEN == CREDENTIAL_TOKEN &&
                   (int)WRITER_SESSION == CREDENTIAL_SESSION,
               "the numbers are stored");

void store_set_history(struct store *store, int64_t days, int64_t states)
{
    store->history_days = days;
    store->history_states = states;
}

void store_describe_work(struct transaction *transaction, enum history_work work,
                         struct text subject)
{
    transaction->work = work;
    transaction->work_subject = subject;
}

static enum store_result finish(struct transaction *transaction)
{
    const struct history_edit *edit = &transaction->edit;
    enum store_result result = STORE_DONE;
    if (!edit->member_id)
        return STORE_DONE;
    if (edit->act)
        result =
            store_run(transaction->store, STATEMENT_UPDATE_ACT, BIND("member_id", edit->member_id),
                      BIND("number", edit->act), BIND("last", edit->number),
                      BIND("ended_at", transaction->stamp_ms), BIND("created", edit->created),
                      BIND("changed", edit->changed), BIND("deleted", edit->deleted),
                      BIND("revived", edit->revived), BIND("states", edit->states),
                      BIND_OR_NULL("first_created", edit->first_created),
                      BIND_OR_NULL("last_created", edit->last_created));
    THEN(result, edits_remove_some(transaction));
    if (transaction->work != WORK_UNDO && transaction->work != WORK_RESTORE)
        THEN(result, room_trim(transaction, edit->member_id));
    transaction->edit = (struct history_edit){0};
    return result;
}

static enum store_result insert_act(struct transaction *transaction, const struct identity *member)
{
    struct history_edit *edit = &transaction->edit;
    edit->act = edit->number;
    edit->began_ms = transaction->stamp_ms;
    return store_run(transaction->store, STATEMENT_INSERT_ACT, BIND("member_id", member->member_id),
                     BIND("number", edit->number), BIND("ordinal", edit->ordinal),
                     BIND("states_before", edit->states_so_far), BIND("writer", member->credential),
                     BIND("writer_number", member->key_number), BIND("work", transaction->work),
                     BIND("subject", transaction->work_subject),
                     BIND("operator", member->operator_callsign),
                     BIND_OR_NULL("takes_back", transaction->takes_back),
                     BIND("began_at", transaction->stamp_ms));
}

/* Begins an edit under the next number in the member's log. */
static enum store_result begin_number(struct transaction *transaction, int64_t member_id)
{
    enum store_result result =
        store_find_integer(transaction->store, "last_edit", &transaction->edit.number,
                           STATEMENT_RAISE_LAST_EDIT, BIND("member_id", member_id));
    transaction->edit.is_new = true;
    return result == STORE_NONE ? STORE_BROKEN : result;
}

/* Continues the last act, or begins another act. If no history is kept, the content still gets a
 * number, so that it cannot be mistaken for the content of another edit. */
static enum store_result begin(struct transaction *transaction, const struct identity *member)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(history_edit, act, "act"), COLUMN(history_edit, number, "last"),
        COLUMN(history_edit, began_ms, "began_at"), COLUMN(history_edit, ordinal, "ordinal"),
        COLUMN(history_edit, states_so_far, "states_so_far"));
    struct store *store = transaction->store;
    enum store_result result = finish(transaction);
    if (result != STORE_DONE)
        return result;
    transaction->edit = (struct history_edit){.member_id = member->member_id};
    transaction->finish = finish;
    if (store->history_days > 0)
        result = store_find(store, columns, NULL, &transaction->edit, STATEMENT_FIND_LAST_ACT,
                            BIND("member_id", member->member_id), BIND("work", transaction->work),
                            BIND("writer", member->credential),
                            BIND("writer_number", member->key_number),
                            BIND("subject", transaction->work_subject),
                            BIND("gap_since", transaction->stamp_ms - HISTORY_GAP_MS),
                            BIND("sync_since", transaction->stamp_ms - HISTORY_ACT_MS));
    if (result != STORE_NONE && (result != STORE_DONE || transaction->edit.act))
        return result;
    result = begin_number(transaction, member->member_id);
    return store->history_days > 0 ? THEN(result, insert_act(transaction, member)) : result;
}

enum store_result edits_begin(struct transaction *transaction, const struct identity *member,
                              int64_t replaced, bool deletes)
{
    const struct history_edit *edit = &transaction->edit;
    enum store_result result = STORE_DONE;
    if (edit->member_id != member->member_id)
        result = begin(transaction, member);
    if (result == STORE_DONE && replaced == edit->number && (deletes || !edit->is_new))
        result = begin_number(transaction, member->member_id);
    return result;
}

enum store_result edits_resume(struct transaction *transaction, const struct identity *member,
                               int64_t act)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(history_edit, ordinal, "ordinal"),
                COLUMN(history_edit, states_so_far, "states_so_far"),
                COLUMN(history_edit, began_ms, "began_at"));
    struct history_edit resumed = {
        .member_id = member->member_id, .act = act, .number = act, .is_new = true};
    enum store_result result =
        store_find(transaction->store, columns, NULL, &resumed, STATEMENT_FIND_ACT,
                   BIND("member_id", member->member_id), BIND("writer", member->credential),
                   BIND("writer_number", member->key_number), BIND("number", act));
    transaction->finish = finish;
    if (result == STORE_DONE)
        transaction->edit = resumed;
    return result;
}

void edits_note_creation(struct transaction *transaction, int64_t id)
{
    struct history_edit *edit = &transaction->edit;
    edit->created++;
    if (!edit->first_created)
        edit->first_created = id;
    edit->last_created = id;
}

enum store_result edits_note(struct transaction *transaction, const struct edit_change *change)
{
    struct history_edit *edit = &transaction->edit;
    if (!edit->act || (!change->brings_back && change->previous_edit == edit->number))
        return STORE_DONE;
    struct store *store = transaction->store;
    if (change->previous)
        state_write(change->previous, change->extent, &store->state);
    enum store_result result = store_run(
        store, STATEMENT_INSERT_FORMER, BIND("member_id", edit->member_id),
        BIND("edit", edit->number), BIND("qso_id", change->qso_id),
        BIND("at", transaction->stamp_ms - edit->began_ms),
        BIND("previous_edit", change->previous_edit),
        BIND_IF(change->brings_back, "restored_edit", change->restored_edit),
        BIND_BLOB("state", change->previous ? store->state.bytes : NULL, store->state.length));
    if (result == STORE_REFUSED) {
        log_line("the history of QSO %lld: %s", (long long)change->qso_id,
                 sqlite3_errmsg(store->database->handle));
        return STORE_BROKEN;
    }
    if (result != STORE_DONE)
        return result;
    edit->states++;
    edit->changed += change->previous && change->extent == STATE_CHANGE;
    edit->deleted += change->previous && change->extent == STATE_WHOLE;
    edit->revived += !change->previous;
    return STORE_DONE;
}

enum store_result edits_note_gone(struct transaction *transaction, const struct qso *qso,
                                  int64_t edit)
{
    const struct value *client_id = &qso->values[FIELD_CLIENT_ID];
    if (!transaction->edit.act)
        return STORE_DONE;
    return store_run(
        transaction->store, STATEMENT_INSERT_GONE, BIND("member_id", transaction->edit.member_id),
        BIND("qso_id", qso->values[FIELD_ID].integer), BIND("edit", edit),
        BIND("removed_by", transaction->edit.number),
        BIND_BLOB("client_id", client_id->state == VALUE_PRESENT ? client_id->text : NULL,
                  UUID_BYTES));
}

enum store_result edits_note_back(struct transaction *transaction, int64_t qso_id)
{
    return store_run(transaction->store, STATEMENT_DELETE_GONE,
                     BIND("member_id", transaction->edit.member_id), BIND("qso_id", qso_id));
}
