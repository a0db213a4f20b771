/* Writes a QSO into its log. The function save() lists the effects of a write, in the order in
 * which the database needs them. spots.c, edits.c, leftovers.c, makers.c, tombstones.c and
 * page_counts.c store their own rows, and store/confirm decides about the QSO's confirmation. */
#include "store/log/qsos_save.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/uuid.h"
#include "qso/content.h"
#include "qso/match.h"
#include "store/confirm/confirmations.h"
#include "store/confirm/partners.h"
#include "store/log/edits.h"
#include "store/log/leftovers.h"
#include "store/log/makers.h"
#include "store/log/page_counts.h"
#include "store/log/spots.h"
#include "store/log/tombstones.h"
#include "store/store.h"

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

enum write { WRITE_CREATES, WRITE_UPDATES, WRITE_REVIVES };

/* The state while a QSO is saved. */
struct saving {
    struct transaction *transaction;
    const struct identity *member;
    enum write write;
    struct qso qso;        /* new content, completed from the stored QSO */
    struct qso previous;   /* stored content, if the save updates it */
    int64_t id;            /* id of the QSO; 0: not stored yet */
    int64_t confirmed_by;  /* id of the partner's QSO; 0: none */
    int64_t edit;          /* edit that wrote the QSO's new content */
    int64_t previous_edit; /* edit that wrote the stored content; 0: none */
    bool is_changed;       /* whether the save changes stored content */
    bool is_put_back;      /* whether an undo restores content, which belongs to an earlier edit */
    bool publishes;        /* whether the QSO is published as a spot */
    struct text leftovers; /* new extra fields; no text: unchanged */
    struct confirmation_change change;
    struct savepoint {
        bool is_open;
        struct history_edit edit;
        struct page_counting counting;
    } savepoint;
};

static void set_time(struct qso *qso, enum field_index field, int64_t ms)
{
    qso->values[field].integer = ms;
    qso->values[field].state = VALUE_PRESENT;
}

/* Reads the stored QSO, and copies the values that an update leaves unchanged. The texts are valid
 * until store_save_qso resets the statement. */
static enum store_result find_previous(struct saving *saving)
{
    struct store *store = saving->transaction->store;
    struct qso *qso = &saving->qso, *previous = &saving->previous;
    struct statement *find =
        qso->values[FIELD_ID].state == VALUE_PRESENT
            ? store_with(store, STATEMENT_FIND_QSO_BY_ID_AND_TIME,
                         BIND("id", qso->values[FIELD_ID].integer))
            : store_with(store, STATEMENT_FIND_QSO,
                         BIND_BLOB("client_id", qso->values[FIELD_CLIENT_ID].text, UUID_BYTES));
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    if (database_read_integer(find, "member_id") != saving->member->member_id)
        return STORE_CONFLICT;
    columns_read_qso(&store->columns, find, previous);
    saving->write = WRITE_UPDATES;
    saving->id = previous->values[FIELD_ID].integer;
    saving->edit = database_read_integer(find, "edit");
    saving->confirmed_by = database_read_integer(find, "confirmed_by");
    for (int i = 0; i < FIELD_COUNT; i++)
        if ((fields[i].flags & FIELD_READ_ONLY) ||
            ((fields[i].flags & FIELD_KEPT_ON_UPDATE) && qso->values[i].state == VALUE_OMITTED))
            qso->values[i] = previous->values[i];
    saving->is_changed = !content_is_equal(qso, previous);
    return STORE_DONE;
}

/* Compares the extra fields with the stored ones, because equal extra fields are not a change. */
static enum store_result compare_leftovers(struct saving *saving, struct text leftovers)
{
    struct arena arena = {0};
    struct text stored = {0};
    enum store_result result = STORE_DONE;
    if (leftovers.length == 0)
        return STORE_DONE;
    if (saving->id)
        result = store_find_leftovers(saving->transaction->store, saving->member->member_id,
                                      saving->id, &arena, &stored);
    if (!text_equals(leftovers, stored)) {
        saving->leftovers = leftovers;
        saving->is_changed = saving->id != 0;
    }
    arena_free(&arena);
    return result;
}

static enum store_result decide_spot(struct saving *saving)
{
    struct transaction *transaction = saving->transaction;
    const struct value *send_spot = &saving->qso.values[FIELD_SEND_SPOT];
    if (send_spot->state != VALUE_PRESENT || !send_spot->integer ||
        saving->qso.values[FIELD_SPOTTED_AT].state == VALUE_PRESENT)
        return STORE_DONE;
    enum store_result result =
        spots_have_room(transaction, saving->member->member_id, &saving->publishes);
    if (saving->publishes)
        set_time(&saving->qso, FIELD_SPOTTED_AT, transaction->written_at_ms);
    return result;
}

