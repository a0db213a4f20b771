/* Restores one member's log from a backup, while all others continue.
 *
 * All changes are ordinary writes in short transactions. Clients learn of them as of any other
 * write, and the next run continues an interrupted one. QSOs are restored first and removed last,
 * so that the log never has fewer QSOs than at the end. candidate.c checks the backup. */
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/uuid.h"
#include "database/copy.h"
#include "database/result.h"
#include "qso/content.h"
#include "recovery/candidate.h"
#include "recovery/carry_over.h"
#include "recovery/check.h"
#include "recovery/restore.h"
#include "store/log/edits.h"
#include "store/log/known.h"
#include "store/log/leftovers.h"
#include "store/log/logbook.h"
#include "store/log/makers.h"
#include "store/log/qsos.h"
#include "store/log/qsos_delete.h"
#include "store/log/qsos_save.h"
#include "store/people/members.h"
#include "store/storage.h"
#include "store/store.h"
#include "store/transaction.h"

/* -- QSOs without a clientId ------------------------------------------------------------------- */

/* Assigns clientIds to QSOs from before synchronisation when one log is restored. Without a
 * clientId they could not be distinguished from QSOs in the log. A clientId is derived from the
 * QSO's id and from secret times. */

#define NAME_BYTES 96

static const unsigned char namespace[UUID_BYTES] = {0x8c, 0x3f, 0x5e, 0x21, 0x0b, 0x74, 0x4d, 0x9a,
                                                    0x96, 0x5d, 0x1e, 0xc2, 0x70, 0x38, 0xaf, 0x46};

struct qso_without_client_id {
    int64_t member_id, created_at_ms;
};

/* STORE_NONE: no QSO without a clientId has this id. */
static enum store_result find_by_id_and_time(struct store *store, int64_t id,
                                             struct qso_without_client_id *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(qso_without_client_id, member_id, "member_id"),
                COLUMN(qso_without_client_id, created_at_ms, "created_at"));
    return store_find(store, columns, NULL, out, STATEMENT_FIND_QSO_BY_ID_AND_TIME, BIND("id", id));
}

static bool keep_without_client_id(void *context, int64_t id, const unsigned char *client_id)
{
    if (!client_id)
        buffer_append(context, &id, sizeof id);
    return true;
}

static enum store_result name_if_missing(struct store *candidate, const struct member *former,
                                         struct store *store, const struct member *member,
                                         int64_t id)
{
    unsigned char uuid[UUID_BYTES];
    char name[NAME_BYTES];
    struct qso_without_client_id found, present = {0};
    enum store_result result = find_by_id_and_time(candidate, id, &found);
    THEN(result, find_by_id_and_time(store, id, &present));
    if (result != STORE_NONE &&
        (result != STORE_DONE ||
         (present.member_id == member->id && present.created_at_ms == found.created_at_ms)))
        return result;
    format_cut(name, sizeof name, "%lld|%lld|%lld|%lld", (long long)former->id,
               (long long)former->created_at_ms, (long long)id, (long long)found.created_at_ms);
    uuid_make_named(namespace, text_of(name), uuid);
    return store_run(candidate, STATEMENT_UPDATE_CLIENT_ID, BIND("id", id),
                     BIND_BLOB("client_id", uuid, sizeof uuid));
}

/* Assigns a clientId to each such QSO in the copy of the backup that the member's log lacks; every
 * run assigns the same one. A restored QSO gets another id, so nothing else would identify it
 * later. A QSO that the log has is identified by its id and the time when it was saved, and stays
 * unchanged. */
static enum store_result give_missing_client_ids(struct store *candidate,
                                                 const struct member *former, struct store *store,
                                                 const struct member *member)
{
    struct buffer ids = {0};
    enum store_result result = store_list_ids(candidate, former->id, keep_without_client_id, &ids);
    for (size_t i = 0; i < ids.length; i += sizeof(int64_t)) {
        int64_t id;
        memcpy(&id, ids.bytes + i, sizeof id);
        THEN(result, name_if_missing(candidate, former, store, member, id));
    }
    buffer_free(&ids);
    return result;
}

/* -- The log ----------------------------------------------------------------------------------- */

#define SLICE 500 /* QSOs per transaction, while other writers wait */

