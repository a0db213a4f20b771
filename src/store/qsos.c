/* QSOs: saved, found by their clientId, deleted, and listed in the order of their changes, by which
 * clients synchronise. A write also publishes the spot and looks for the other side of the contact,
 * which is left to spots.c and confirmations.c. */
#include "store/qsos.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "qso/spot.h"
#include "store/columns.h"
#include "store/confirmations.h"
#include "store/store.h"
#include "store/partners.h"
#include "store/spots.h"
#include "store/deletions.h"

enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit, qso_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_QSOS);
    database_bind_integer(list, ":member_id", member_id);
    database_bind_integer(list, ":synced_at", after.synced_at_ms);
    database_bind_integer(list, ":id", after.id);
    database_bind_integer(list, ":limit", limit);
    return columns_visit_qsos(&store->columns, list, visit, context);
}

enum store_result store_list_ids(struct store *store, int64_t member_id, id_visitor *visit,
                                 void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_IDS);
    database_bind_integer(list, ":member_id", member_id);
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

enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[UUID_BYTES], struct arena *arena,
                                 struct qso *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_QSO);
    database_bind_blob(find, ":client_id", client_id, UUID_BYTES);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    if (database_read_integer(find, "member_id") == member_id) {
        columns_read_qso(&store->columns, find, out);
        columns_keep_texts(out, arena);
    } else {
        result = STORE_CONFLICT;
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_find_nameless_qso(struct store *store, int64_t member_id, int64_t id,
                                          int64_t created_at_ms, struct arena *arena,
                                          struct qso *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_NAMELESS_QSO);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    if (database_read_integer(find, "member_id") == member_id &&
        database_read_integer(find, "created_at") == created_at_ms) {
        columns_read_qso(&store->columns, find, out);
        columns_keep_texts(out, arena);
    } else {
        result = STORE_NONE;
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result qsos_revise_log(struct transaction *transaction, int64_t member_id)
{
    struct store *store = transaction->store;
    if (transaction->revised_member_id == member_id)
        return STORE_DONE;
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_LOG_REVISION);
    database_bind_integer(update, ":id", member_id);
    database_bind_integer(update, ":log_revision", transaction->stamp_ms);
    enum store_result result = database_run(store->database, update);
    if (result == STORE_DONE)
        transaction->revised_member_id = member_id;
    return result;
}

static void set_time(struct qso *qso, enum field_index field, int64_t ms)
{
    qso->values[field].integer = ms;
    qso->values[field].presence = VALUE_PRESENT;
}

/* What the database stores of a QSO beside its fields. */
struct stored_qso {
    int64_t id; /* 0: not stored yet */
    int64_t confirmed_by;
};

/* The statement that finds the stored QSO, with its parameters bound. */
static struct statement *prepare_find(struct store *store, const struct qso *qso)
{
    bool by_id = qso->values[FIELD_ID].presence == VALUE_PRESENT;
    struct statement *find = database_statement(store->database, by_id ? STATEMENT_FIND_NAMELESS_QSO
                                                                       : STATEMENT_FIND_QSO);
    if (by_id)
        database_bind_integer(find, ":id", qso->values[FIELD_ID].integer);
    else
        database_bind_blob(find, ":client_id", qso->values[FIELD_CLIENT_ID].text, UUID_BYTES);
    return find;
}

/* Takes from the stored QSO the fields that an update leaves unchanged. The texts stay valid: the
 * statement is not used again before the entry is written. */
static enum store_result merge_stored(struct store *store, const struct identity *member,
                                      struct qso *qso, struct stored_qso *stored)
{
    struct statement *find = prepare_find(store, qso);
    struct qso old;
    memset(stored, 0, sizeof *stored);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    if (database_read_integer(find, "member_id") != member->member_id) {
        sqlite3_reset(find->handle);
        return STORE_CONFLICT;
    }
    columns_read_qso(&store->columns, find, &old);
    stored->id = old.values[FIELD_ID].integer;
    stored->confirmed_by = database_read_integer(find, "confirmed_by");
    for (int i = 0; i < FIELD_COUNT; i++)
        if ((fields[i].flags & FIELD_READ_ONLY) ||
            ((fields[i].flags & FIELD_KEPT_ON_UPDATE) && qso->values[i].presence == VALUE_OMITTED))
            qso->values[i] = old.values[i];
    return STORE_DONE;
}

static enum store_result write_row(struct transaction *transaction, const struct identity *member,
                                   struct qso *qso, struct stored_qso *stored)
{
    struct store *store = transaction->store;
    bool update = stored->id != 0;
    set_time(qso, FIELD_SYNCED_AT, transaction->stamp_ms);
    if (!update)
        set_time(qso, FIELD_CREATED_AT, transaction->written_at_ms);
    struct statement *write =
        database_statement(store->database, update ? STATEMENT_UPDATE_QSO : STATEMENT_INSERT_QSO);
    columns_bind_qso(&store->columns, write, qso);
    if (!update)
        database_bind_integer(write, ":member_id", member->member_id);
    enum store_result result = database_run(store->database, write);
    if (result == STORE_DONE && !update) {
        stored->id = sqlite3_last_insert_rowid(store->database->handle);
        qso->values[FIELD_ID].integer = stored->id;
        qso->values[FIELD_ID].presence = VALUE_PRESENT;
        result = deletions_end(transaction, member->member_id, qso->values[FIELD_CLIENT_ID].text);
    }
    return result;
}

/* Everything that belongs to one entry. */
struct plan {
    bool publish;
    struct confirmation_change change;
};

/* A single statement that fails undoes itself. Only several need a savepoint, for which SQLite
 * copies every page that the entry changes. */
static bool needs_savepoint(const struct plan *plan)
{
    return plan->publish || plan->change.ended || plan->change.made;
}

static bool wants_spot(const struct qso *qso)
{
    const struct value *send_spot = &qso->values[FIELD_SEND_SPOT];
    return send_spot->presence == VALUE_PRESENT && send_spot->integer;
}

static enum store_result carry_out(struct transaction *transaction, const struct identity *member,
                                   struct qso *qso, struct stored_qso *stored,
                                   const struct plan *plan)
{
    if (plan->publish)
        set_time(qso, FIELD_SPOTTED_AT, transaction->written_at_ms);
    enum store_result result = write_row(transaction, member, qso, stored);
    if (result == STORE_DONE && plan->publish)
        result = spots_publish(transaction, qso, member);
    if (result == STORE_DONE)
        result = confirmations_apply(transaction, stored->id, &plan->change);
    return result;
}

static enum store_result end_savepoint(struct transaction *transaction, enum store_result result)
{
    struct store *store = transaction->store;
    if (result == STORE_BUSY || result == STORE_BROKEN)
        return result;
    enum store_result undone = STORE_DONE;
    partners_reset(transaction, NULL);
    if (result == STORE_REFUSED)
        undone = database_run(store->database,
                              database_statement(store->database, STATEMENT_ROLLBACK_TO_ENTRY));
    if (undone == STORE_DONE)
        undone = database_run(store->database,
                              database_statement(store->database, STATEMENT_RELEASE_ENTRY));
    return undone == STORE_DONE ? result : STORE_BROKEN;
}

/* STORE_REFUSED: a rule of the database refused it, which validation should have done; the entry
 * alone is rolled back. */
static enum store_result write_entry(struct transaction *transaction, const struct identity *member,
                                     struct qso *qso, struct stored_qso *stored,
                                     const struct plan *plan)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    if (needs_savepoint(plan))
        result = database_run(store->database,
                              database_statement(store->database, STATEMENT_BEGIN_ENTRY));
    if (result != STORE_DONE)
        return result;
    result = carry_out(transaction, member, qso, stored, plan);
    if (result == STORE_REFUSED)
        log_line("the database refused an entry: %s", sqlite3_errmsg(store->database->handle));
    if (needs_savepoint(plan))
        result = end_savepoint(transaction, result);
    return result;
}

