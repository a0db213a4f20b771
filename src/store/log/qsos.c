/* QSOs: lists them in the order of their changes, by which clients synchronise; finds them by their
 * clientId; saves, restores and deletes them. spots.c and confirmations.c handle a QSO's spot and
 * the other side of its contact. edits.c stores its previous content, and deletions.c the data
 * that a deletion leaves for clients. */
#include "store/log/qsos.h"

#include <string.h>

#include "base/log.h"
#include "base/uuid.h"
#include "qso/content.h"
#include "qso/match.h"
#include "store/confirm/confirmations.h"
#include "store/log/deletions.h"
#include "store/log/edits.h"
#include "store/log/known.h"
#include "store/log/page_counts.h"
#include "store/confirm/partners.h"
#include "store/log/spots.h"
#include "store/store.h"

/* -- Lists ------------------------------------------------------------------------------------- */

static const struct read_column position_columns[] =
    COLUMNS(COLUMN(position, synced_at_ms, "synced_at"), COLUMN(position, id, "id"));

enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_QSOS, BIND("member_id", member_id),
                                        BIND("synced_at", after.synced_at_ms), BIND("id", after.id),
                                        BIND("limit", limit));
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_list_qsos_by_id(struct store *store, int64_t member_id, int64_t after,
                                        int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_QSOS_BY_ID, BIND("member_id", member_id),
                   BIND("id", after), BIND("limit", limit));
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_skip_qsos(struct store *store, int64_t member_id, int64_t count,
                                  struct position *position)
{
    return store_find(store, position_columns, NULL, position, STATEMENT_SKIP_QSOS,
                      BIND("member_id", member_id), BIND("synced_at", position->synced_at_ms),
                      BIND("id", position->id), BIND("before_last", count - 1));
}

enum store_result store_count_qsos(struct store *store, int64_t member_id, int64_t *count)
{
    return store_find_integer(store, "qsos", count, STATEMENT_COUNT_MEMBER_QSOS,
                              BIND("member_id", member_id));
}

enum store_result store_list_ids(struct store *store, int64_t member_id, id_visitor *visit,
                                 void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_IDS, BIND("member_id", member_id));
    const int id = database_find_column(list, "id"),
              client_id = database_find_column(list, "client_id");
    enum store_result result = STORE_DONE;
    bool goes_on = true;
    while (goes_on && database_next(store->database, list, &result))
        goes_on = visit(context, sqlite3_column_int64(list->handle, id),
                        sqlite3_column_blob(list->handle, client_id));
    sqlite3_reset(list->handle);
    return result;
}

/* Reads the QSO of the statement's row, its texts in the arena; `refused` if it is not the
 * member's. */
static enum store_result find_qso(struct store *store, struct statement *find, int64_t member_id,
                                  enum store_result refused, struct arena *arena, struct qso *out)
{
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE && database_read_integer(find, "member_id") != member_id)
        result = refused;
    if (result == STORE_DONE) {
        columns_read_qso(&store->columns, find, out);
        columns_keep_texts(out, arena);
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[UUID_BYTES], struct arena *arena,
                                 struct qso *out)
{
    return find_qso(
        store, store_with(store, STATEMENT_FIND_QSO, BIND_BLOB("client_id", client_id, UUID_BYTES)),
        member_id, STORE_CONFLICT, arena, out);
}

enum store_result store_find_own_qso(struct store *store, int64_t member_id, int64_t id,
                                     struct arena *arena, struct qso *out)
{
    return find_qso(
        store,
        store_with(store, STATEMENT_FIND_OWN_QSO, BIND("member_id", member_id), BIND("id", id)),
        member_id, STORE_NONE, arena, out);
}

enum store_result store_find_qso_by_id_and_time(struct store *store, int64_t member_id, int64_t id,
                                                int64_t created_at_ms, struct arena *arena,
                                                struct qso *out)
{
    enum store_result result =
        find_qso(store, store_with(store, STATEMENT_FIND_QSO_BY_ID_AND_TIME, BIND("id", id)),
                 member_id, STORE_NONE, arena, out);
    return result == STORE_DONE && out->values[FIELD_CREATED_AT].integer != created_at_ms
               ? STORE_NONE
               : result;
}

ROW_READER(position_columns, STATEMENT_FIND_NEXT_QSO);

enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by)
{
    struct statement *find = store_with(
        store, STATEMENT_FIND_NEXT_QSO, BIND("member_id", member_id), BIND("before", before_ms),
        BIND("synced_at", position->synced_at_ms), BIND("id", position->id));
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        database_read(find, position_columns, NULL, position);
        *confirmed_by = database_read_integer(find, "confirmed_by");
    }
    sqlite3_reset(find->handle);
    return result;
}