struct work {
    struct store *store; /* the logbook */
    struct candidate prepared;
    struct store *candidate; /* the private copy of the backup */
    const struct member *member;
    struct member former; /* the same member in the backup */
    struct identity identity;
    struct arena *arena;
    struct arena slice;      /* for one slice of the log */
    int64_t last_id;         /* the last QSO of the logbook before the work began */
    struct buffer to_delete; /* ids that the backup lacks */
    /* for the present slice */
    bool writes;
    struct transaction transaction; /* the open transaction */
    int64_t count;
    struct position last;
    struct restored_log tally;
    enum store_result result;
};

/* -- The member in the backup ------------------------------------------------------------------ */

static enum store_result has_same(struct store *store, const struct member *member, bool *found)
{
    return store_has(store, found, STATEMENT_FIND_DELETED_MEMBER, BIND("id", member->id),
                     BIND("created_at", member->created_at_ms));
}

/* Finds the member by number and the time of being added, because callsigns may have changed since.
 * Otherwise by callsign, for a member who was deleted and added again. STORE_NONE: the backup lacks
 * the member, or the callsign then belonged to a member who now has another one. */
static enum store_result find_former(struct work *work)
{
    struct member *former = &work->former;
    struct text callsign = work->member->callsign;
    bool is_same = false, is_another = false;
    enum store_result result = has_same(work->candidate, work->member, &is_same);
    if (is_same)
        result =
            store_find_member_by_number(work->candidate, work->arena, work->member->id, former);
    THEN(result, store_find_member(work->candidate, work->arena,
                                   is_same ? former->callsign : callsign, former));
    if (!is_same)
        THEN(result, has_same(work->store, former, &is_another));
    return is_another ? STORE_NONE : result;
}

/* Two clubs may have members with the same callsign. */
static enum store_result refuse_other(struct work *work, struct restored_log *out)
{
    enum logbook_relation relation;
    enum store_result result = carry_over_compare(work->store, work->candidate, &relation);
    if (result != STORE_DONE || relation == RELATION_SAME)
        return result;
    store_read_side(work->store, work->arena, &out->present);
    store_read_side(work->candidate, work->arena, &out->backup);
    return STORE_REFUSED;
}

/* -- Restored QSOs ----------------------------------------------------------------------------- */

static enum store_result find_present(struct work *work, const struct qso *qso, struct qso *present)
{
    const struct value *client_id = &qso->values[FIELD_CLIENT_ID];
    if (client_id->state == VALUE_PRESENT)
        return store_find_qso(work->store, work->member->id, (const unsigned char *)client_id->text,
                              &work->slice, present);
    return store_find_qso_by_id_and_time(
        work->store, work->member->id, qso->values[FIELD_ID].integer,
        qso->values[FIELD_CREATED_AT].integer, &work->slice, present);
}

/* Data about a QSO that is restored under another id. */
struct bringing {
    struct work *work;
    int64_t id;
    enum store_result result;
};

static void bring_record(void *context, const struct known_row *row)
{
    struct bringing *bringing = context;
    THEN(bringing->result, store_write_known(&bringing->work->transaction,
                                             bringing->work->member->id, bringing->id, false, row));
}

static void bring_program_id(void *context, struct contact_id id)
{
    struct bringing *bringing = context;
    THEN(bringing->result, store_write_program_id(&bringing->work->transaction,
                                                  bringing->work->member->id, bringing->id, id));
}

static enum store_result bring_known(struct work *work, int64_t former_id, int64_t id)
{
    struct bringing bringing = {.work = work, .id = id};
    enum store_result result =
        store_list_known(work->candidate, work->former.id, former_id, bring_record, &bringing);
    THEN(result, store_list_programs(work->candidate, work->former.id, former_id, bring_program_id,
                                     &bringing));
    return THEN(result, bringing.result);
}

/* Fields that the service itself sets are left out, except the id of a QSO without a clientId. Thus
 * no spot is published twice, and the confirmation is evaluated again. */
