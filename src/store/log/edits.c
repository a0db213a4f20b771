/* Writes acts, edits and previous states. One act of a member is open at a time: the last one. It
 * continues while the same writer does the same work without a long pause.
 *
 * Previous states take space that grows with the changes of clients, so they are removed with age,
 * and if a member has too many. */
#include "store/log/edits.h"

#include "base/datetime.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/storage.h"
#include "store/store.h"

/* Writers are numbered as their credentials are; without one it is the operator. */
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

/* -- Ending an edit ---------------------------------------------------------------------------- */

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
        THEN(result, edits_trim(transaction, edit->member_id));
    transaction->edit = (struct history_edit){0};
    return result;
}

/* -- Beginning an edit ------------------------------------------------------------------------- */

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

/* The next number of the member's log. */
static enum store_result begin_number(struct transaction *transaction, int64_t member_id)
{
    enum store_result result =
        store_find_integer(transaction->store, "last_edit", &transaction->edit.number,
                           STATEMENT_RAISE_LAST_EDIT, BIND("member_id", member_id));
    transaction->edit.is_new = true;
    return result == STORE_NONE ? STORE_BROKEN : result;
}

/* Continues the last act, or begins another. Without history the content still gets a number: it
 * must not be mistaken for the content of another edit. */
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

/* -- Effects of the edit ----------------------------------------------------------------------- */

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
    if (change->former)
        state_write(change->former, change->extent, &store->state);
    enum store_result result = store_run(
        store, STATEMENT_INSERT_FORMER, BIND("member_id", edit->member_id),
        BIND("edit", edit->number), BIND("qso_id", change->qso_id),
        BIND("at", transaction->stamp_ms - edit->began_ms),
        BIND("previous_edit", change->previous_edit),
        BIND_IF(change->brings_back, "restored_edit", change->restored_edit),
        BIND_BLOB("state", change->former ? store->state.bytes : NULL, store->state.length));
    if (result == STORE_REFUSED) {
        log_line("the history of QSO %lld: %s", (long long)change->qso_id,
                 sqlite3_errmsg(store->database->handle));
        return STORE_BROKEN;
    }
    if (result != STORE_DONE)
        return result;
    edit->states++;
    edit->changed += change->former && change->extent == STATE_CHANGE;
    edit->deleted += change->former && change->extent == STATE_WHOLE;
    edit->revived += !change->former;
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

/* -- Removing what is old ---------------------------------------------------------------------- */

/* Removes acts, the oldest first, a little at a time. An act is marked before its first row is
 * deleted: QSOs without a row would read as created by it, and undoing it would delete them. The
 * callers decide when to do this. */

/* Rows that each write removes, in addition to twice as many as it has added. */
#define REMOVED_AT_ONCE 20

#define ACTS_AT_ONCE 4

struct old_act {
    int64_t member_id, number, last;
    bool pruned;
};

static const struct read_column old_act_columns[] =
    COLUMNS(COLUMN(old_act, member_id, "member_id"), COLUMN(old_act, number, "number"),
            COLUMN(old_act, last, "last"), COLUMN(old_act, pruned, "pruned"));

static enum store_result find_old(struct transaction *transaction, struct old_act *out)
{
    const struct history_edit *edit = &transaction->edit;
    struct store *store = transaction->store;
    const int64_t old_before_ms =
        store_old_before(transaction, store->history_days * DATETIME_DAY_MS);
    return store_find(store, old_act_columns, NULL, out, STATEMENT_FIND_OLD_ACT,
                      BIND("began_at", old_before_ms), BIND("member_id", edit->member_id),
                      BIND("number", edit->act), BIND("ordinal", edit->ordinal),
                      BIND("states_so_far", edit->states_so_far + edit->states),
                      BIND("states", store->history_states), BIND("acts", HISTORY_ACTS_MAX));
}