/* -- Saving ------------------------------------------------------------------------------------ */

enum store_result qsos_revise_log(struct transaction *transaction, int64_t member_id)
{
    if (transaction->revised_member_id == member_id)
        return STORE_DONE;
    enum store_result result =
        store_run(transaction->store, STATEMENT_UPDATE_LOG_REVISION, BIND("id", member_id),
                  BIND("log_revision", transaction->stamp_ms));
    if (result == STORE_DONE)
        transaction->revised_member_id = member_id;
    return result;
}

static void set_time(struct qso *qso, enum field_index field, int64_t ms)
{
    qso->values[field].integer = ms;
    qso->values[field].state = VALUE_PRESENT;
}

/* The database's data about a QSO. */
struct stored_qso {
    int64_t id; /* 0: not stored yet */
    int64_t confirmed_by;
    int64_t edit;          /* edit that gave it its content */
    struct qso former;     /* where it is stored */
    bool is_changed;       /* the write changes its content */
    bool is_put_back;      /* the write gives it the content of another edit */
    bool comes_back;       /* it has an id, but is not there */
    struct text leftovers; /* new leftovers; no text: unchanged */
};

/* Takes from the stored QSO the fields that an update leaves unchanged. The texts stay valid: the
 * statement is not used again before the entry is written. */
static enum store_result merge_stored(struct store *store, const struct identity *member,
                                      struct qso *qso, struct stored_qso *stored)
{
    struct statement *find =
        qso->values[FIELD_ID].state == VALUE_PRESENT
            ? store_with(store, STATEMENT_FIND_QSO_BY_ID_AND_TIME,
                         BIND("id", qso->values[FIELD_ID].integer))
            : store_with(store, STATEMENT_FIND_QSO,
                         BIND_BLOB("client_id", qso->values[FIELD_CLIENT_ID].text, UUID_BYTES));
    struct qso *old = &stored->former;
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    if (database_read_integer(find, "member_id") != member->member_id) {
        sqlite3_reset(find->handle);
        return STORE_CONFLICT;
    }
    columns_read_qso(&store->columns, find, old);
    stored->id = old->values[FIELD_ID].integer;
    stored->edit = database_read_integer(find, "edit");
    stored->confirmed_by = database_read_integer(find, "confirmed_by");
    for (int i = 0; i < FIELD_COUNT; i++)
        if ((fields[i].flags & FIELD_READ_ONLY) ||
            ((fields[i].flags & FIELD_KEPT_ON_UPDATE) && qso->values[i].state == VALUE_OMITTED))
            qso->values[i] = old->values[i];
    stored->is_changed = !content_is_equal(qso, old);
    return STORE_DONE;
}

/* After a QSO was created, or came back: its clientId is in use again, or, without one, its id. */
static enum store_result end_deletion(struct transaction *transaction, int64_t member_id,
                                      const struct qso *qso)
{
    const struct value *client_id = &qso->values[FIELD_CLIENT_ID];
    if (client_id->state == VALUE_PRESENT)
        return store_run(transaction->store, STATEMENT_DELETE_TOMBSTONE,
                         BIND("member_id", member_id),
                         BIND_BLOB("client_id", client_id->text, UUID_BYTES));
    return store_run(transaction->store, STATEMENT_DELETE_TOMBSTONE_WITHOUT_CLIENT_ID,
                     BIND("member_id", member_id), BIND("id", qso->values[FIELD_ID].integer));
}

static enum store_result write_row(struct transaction *transaction, const struct identity *member,
                                   struct qso *qso, struct stored_qso *stored)
{
    struct store *store = transaction->store;
    const bool creates = stored->id == 0, is_new = creates || stored->comes_back,
               has_other_content = stored->is_changed || stored->is_put_back;
    struct match_callsign worked, station;
    set_time(qso, FIELD_SYNCED_AT, transaction->stamp_ms);
    if (creates)
        set_time(qso, FIELD_CREATED_AT, transaction->written_at_ms);
    struct statement *write =
        database_statement(store->database, stored->comes_back ? STATEMENT_REVIVE_QSO
                                            : creates          ? STATEMENT_INSERT_QSO
                                                               : STATEMENT_UPDATE_QSO);
    columns_bind_qso(&store->columns, write, qso);
    database_bind(
        write,
        BOUND(BIND("edit", stored->edit),
              BIND("worked_unicode",
                   match_find_unicode_key(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked)),
              BIND("operator_unicode",
                   match_find_unicode_key(qso_text(qso, FIELD_OPERATOR_CALLSIGN), &station))));
    if (!stored->comes_back)
        database_bind(write, BOUND(BIND_IF(member->credential == CREDENTIAL_TOKEN, "token_id",
                                           member->key_number)));
    if (is_new)
        database_bind(write, BOUND(BIND("member_id", member->member_id)));
    else
        database_bind(write, BOUND(BIND("is_changed", stored->is_changed)));
    enum store_result result = STORE_DONE;
    if (!is_new && has_other_content)
        result = page_counts_take(transaction, member->member_id, stored->id);
    THEN(result, database_run(store->database, write));
    if (result == STORE_DONE && creates) {
        stored->id = sqlite3_last_insert_rowid(store->database->handle);
        qso->values[FIELD_ID].integer = stored->id;
        qso->values[FIELD_ID].state = VALUE_PRESENT;
    }
    if (is_new || has_other_content)
        THEN(result, page_counts_add(transaction, member->member_id, stored->id));
    if (is_new)
        THEN(result, end_deletion(transaction, member->member_id, qso));
    return result;
}

