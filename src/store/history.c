/* Acts, edits and former states, as they are written. One act of a member is open at a time: the
 * last one. It goes on while the same writer does the same work without a long pause.
 *
 * Former states take space that grows with what clients change, so they are removed with age, and
 * if a member has too many. */
#include "store/history.h"

#include "base/datetime.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/store.h"

static enum writer_kind kind_of_writer(enum credential credential)
{
    return credential == CREDENTIAL_NONE    ? WRITER_OPERATOR
           : credential == CREDENTIAL_KEY   ? WRITER_KEY
           : credential == CREDENTIAL_TOKEN ? WRITER_TOKEN
                                            : WRITER_SESSION;
}

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

static enum store_result update_act(struct transaction *transaction)
{
    struct store *store = transaction->store;
    const struct history_edit *edit = &transaction->edit;
    struct statement *update = store_member_statement(store, STATEMENT_UPDATE_ACT, edit->member_id);
    database_bind_integer(update, ":number", edit->act);
    database_bind_integer(update, ":last", edit->number);
    database_bind_integer(update, ":ended_at", transaction->stamp_ms);
    database_bind_integer(update, ":created", edit->created);
    database_bind_integer(update, ":changed", edit->changed);
    database_bind_integer(update, ":deleted", edit->deleted);
    database_bind_integer(update, ":revived", edit->revived);
    database_bind_integer(update, ":states", edit->states);
    database_bind_integer_or_null(update, ":first_created", edit->first_created);
    database_bind_integer_or_null(update, ":last_created", edit->last_created);
    return database_run(store->database, update);
}

static enum store_result finish(struct transaction *transaction)
{
    enum store_result result = STORE_DONE;
    if (!transaction->edit.member_id)
        return STORE_DONE;
    if (transaction->edit.act)
        result = update_act(transaction);
    if (result == STORE_DONE)
        result = history_remove_some(transaction);
    transaction->edit = (struct history_edit){0};
    return result;
}

/* -- Beginning an edit ------------------------------------------------------------------------- */

/* Whether the row of the last act is one that this transaction's work belongs to. */
static bool goes_on(const struct transaction *transaction, const struct identity *member,
                    const struct statement *last)
{
    const int64_t now_ms = transaction->stamp_ms;
    bool has_end = transaction->work == WORK_SYNC;
    return transaction->work != WORK_UNDO &&
           database_read_integer(last, "last") == database_read_integer(last, "last_edit") &&
           database_read_integer(last, "work") == (int64_t)transaction->work &&
           database_read_integer(last, "writer") == (int64_t)kind_of_writer(member->credential) &&
           database_read_integer(last, "writer_number") == member->key_number &&
           text_equals(database_read_text(last, "subject"), transaction->work_subject) &&
           now_ms - database_read_integer(last, "ended_at") < HISTORY_GAP_MS &&
           (!has_end || now_ms - database_read_integer(last, "began_at") < HISTORY_ACT_MS);
}

static enum store_result insert_act(struct transaction *transaction, const struct identity *member)
{
    struct store *store = transaction->store;
    struct history_edit *edit = &transaction->edit;
    struct statement *insert =
        store_member_statement(store, STATEMENT_INSERT_ACT, member->member_id);
    database_bind_integer(insert, ":number", edit->number);
    database_bind_integer(insert, ":ordinal", edit->ordinal);
    database_bind_integer(insert, ":states_before", edit->states_so_far);
    database_bind_integer(insert, ":writer", (int64_t)kind_of_writer(member->credential));
    database_bind_integer(insert, ":writer_number", member->key_number);
    database_bind_integer(insert, ":work", transaction->work);
    database_bind_text(insert, ":subject", transaction->work_subject);
    database_bind_text(insert, ":operator", member->operator_callsign);
    database_bind_integer_or_null(insert, ":takes_back", transaction->takes_back);
    database_bind_integer(insert, ":began_at", transaction->stamp_ms);
    edit->act = edit->number;
    edit->began_ms = transaction->stamp_ms;
    return database_run(store->database, insert);
}