enum store_result store_save_qso(struct transaction *transaction, const struct identity *member,
                                 const struct qso *qso, struct saved_qso *out)
{
    struct store *store = transaction->store;
    struct qso merged = *qso;
    struct stored_qso stored;
    struct plan plan;
    struct match_side side;
    const struct value *spotted_at = &merged.values[FIELD_SPOTTED_AT];
    enum store_result result = merge_stored(store, member, &merged, &stored);
    if (result != STORE_DONE)
        return result;
    plan.publish = wants_spot(qso) && spotted_at->presence != VALUE_PRESENT;
    if (plan.publish)
        result = spots_have_room(transaction, member->member_id, &plan.publish);
    if (result == STORE_DONE)
        result = qsos_revise_log(transaction, member->member_id);
    match_read_side(&merged, member->callsign, &side);
    if (result == STORE_DONE)
        result = confirmations_plan(transaction, member->member_id, &side, stored.confirmed_by,
                                    &plan.change);
    if (member->is_disabled)
        plan.change.made = 0;
    if (side.confirmable)
        partners_reset(transaction, &side.worked);
    if (result == STORE_DONE)
        result = write_entry(transaction, member, &merged, &stored, &plan);
    sqlite3_reset(store->database->statements[STATEMENT_FIND_QSO].handle);
    sqlite3_reset(store->database->statements[STATEMENT_FIND_NAMELESS_QSO].handle);
    if (result == STORE_DONE) {
        out->id = stored.id;
        out->spotted_at_ms = spotted_at->presence == VALUE_PRESENT ? spotted_at->integer : 0;
    }
    return result;
}

enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_NEXT_QSO);
    database_bind_integer(find, ":member_id", member_id);
    database_bind_integer(find, ":before", before_ms);
    database_bind_integer(find, ":synced_at", position->synced_at_ms);
    database_bind_integer(find, ":id", position->id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *position = (struct position){database_read_integer(find, "synced_at"),
                                  database_read_integer(find, "id")};
    *confirmed_by = database_read_integer(find, "confirmed_by");
    sqlite3_reset(find->handle);
    return STORE_DONE;
}

enum store_result qsos_delete(struct transaction *transaction, int64_t id, int64_t confirmed_by)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    if (confirmed_by)
        result = confirmations_end(transaction, id, confirmed_by);
    if (result == STORE_DONE) {
        struct statement *remove = database_statement(store->database, STATEMENT_DELETE_QSO);
        database_bind_integer(remove, ":id", id);
        result = database_run(store->database, remove);
    }
    if (result == STORE_DONE && confirmed_by)
        result = confirmations_pair_again(transaction, confirmed_by);
    return result;
}

enum store_result store_delete_qso(struct transaction *transaction, const struct identity *member,
                                   const unsigned char client_id[UUID_BYTES])
{
    struct store *store = transaction->store;
    struct statement *find = database_statement(store->database, STATEMENT_FIND_QSO);
    database_bind_blob(find, ":client_id", client_id, UUID_BYTES);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    int64_t owner = database_read_integer(find, "member_id");
    int64_t partner = database_read_integer(find, "confirmed_by");
    int64_t id = database_read_integer(find, "id");
    sqlite3_reset(find->handle);
    if (owner != member->member_id)
        return STORE_NONE;

    result = deletions_add(transaction, member->member_id, id);
    if (result == STORE_DONE)
        result = qsos_delete(transaction, id, partner);
    if (result == STORE_DONE)
        result = qsos_revise_log(transaction, member->member_id);
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}