/* Begins an edit for the new content, unless an update changes nothing. */
static enum store_result begin_edit(struct saving *saving)
{
    if (saving->write == WRITE_UPDATES && !saving->is_changed)
        return STORE_DONE;
    enum store_result result = edits_begin(saving->transaction, saving->member,
                                           saving->id ? saving->edit : EDITS_NONE, false);
    saving->previous_edit = saving->edit;
    saving->edit = saving->transaction->edit.number;
    return result;
}

static enum store_result plan_confirmation(struct saving *saving)
{
    struct transaction *transaction = saving->transaction;
    const struct identity *member = saving->member;
    struct match_side side;
    match_read_side(&saving->qso, member->callsign, &side);
    enum store_result result = confirmations_plan(transaction, member->member_id, saving->id, &side,
                                                  saving->confirmed_by, &saving->change);
    if (member->is_disabled)
        saving->change.made = saving->change.claim.made = 0;
    if (side.confirmable)
        partners_reset(transaction, &side.worked);
    return result;
}

/* Begins a savepoint if the entry also writes a spot, a confirmation or page counts, which the
 * database could reject after the QSO was written. Otherwise only the QSO's own statement can be
 * rejected, and undoes its own changes. A savepoint is expensive, because SQLite copies every page
 * that changes inside it. */
static enum store_result begin_entry(struct saving *saving)
{
    const struct transaction *transaction = saving->transaction;
    const struct confirmation_change *change = &saving->change;
    saving->savepoint = (struct savepoint){
        .is_open = saving->publishes || change->ended || change->made || change->claim.ended ||
                   change->claim.made || transaction->counting.is_counted,
        .edit = transaction->edit,
        .counting = transaction->counting};
    return saving->savepoint.is_open ? store_run(transaction->store, STATEMENT_BEGIN_ENTRY)
                                     : STORE_DONE;
}

/* Returns whether the QSO must be counted again for a station's page, which is only necessary if
 * the content changes. */
static bool is_counted_again(const struct saving *saving)
{
    return saving->write != WRITE_UPDATES || saving->is_changed || saving->is_put_back;
}

static enum store_result uncount_former(struct saving *saving)
{
    return saving->write == WRITE_UPDATES && is_counted_again(saving)
               ? page_counts_take(saving->transaction, saving->member->member_id, saving->id)
               : STORE_DONE;
}

static enum store_result run_write(struct saving *saving)
{
    static const enum statement_name writes[] = {[WRITE_CREATES] = STATEMENT_INSERT_QSO,
                                                 [WRITE_UPDATES] = STATEMENT_UPDATE_QSO,
                                                 [WRITE_REVIVES] = STATEMENT_REVIVE_QSO};
    struct store *store = saving->transaction->store;
    const struct identity *member = saving->member;
    struct qso *qso = &saving->qso;
    struct match_callsign worked, station;
    struct statement *write = database_statement(store->database, writes[saving->write]);
    columns_bind_qso(&store->columns, write, qso);
    database_bind(
        write,
        BOUND(BIND("edit", saving->edit),
              BIND("worked_unicode",
                   match_find_unicode_key(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked)),
              BIND("operator_unicode",
                   match_find_unicode_key(qso_text(qso, FIELD_OPERATOR_CALLSIGN), &station))));
    if (saving->write != WRITE_REVIVES)
        database_bind(write, BOUND(BIND_IF(member->credential == CREDENTIAL_TOKEN, "token_id",
                                           member->key_number)));
    if (saving->write == WRITE_UPDATES)
        database_bind(write, BOUND(BIND("is_changed", saving->is_changed)));
    else
        database_bind(write, BOUND(BIND("member_id", member->member_id)));
    return database_run(store->database, write);
}

static enum store_result write_row(struct saving *saving)
{
    struct qso *qso = &saving->qso;
    set_time(qso, FIELD_SYNCED_AT, saving->transaction->stamp_ms);
    if (saving->write == WRITE_CREATES)
        set_time(qso, FIELD_CREATED_AT, saving->transaction->written_at_ms);
    enum store_result result = run_write(saving);
    if (result == STORE_DONE && saving->write == WRITE_CREATES) {
        saving->id = sqlite3_last_insert_rowid(saving->transaction->store->database->handle);
        qso->values[FIELD_ID] = (struct value){.integer = saving->id, .state = VALUE_PRESENT};
    }
    return result;
}

static enum store_result count_again(struct saving *saving)
{
    return is_counted_again(saving)
               ? page_counts_add(saving->transaction, saving->member->member_id, saving->id)
               : STORE_DONE;
}

/* Removes the QSO's tombstone, because the QSO exists again. */
static enum store_result end_deletion(struct saving *saving)
{
    return saving->write == WRITE_UPDATES
               ? STORE_DONE
               : tombstones_remove(saving->transaction, saving->member->member_id, &saving->qso);
}