static enum store_result write_back(struct work *work, const struct qso *qso, struct text leftovers,
                                    bool is_there)
{
    struct qso written = *qso;
    struct saved_qso saved;
    struct text maker;
    bool by_id = qso->values[FIELD_CLIENT_ID].state != VALUE_PRESENT;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!content_has(&fields[i]) && !(i == FIELD_ID && by_id))
            written.values[i] = (struct value){.state = VALUE_OMITTED};
    enum store_result result =
        store_save_qso(&work->transaction, &work->identity, &written, leftovers, &saved);
    if (is_there)
        return result;
    THEN(result, store_run(work->store, STATEMENT_UPDATE_CREATED_AT, BIND("id", saved.id),
                           BIND("created_at", qso->values[FIELD_CREATED_AT].integer)));
    /* In a station's log: the operator who made the QSO. */
    THEN(result, store_find_maker(work->candidate, &work->slice, work->former.id,
                                  qso->values[FIELD_ID].integer, &maker));
    THEN(result, makers_note(&work->transaction, work->member->id, saved.id, maker));
    return THEN(result, bring_known(work, qso->values[FIELD_ID].integer, saved.id));
}

/* Finds the QSO's extra fields in the backup, and whether the present QSO lacks them. */
static enum store_result compare_leftovers(struct work *work, const struct qso *qso,
                                           const struct qso *present, struct text *leftovers,
                                           bool *are_missing)
{
    struct text kept = {0};
    enum store_result result = store_find_leftovers(
        work->candidate, work->former.id, qso->values[FIELD_ID].integer, &work->slice, leftovers);
    if (result == STORE_DONE && leftovers->length > 0 && present)
        result = store_find_leftovers(work->store, work->member->id,
                                      present->values[FIELD_ID].integer, &work->slice, &kept);
    *are_missing = leftovers->length > 0 && !text_equals(*leftovers, kept);
    return result;
}

/* Leaves out extra fields if the member's storage is full. */
static enum store_result make_room(struct work *work, struct text *leftovers, bool *are_missing)
{
    bool fits = true;
    enum store_result result = STORE_DONE;
    if (*are_missing && work->writes)
        result = store_make_room(&work->transaction, work->member->id,
                                 STORAGE_OF_LEFTOVERS + (int64_t)leftovers->length, &fits);
    if (fits)
        return result;
    work->tally.without_fields++;
    *leftovers = (struct text){0};
    *are_missing = false;
    return result;
}

static void compare_qso(void *context, const struct qso *qso)
{
    struct work *work = context;
    struct qso present;
    struct text leftovers;
    bool are_missing;
    work->count++;
    work->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
    if (work->result != STORE_DONE)
        return;
    if (!sound_is_qso(qso)) {
        work->tally.damaged++;
        return;
    }
    enum store_result result = find_present(work, qso, &present);
    bool is_there = result == STORE_DONE;
    int64_t *tally = is_there ? &work->tally.changed_back : &work->tally.restored;
    enum store_result compared =
        compare_leftovers(work, qso, is_there ? &present : NULL, &leftovers, &are_missing);
    THEN(compared, make_room(work, &leftovers, &are_missing));
    if (compared != STORE_DONE)
        result = compared;
    else if (is_there && content_is_equal(qso, &present) && !are_missing)
        tally = &work->tally.unchanged;
    else if ((is_there || result == STORE_NONE))
        result = work->writes ? write_back(work, qso, leftovers, is_there) : STORE_DONE;
    if (result == STORE_CONFLICT || result == STORE_REFUSED) {
        tally = result == STORE_CONFLICT ? &work->tally.left : &work->tally.damaged;
        result = STORE_DONE;
    }
    ++*tally;
    work->result = result;
}

static enum store_result compare_slice(struct work *work, struct position after)
{
    work->count = 0;
    work->tally = (struct restored_log){0};
    work->result = STORE_DONE;
    enum store_result result =
        store_list_qsos(work->candidate, work->former.id, after, SLICE, compare_qso, work);
    arena_reset(&work->slice);
    return THEN(result, work->result);
}

/* Begins a transaction for the member, who may have been deleted meanwhile. */
static enum store_result begin_slice(struct work *work)
{
    enum store_result result = store_begin_write(work->store, &work->transaction);
    bool is_there = false;
    if (result != STORE_DONE)
        return result;
    store_describe_work(&work->transaction, WORK_RESTORE, (struct text){0});
    result = has_same(work->store, work->member, &is_there);
    if (is_there)
        return STORE_DONE;
    store_rollback(&work->transaction);
    if (result == STORE_DONE)
        log_line("%s: the member was deleted in the meantime", work->store->database->path);
    return STORE_BROKEN;
}