/* With the content that it replaces. */
static enum store_result write_content(struct transaction *transaction,
                                       const struct identity *member, struct qso *qso,
                                       struct stored_qso *stored)
{
    struct edit_change change = {.qso_id = stored->id,
                                 .previous_edit = stored->edit,
                                 .former = &stored->former,
                                 .extent = STATE_CHANGE};
    bool creates = stored->id == 0, changes = stored->is_changed;
    const int64_t previous_edit = stored->edit;
    if (creates || changes)
        stored->edit = transaction->edit.number;
    enum store_result result = write_row(transaction, member, qso, stored);
    if (result == STORE_DONE && creates)
        edits_note_creation(transaction, stored->id);
    if (result == STORE_DONE && creates)
        result = makers_note(transaction, member->member_id, stored->id,
                             member->maker.length > 0 ? member->maker : member->operator_callsign);
    if (result == STORE_DONE && changes)
        result = edits_note(transaction, &change);
    if (result == STORE_DONE && (changes || stored->leftovers.length > 0))
        result = leftovers_note(transaction, member->member_id, stored->id, previous_edit,
                                stored->leftovers);
    return result;
}

/* Everything that belongs to one entry. */
struct plan {
    bool publish;
    bool puts_back; /* the content is that of another edit, and the history records it so */
    struct confirmation_change change;
};

static enum store_result carry_out(struct transaction *transaction, const struct identity *member,
                                   struct qso *qso, struct stored_qso *stored,
                                   const struct plan *plan)
{
    if (plan->publish)
        set_time(qso, FIELD_SPOTTED_AT, transaction->written_at_ms);
    enum store_result result = plan->puts_back ? write_row(transaction, member, qso, stored)
                                               : write_content(transaction, member, qso, stored);
    if (result == STORE_DONE && plan->publish)
        result = spots_publish(transaction, qso, member);
    return THEN(result, confirmations_apply(transaction, stored->id, &plan->change));
}

static enum store_result end_savepoint(struct transaction *transaction, enum store_result result)
{
    struct store *store = transaction->store;
    if (result == STORE_BUSY || result == STORE_BROKEN)
        return result;
    enum store_result undone = STORE_DONE;
    partners_reset(transaction, NULL);
    if (result == STORE_REFUSED)
        undone = store_run(store, STATEMENT_ROLLBACK_TO_ENTRY);
    if (undone == STORE_DONE)
        undone = store_run(store, STATEMENT_RELEASE_ENTRY);
    return undone == STORE_DONE ? result : STORE_BROKEN;
}

/* STORE_REFUSED: a rule of the database refused it, which validation should have done; the entry
 * alone is rolled back. A single statement that fails undoes itself. Only several need a savepoint,
 * for which SQLite copies every page that the entry changes. */
static enum store_result write_entry(struct transaction *transaction, const struct identity *member,
                                     struct qso *qso, struct stored_qso *stored,
                                     const struct plan *plan)
{
    struct store *store = transaction->store;
    const struct history_edit edit = transaction->edit;
    const struct page_counting counting = transaction->counting;
    const struct confirmation_change *change = &plan->change;
    const bool has_savepoint = plan->publish || change->ended || change->made ||
                               change->claim.ended || change->claim.made || counting.is_counted;
    enum store_result result = STORE_DONE;
    if (has_savepoint)
        result = store_run(store, STATEMENT_BEGIN_ENTRY);
    THEN(result, carry_out(transaction, member, qso, stored, plan));
    if (result == STORE_REFUSED) {
        log_line("the database rejected an entry: %s", sqlite3_errmsg(store->database->handle));
        transaction->edit = edit;
        transaction->counting = counting;
    }
    return has_savepoint ? end_savepoint(transaction, result) : result;
}