/* The next number of the member's log. */
static enum store_result begin_number(struct transaction *transaction, int64_t member_id)
{
    struct store *store = transaction->store;
    struct statement *find = store_member_statement(store, STATEMENT_FIND_LAST_EDIT, member_id);
    enum store_result result =
        database_find_integer(store->database, find, "last_edit", &transaction->edit.number);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    transaction->edit.number++;
    transaction->edit.is_new = true;
    struct statement *update = store_member_statement(store, STATEMENT_UPDATE_LAST_EDIT, member_id);
    database_bind_integer(update, ":last_edit", transaction->edit.number);
    return database_run(store->database, update);
}

/* Without history the content gets a number all the same: it must not pass for that of another
 * edit. */
static enum store_result begin_act(struct transaction *transaction, const struct identity *member)
{
    enum store_result result = begin_number(transaction, member->member_id);
    if (result == STORE_DONE && transaction->store->history_days > 0)
        result = insert_act(transaction, member);
    return result;
}

static enum store_result begin(struct transaction *transaction, const struct identity *member)
{
    struct store *store = transaction->store;
    enum store_result result = finish(transaction);
    if (result != STORE_DONE)
        return result;
    transaction->edit = (struct history_edit){.member_id = member->member_id};
    transaction->finish = finish;
    if (store->history_days == 0)
        return begin_act(transaction, member);
    struct statement *last =
        store_member_statement(store, STATEMENT_FIND_LAST_ACT, member->member_id);
    result = database_step(store->database, last);
    bool continues = result == STORE_DONE && goes_on(transaction, member, last);
    if (result == STORE_DONE) {
        transaction->edit.ordinal = database_read_integer(last, "ordinal") + !continues;
        transaction->edit.states_so_far = database_read_integer(last, "states_so_far");
    }
    if (continues) {
        transaction->edit.act = database_read_integer(last, "number");
        transaction->edit.number = database_read_integer(last, "last");
        transaction->edit.began_ms = database_read_integer(last, "began_at");
    }
    sqlite3_reset(last->handle);
    if (result != STORE_DONE && result != STORE_NONE)
        return result;
    return continues ? STORE_DONE : begin_act(transaction, member);
}

enum store_result history_begin_edit(struct transaction *transaction, const struct identity *member,
                                     int64_t replaced)
{
    const struct history_edit *edit = &transaction->edit;
    enum store_result result = STORE_DONE;
    if (edit->member_id != member->member_id)
        result = begin(transaction, member);
    if (result == STORE_DONE && replaced == edit->number && !edit->is_new)
        result = begin_number(transaction, member->member_id);
    return result;
}

enum store_result history_begin_deletion(struct transaction *transaction,
                                         const struct identity *member, int64_t replaced)
{
    enum store_result result = history_begin_edit(transaction, member, replaced);
    if (result == STORE_DONE && replaced == transaction->edit.number)
        result = begin_number(transaction, member->member_id);
    return result;
}

enum store_result history_resume(struct transaction *transaction, const struct identity *member,
                                 int64_t act)
{
    struct store *store = transaction->store;
    struct statement *find = store_member_statement(store, STATEMENT_FIND_ACT, member->member_id);
    database_bind_integer(find, ":writer", (int64_t)kind_of_writer(member->credential));
    database_bind_integer(find, ":writer_number", member->key_number);
    database_bind_integer(find, ":number", act);
    enum store_result result = database_step(store->database, find);
    transaction->finish = finish;
    if (result == STORE_DONE)
        transaction->edit = (struct history_edit){
            .member_id = member->member_id,
            .ordinal = database_read_integer(find, "ordinal"),
            .states_so_far = database_read_integer(find, "states_so_far"),
            .act = act,
            .number = act,
            .is_new = true,
            .began_ms = database_read_integer(find, "began_at"),
        };
    sqlite3_reset(find->handle);
    return result;
}