/* Compares in a snapshot first, so that nobody has to wait for a slice without differences. */
static enum store_result restore_slice(struct work *work, struct position after)
{
    int64_t now_ms = clock_wall_ms();
    work->writes = false;
    enum store_result result = store_begin_read(work->store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = compare_slice(work, after);
    store_end_read(work->store);
    if (result != STORE_DONE || work->tally.restored + work->tally.changed_back == 0)
        return result;
    result = begin_slice(work);
    if (result != STORE_DONE)
        return result;
    work->writes = true;
    return store_finish(&work->transaction, compare_slice(work, after));
}

static enum store_result restore_qsos(struct work *work, struct restored_log *out)
{
    struct position after = {0};
    int64_t done = 0;
    progress_begin("restoring the log");
    do {
        enum store_result result = restore_slice(work, after);
        if (result != STORE_DONE)
            return result;
        out->restored += work->tally.restored;
        out->changed_back += work->tally.changed_back;
        out->without_fields += work->tally.without_fields;
        out->unchanged += work->tally.unchanged;
        out->left += work->tally.left;
        out->damaged += work->tally.damaged;
        after = work->last;
        done += work->count;
        progress_step(done, work->former.qso_count);
    } while (work->count == SLICE);
    return STORE_DONE;
}

/* -- Removed QSOs ------------------------------------------------------------------------------ */

static enum store_result find_in_backup(struct work *work, int64_t id,
                                        const unsigned char *client_id)
{
    struct qso_without_client_id nameless = {0};
    enum store_result result =
        client_id
            ? store_find_integer(work->candidate, "member_id", &nameless.member_id,
                                 STATEMENT_FIND_QSO, BIND_BLOB("client_id", client_id, UUID_BYTES))
            : find_by_id_and_time(work->candidate, id, &nameless);
    return result == STORE_DONE && nameless.member_id != work->former.id ? STORE_NONE : result;
}

/* QSOs logged since the work began stay. */
static bool judge_id(void *context, int64_t id, const unsigned char *client_id)
{
    struct work *work = context;
    enum store_result result =
        id > work->last_id ? STORE_DONE : find_in_backup(work, id, client_id);
    if (result == STORE_NONE)
        buffer_append(&work->to_delete, &id, sizeof id);
    else
        work->result = result;
    return result == STORE_NONE || result == STORE_DONE;
}

static enum store_result list_to_delete(struct work *work)
{
    int64_t now_ms = clock_wall_ms();
    work->result = STORE_DONE;
    enum store_result result = store_begin_read(work->store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = store_list_ids(work->store, work->member->id, judge_id, work);
    store_end_read(work->store);
    return THEN(result, work->result);
}

static enum store_result delete_listed(struct work *work, struct restored_log *out)
{
    const int64_t *id = (const int64_t *)(const void *)work->to_delete.bytes, *first = id;
    const int64_t *end = id + work->to_delete.length / sizeof *id;
    enum store_result result = STORE_DONE;
    progress_begin("deleting QSOs that the backup lacks");
    while (id < end && result == STORE_DONE) {
        int64_t deleted = 0;
        result = begin_slice(work);
        if (result != STORE_DONE)
            return result;
        for (int i = 0; i < SLICE && id < end && result == STORE_DONE; i++) {
            result = qsos_delete_own(&work->transaction, &work->identity, *id++);
            deleted += result == STORE_DONE;
            result = result == STORE_NONE ? STORE_DONE : result; /* deleted meanwhile */
        }
        result = store_finish(&work->transaction, result);
        out->deleted += result == STORE_DONE ? deleted : 0;
        progress_step(id - first, end - first);
    }
    return result;
}

/* -- The whole restore ------------------------------------------------------------------------- */

static enum store_result restore_log(struct work *work, struct restored_log *out)
{
    enum store_result result =
        store_find_integer(work->store, "id", &work->last_id, STATEMENT_FIND_LAST_QSO_ID);
    THEN(result,
         copy_keep(work->store->database->path, candidate_name_kept(&work->prepared, work->arena),
                   work->arena, &out->kept));
    THEN(result,
         give_missing_client_ids(work->candidate, &work->former, work->store, work->member));
    THEN(result, restore_qsos(work, out));
    THEN(result, list_to_delete(work));
    THEN(result, delete_listed(work, out));
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
    THEN(result, find_former(&work));
    THEN(result, restore_log(&work, out));
    candidate_end(&work.prepared);
    arena_free(&work.slice);
    buffer_free(&work.to_delete);
    return result;
}