/* Determines the other effects of the write, and writes it. */
static enum store_result save(struct transaction *transaction, const struct identity *member,
                              struct qso *qso, struct stored_qso *stored, struct plan *plan)
{
    struct match_side side;
    enum store_result result = qsos_revise_log(transaction, member->member_id);
    THEN(result, page_counts_find(transaction, member->member_id));
    match_read_side(qso, member->callsign, &side);
    THEN(result, confirmations_plan(transaction, member->member_id, stored->id, &side,
                                    stored->confirmed_by, &plan->change));
    if (member->is_disabled)
        plan->change.made = plan->change.claim.made = 0;
    if (side.confirmable)
        partners_reset(transaction, &side.worked);
    return THEN(result, write_entry(transaction, member, qso, stored, plan));
}

/* Leftovers that are stored already are not a change. */
static enum store_result compare_leftovers(struct store *store, const struct identity *member,
                                           struct text leftovers, struct stored_qso *stored)
{
    struct arena arena = {0};
    struct text old = {0};
    enum store_result result = STORE_DONE;
    if (leftovers.length == 0)
        return STORE_DONE;
    if (stored->id)
        result = store_find_leftovers(store, member->member_id, stored->id, &arena, &old);
    if (!text_equals(leftovers, old)) {
        stored->leftovers = leftovers;
        stored->is_changed = stored->is_changed || stored->id;
    }
    arena_free(&arena);
    return result;
}

enum store_result store_save_qso(struct transaction *transaction, const struct identity *member,
                                 const struct qso *qso, struct text leftovers,
                                 struct saved_qso *out)
{
    struct store *store = transaction->store;
    struct qso merged = *qso;
    struct stored_qso stored = {0};
    struct plan plan = {0};
    const struct value *send_spot = &qso->values[FIELD_SEND_SPOT],
                       *spotted_at = &merged.values[FIELD_SPOTTED_AT];
    enum store_result result = merge_stored(store, member, &merged, &stored);
    THEN(result, compare_leftovers(store, member, leftovers, &stored));
    if (result != STORE_DONE)
        return result;
    plan.publish = send_spot->state == VALUE_PRESENT && send_spot->integer &&
                   spotted_at->state != VALUE_PRESENT;
    if (plan.publish)
        result = spots_have_room(transaction, member->member_id, &plan.publish);
    if (result == STORE_DONE && (!stored.id || stored.is_changed))
        result = edits_begin(transaction, member, stored.id ? stored.edit : EDITS_NONE, false);
    THEN(result, save(transaction, member, &merged, &stored, &plan));
    sqlite3_reset(store->database->statements[STATEMENT_FIND_QSO].handle);
    sqlite3_reset(store->database->statements[STATEMENT_FIND_QSO_BY_ID_AND_TIME].handle);
    if (result == STORE_DONE) {
        out->id = stored.id;
        out->spotted_at_ms = spotted_at->state == VALUE_PRESENT ? spotted_at->integer : 0;
    }
    return result;
}

enum store_result qsos_put_back(struct transaction *transaction, const struct identity *member,
                                struct qso *qso, int64_t edit, bool is_there, int64_t confirmed_by)
{
    struct stored_qso stored = {.id = qso->values[FIELD_ID].integer,
                                .confirmed_by = confirmed_by,
                                .edit = edit,
                                .is_put_back = true,
                                .comes_back = !is_there};
    struct plan plan = {.puts_back = true};
    return save(transaction, member, qso, &stored, &plan);
}

/* -- Deleting ---------------------------------------------------------------------------------- */

enum store_result qsos_delete(struct transaction *transaction, int64_t member_id, int64_t id,
                              int64_t confirmed_by)
{
    struct released released;
    enum store_result result = confirmations_release(transaction, id, confirmed_by, &released);
    THEN(result, page_counts_take(transaction, member_id, id));
    THEN(result, store_run(transaction->store, STATEMENT_DELETE_QSO, BIND("id", id)));
    return THEN(result, confirmations_pair_again(transaction, &released));
}

/* Leaves a tombstone for clients, and its content in the history. STORE_NONE: the member has no
 * such QSO. */
static enum store_result delete_found(struct transaction *transaction,
                                      const struct identity *member, struct statement *find)
{
    struct store *store = transaction->store;
    struct qso qso;
    struct edit_change change = {.former = &qso, .extent = STATE_WHOLE};
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
        THEN(result, deletions_add(transaction, id));
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