#define BIND_ACT(act) BIND("member_id", (act)->member_id), BIND("number", (act)->number)
#define BIND_ROWS(act, limit) BIND_ACT(act), BIND("last", (act)->last), BIND("limit", limit)

/* Removes rows of an act, and the act with its last row. Reduces *limit by their number. */
static enum store_result remove_rows(struct store *store, const struct old_act *act, int64_t *limit)
{
    enum store_result result = STORE_DONE;
    if (!act->pruned)
        result = store_run(store, STATEMENT_UPDATE_ACT_PRUNED, BIND_ACT(act));
    THEN(result, store_run(store, STATEMENT_DELETE_LEFTOVERS_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_KNOWN_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_PROGRAM_IDS_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_GONE_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_FORMER_OF_ACT, BIND_ROWS(act, *limit)));
    int64_t removed = sqlite3_changes(store->database->handle);
    if (result == STORE_DONE && removed < *limit)
        result = store_run(store, STATEMENT_DELETE_ACT, BIND_ACT(act));
    *limit -= removed;
    return result;
}

enum store_result edits_remove_some(struct transaction *transaction)
{
    int64_t limit = REMOVED_AT_ONCE + 2 * transaction->edit.states;
    for (int i = 0; i < ACTS_AT_ONCE && limit > 0; i++) {
        struct old_act act = {0};
        enum store_result result = find_old(transaction, &act);
        THEN(result, remove_rows(transaction->store, &act, &limit));
        if (result != STORE_DONE)
            return result == STORE_NONE ? STORE_DONE : result;
    }
    return STORE_DONE;
}

enum store_result edits_remove_all(struct transaction *transaction, int64_t member_id,
                                   int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && limit-- > 0) {
        struct old_act act = {0};
        result = store_find(store, old_act_columns, NULL, &act, STATEMENT_FIND_OLDEST_ACT,
                            BIND("member_id", member_id));
        THEN(result, remove_rows(store, &act, &limit));
    }
    *last = result == STORE_NONE;
    return *last ? STORE_DONE : result;
}

/* -- The limit of a member's storage ----------------------------------------------------------- */

#define ROWS_AT_ONCE 500
#define ROWS_MAX 50000 /* rows that a write drops while others wait */

/* STORE_NONE: no act exists, or only the present one, which stays. */
static enum store_result drop_oldest(struct transaction *transaction, int64_t member_id,
                                     bool with_own)
{
    const struct history_edit *edit = &transaction->edit;
    const int64_t own = edit->member_id == member_id ? edit->act : 0;
    struct store *store = transaction->store;
    int64_t limit = ROWS_AT_ONCE;
    struct old_act act = {0};
    enum store_result result = store_find(store, old_act_columns, NULL, &act,
                                          STATEMENT_FIND_OLDEST_ACT, BIND("member_id", member_id));
    if (result == STORE_DONE && act.number == own && !with_own)
        return STORE_NONE;
    return THEN(result, remove_rows(store, &act, &limit));
}

static enum store_result drop_history(struct transaction *transaction, int64_t member_id,
                                      int64_t bytes, bool with_own, bool *fits)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    *fits = false;
    for (int64_t rows = ROWS_MAX; result == STORE_DONE && rows > 0; rows -= ROWS_AT_ONCE) {
        struct storage storage;
        result = store_read_storage(store, member_id, &storage);
        if (result == STORE_DONE)
            *fits = storage_sum(&storage) + bytes <= store->storage_max;
        if (result != STORE_DONE || *fits)
            return result;
        result = drop_oldest(transaction, member_id, with_own);
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_make_room(struct transaction *transaction, int64_t member_id, int64_t bytes,
                                  bool *fits)
{
    return drop_history(transaction, member_id, bytes, false, fits);
}

enum store_result edits_trim(struct transaction *transaction, int64_t member_id)
{
    bool fits;
    return drop_history(transaction, member_id, 0, true, &fits);
}