static enum store_result note_creation(struct saving *saving)
{
    const struct identity *member = saving->member;
    if (saving->write != WRITE_CREATES)
        return STORE_DONE;
    edits_note_creation(saving->transaction, saving->id);
    return makers_note(saving->transaction, member->member_id, saving->id,
                       member->maker.length > 0 ? member->maker : member->operator_callsign);
}

static enum store_result keep_former(struct saving *saving)
{
    const struct edit_change change = {.qso_id = saving->id,
                                       .previous_edit = saving->previous_edit,
                                       .previous = &saving->previous,
                                       .extent = STATE_CHANGE};
    return saving->is_changed ? edits_note(saving->transaction, &change) : STORE_DONE;
}

static enum store_result write_leftovers(struct saving *saving)
{
    if (!saving->is_changed && saving->leftovers.length == 0)
        return STORE_DONE;
    return leftovers_note(saving->transaction, saving->member->member_id, saving->id,
                          saving->previous_edit, saving->leftovers);
}

static enum store_result publish_spot(struct saving *saving)
{
    return saving->publishes ? spots_publish(saving->transaction, &saving->qso, saving->member)
                             : STORE_DONE;
}

/* Ends the entry. Rolls the entry back if a rule in the database rejects it. Validation should have
 * rejected the entry first, so a line in the system log reports the rejection. */
static enum store_result end_entry(struct saving *saving, enum store_result result)
{
    struct transaction *transaction = saving->transaction;
    struct store *store = transaction->store;
    enum store_result ended = STORE_DONE;
    if (result == STORE_REFUSED) {
        log_line("the database rejected an entry: %s", sqlite3_errmsg(store->database->handle));
        transaction->edit = saving->savepoint.edit;
        transaction->counting = saving->savepoint.counting;
    }
    if (!saving->savepoint.is_open || result == STORE_BUSY || result == STORE_BROKEN)
        return result;
    partners_reset(transaction, NULL);
    if (result == STORE_REFUSED)
        ended = store_run(store, STATEMENT_ROLLBACK_TO_ENTRY);
    THEN(ended, store_run(store, STATEMENT_RELEASE_ENTRY));
    return ended == STORE_DONE ? result : STORE_BROKEN;
}

static enum store_result save(struct saving *saving)
{
    struct transaction *transaction = saving->transaction;
    enum store_result result = qsos_revise_log(transaction, saving->member->member_id);
    THEN(result, page_counts_find(transaction, saving->member->member_id));
    THEN(result, plan_confirmation(saving));
    if (result != STORE_DONE)
        return result;
    result = begin_entry(saving);
    THEN(result, uncount_former(saving));
    THEN(result, write_row(saving));
    THEN(result, count_again(saving));
    THEN(result, end_deletion(saving));
    THEN(result, note_creation(saving));
    THEN(result, keep_former(saving));
    THEN(result, write_leftovers(saving));
    THEN(result, publish_spot(saving));
    THEN(result, confirmations_apply(transaction, saving->id, &saving->change));
    return end_entry(saving, result);
}

enum store_result store_save_qso(struct transaction *transaction, const struct identity *member,
                                 const struct qso *qso, struct text leftovers,
                                 struct saved_qso *out)
{
    struct database *database = transaction->store->database;
    struct saving saving = {.transaction = transaction, .member = member, .qso = *qso};
    enum store_result result = find_previous(&saving);
    THEN(result, compare_leftovers(&saving, leftovers));
    THEN(result, decide_spot(&saving));
    THEN(result, begin_edit(&saving));
    THEN(result, save(&saving));
    sqlite3_reset(database->statements[STATEMENT_FIND_QSO].handle);
    sqlite3_reset(database->statements[STATEMENT_FIND_QSO_BY_ID_AND_TIME].handle);
    if (result == STORE_DONE) {
        const struct value *spotted_at = &saving.qso.values[FIELD_SPOTTED_AT];
        out->id = saving.id;
        out->spotted_at_ms = spotted_at->state == VALUE_PRESENT ? spotted_at->integer : 0;
    }
    return result;
}

enum store_result qsos_put_back(struct transaction *transaction, const struct identity *member,
                                const struct qso *qso, int64_t edit, bool is_there,
                                int64_t confirmed_by)
{
    struct saving saving = {.transaction = transaction,
                            .member = member,
                            .write = is_there ? WRITE_UPDATES : WRITE_REVIVES,
                            .qso = *qso,
                            .id = qso->values[FIELD_ID].integer,
                            .confirmed_by = confirmed_by,
                            .edit = edit,
                            .is_put_back = true};
    return save(&saving);
}