/* -- What the edit does ------------------------------------------------------------------------ */

void history_note_creation(struct transaction *transaction, int64_t id)
{
    struct history_edit *edit = &transaction->edit;
    edit->created++;
    if (!edit->first_created)
        edit->first_created = id;
    edit->last_created = id;
}

static enum store_result insert_former(struct transaction *transaction,
                                       const struct history_change *change)
{
    struct store *store = transaction->store;
    const struct history_edit *edit = &transaction->edit;
    struct statement *insert =
        store_member_statement(store, STATEMENT_INSERT_FORMER, edit->member_id);
    database_bind_integer(insert, ":edit", edit->number);
    database_bind_integer(insert, ":qso_id", change->qso_id);
    database_bind_integer(insert, ":at", transaction->stamp_ms - edit->began_ms);
    database_bind_integer(insert, ":previous_edit", change->previous_edit);
    database_bind_null(insert, ":restored_edit");
    if (change->brings_back)
        database_bind_integer(insert, ":restored_edit", change->restored_edit);
    database_bind_null(insert, ":state");
    if (change->former) {
        state_write(change->former, change->extent, &store->state);
        database_bind_blob(insert, ":state", store->state.bytes, store->state.length);
    }
    return database_run(store->database, insert);
}

enum store_result history_note(struct transaction *transaction, const struct history_change *change)
{
    struct history_edit *edit = &transaction->edit;
    if (!edit->act || (!change->brings_back && change->previous_edit == edit->number))
        return STORE_DONE;
    enum store_result result = insert_former(transaction, change);
    if (result == STORE_REFUSED) {
        log_line("the history of QSO %lld: %s", (long long)change->qso_id,
                 sqlite3_errmsg(transaction->store->database->handle));
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

enum store_result history_note_gone(struct transaction *transaction, const struct qso *qso,
                                    int64_t edit)
{
    struct store *store = transaction->store;
    const struct value *client_id = &qso->values[FIELD_CLIENT_ID];
    struct statement *insert =
        store_member_statement(store, STATEMENT_INSERT_GONE, transaction->edit.member_id);
    if (!transaction->edit.act)
        return STORE_DONE;
    database_bind_integer(insert, ":qso_id", qso->values[FIELD_ID].integer);
    database_bind_integer(insert, ":edit", edit);
    database_bind_integer(insert, ":removed_by", transaction->edit.number);
    database_bind_null(insert, ":client_id");
    if (client_id->presence == VALUE_PRESENT)
        database_bind_blob(insert, ":client_id", client_id->text, UUID_BYTES);
    return database_run(store->database, insert);
}

enum store_result history_note_back(struct transaction *transaction, int64_t qso_id)
{
    struct store *store = transaction->store;
    struct statement *remove =
        store_member_statement(store, STATEMENT_DELETE_GONE, transaction->edit.member_id);
    database_bind_integer(remove, ":qso_id", qso_id);
    return database_run(store->database, remove);
}

/* -- Removing what is old ---------------------------------------------------------------------- */

/* Removes acts, the oldest one first, a little at a time. An act is marked before the first of its
 * rows goes: QSOs without a row would read as created by it, and taking it back would delete them.
 * When that is done is left to the callers. */

/* How many rows each write removes beside as many as it has added, and twice that. */
#define REMOVED_AT_ONCE 20

#define ACTS_AT_ONCE 4

struct old_act {
    int64_t member_id, number, last;
    bool pruned;
};

/* The one row of a statement whose parameters are bound. */
static enum store_result find(struct store *store, struct statement *find, struct old_act *out)
{
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        *out = (struct old_act){
            .member_id = database_read_integer(find, "member_id"),
            .number = database_read_integer(find, "number"),
            .last = database_read_integer(find, "last"),
            .pruned = database_read_integer(find, "pruned") != 0,
        };
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result find_old(const struct transaction *transaction, struct old_act *out)
{
    struct store *store = transaction->store;
    struct statement *aged = database_statement(store->database, STATEMENT_FIND_AGED_ACT);
    database_bind_integer(aged, ":began_at",
                          transaction->stamp_ms - store->history_days * DATETIME_DAY_MS);
    enum store_result result = find(store, aged, out);
    if (result != STORE_NONE)
        return result;
    struct statement *surplus =
        store_member_statement(store, STATEMENT_FIND_SURPLUS_ACT, transaction->edit.member_id);
    database_bind_integer(surplus, ":number", transaction->edit.act);
    database_bind_integer(surplus, ":ordinal", transaction->edit.ordinal);
    database_bind_integer(surplus, ":states_so_far",
                          transaction->edit.states_so_far + transaction->edit.states);
    database_bind_integer(surplus, ":states", store->history_states);
    database_bind_integer(surplus, ":acts", HISTORY_ACTS_MAX);
    return find(store, surplus, out);
}

static enum store_result run_for_act(struct store *store, enum statement_name name,
                                     const struct old_act *act)
{
    struct statement *statement = store_member_statement(store, name, act->member_id);
    database_bind_integer(statement, ":number", act->number);
    return database_run(store->database, statement);
}

static enum store_result run_for_rows(struct store *store, enum statement_name name,
                                      const struct old_act *act, int64_t limit)
{
    struct statement *statement = store_member_statement(store, name, act->member_id);
    database_bind_integer(statement, ":number", act->number);
    database_bind_integer(statement, ":last", act->last);
    database_bind_integer(statement, ":limit", limit);
    return database_run(store->database, statement);
}

/* Removes rows of an act, and the act with the last of them. *limit comes back as what is left of
 * it. */
static enum store_result remove_rows(struct store *store, const struct old_act *act, int64_t *limit)
{
    enum store_result result = STORE_DONE;
    if (!act->pruned)
        result = run_for_act(store, STATEMENT_UPDATE_ACT_PRUNED, act);
    if (result == STORE_DONE)
        result = run_for_rows(store, STATEMENT_DELETE_LEFTOVERS_OF_ACT, act, *limit);
    if (result == STORE_DONE)
        result = run_for_rows(store, STATEMENT_DELETE_GONE_OF_ACT, act, *limit);
    if (result == STORE_DONE)
        result = run_for_rows(store, STATEMENT_DELETE_FORMER_OF_ACT, act, *limit);
    int64_t removed = sqlite3_changes(store->database->handle);
    if (result == STORE_DONE && removed < *limit)
        result = run_for_act(store, STATEMENT_DELETE_ACT, act);
    *limit -= removed;
    return result;
}

enum store_result history_remove_some(struct transaction *transaction)
{
    int64_t limit = REMOVED_AT_ONCE + 2 * transaction->edit.states;
    for (int i = 0; i < ACTS_AT_ONCE && limit > 0; i++) {
        struct old_act act;
        enum store_result result = find_old(transaction, &act);
        if (result == STORE_DONE)
            result = remove_rows(transaction->store, &act, &limit);
        if (result != STORE_DONE)
            return result == STORE_NONE ? STORE_DONE : result;
    }
    return STORE_DONE;
}

enum store_result history_remove_all(struct transaction *transaction, int64_t member_id,
                                     int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    *last = false;
    while (result == STORE_DONE && limit-- > 0) {
        struct old_act act;
        struct statement *oldest =
            store_member_statement(store, STATEMENT_FIND_OLDEST_ACT, member_id);
        result = find(store, oldest, &act);
        if (result == STORE_DONE)
            result = remove_rows(store, &act, &limit);
    }
    *last = result == STORE_NONE;
    return *last ? STORE_DONE : result;
}
