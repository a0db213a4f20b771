/* The command undo: undoes an act in a log, or everything that a writer has written since a given
 * time, in one log or in all logs. Reports how many QSOs were restored and deleted, and which QSOs
 * were skipped, for example because somebody else has changed them since. Also reports the number
 * with which the undo itself can be undone. src/store/history/undo_plan.c decides what is undone.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "admin/command.h"
#include "admin/output.h"
#include "admin/progress_line.h"
#include "admin/undo_writers.h"
#include "admin/values.h"
#include "base/datetime.h"
#include "base/table.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/fields.h"
#include "store/log/edits.h"
#include "store/people/members.h"
#include "transfer/history.h"

#define PAUSE_NS 5000000

static void read_options(struct undo *undo)
{
    struct invocation *invocation = undo->invocation;
    const char *act = command_option(invocation, "act"), *by = command_option(invocation, "by");
    const bool since = command_has_option(invocation, "since");
    undo->all = command_has_option(invocation, "all");
    undo->dry_run = command_has_option(invocation, "dry-run");
    undo->json = command_has_option(invocation, "json");
    undo->request.takes_all = command_has_option(invocation, "over-others");
    undo->by = by;
    if (undo->all == (invocation->arguments[0] != NULL))
        command_misuse("undo takes either CALLSIGN or --all");
    if (!act == !by || (act && (undo->all || since)) || (by && !since))
        command_misuse("undo needs --by and --since or, for one log, --act");
    if (act && !text_parse_integer(text_of(act), 1, INT64_MAX, &undo->request.act))
        command_misuse("option --act must be a number from the list of qsosync-admin history");
    undo->request.since_ms = command_read_since(invocation);
    undo->request.note =
        text_of(arena_print(invocation->arena, "%s %s", by ? "by" : "act", by ? by : act));
    if (by)
        undo->request.subject = command_read_text("the name", by, HISTORY_SUBJECT_MAX);
    if (by && !text_parse_integer(text_of(by), 1, INT64_MAX, &undo->key_number))
        undo->key_number = 0;
}

static void append_left(struct buffer *out, const struct undo_left *left)
{
    char time[DATETIME_TEXT_LENGTH];
    const struct qso *qso = left->qso;
    struct text worked = qso_text(qso, FIELD_CALLSIGN_WORKED);
    datetime_format(qso->values[FIELD_QSO_AT].integer, time);
    buffer_print(out, "skipped: QSO %lld, %.*s with %.*s, ",
                 (long long)qso->values[FIELD_ID].integer, (int)sizeof time, time,
                 worked.bytes ? (int)worked.length : 1, worked.bytes ? worked.bytes : "-");
    if (left->reason == UNDO_CLIENT_ID_IN_USE)
        buffer_append_string(out, "its clientId now belongs to another QSO\n");
    else if (left->by && left->by->name.bytes)
        buffer_print(out, "changed later by %s %lld, %.*s\n",
                     left->by->writer.kind == WRITER_KEY ? "key" : "writer",
                     (long long)left->by->writer.number, (int)left->by->name.length,
                     left->by->name.bytes);
    else
        buffer_append_string(out, left->by ? "changed later by the operator\n" : "changed later\n");
}

static void note_left(void *context, const struct undo_left *left)
{
    struct undo *undo = context;
    if (undo->json) {
        json_write_element(&undo->left);
        history_append_left(left, &undo->left);
    } else {
        append_left(&undo->left, left);
    }
}

static enum store_result take_slices(struct undo *undo, struct identity *identity)
{
    const struct undo_report report = {.visit = note_left, .context = undo};
    struct store *store = undo->invocation->store;
    enum store_result result =
        store_undo_begin(store, identity->member_id, &undo->request, 0, &undo->state);
    while (result == STORE_DONE && !undo_is_done(&undo->state)) {
        if (undo->dry_run) {
            result = store_undo_preview(store, identity, &undo->request, UNDO_SLICE, &undo->state,
                                        &report);
        } else {
            result = store_undo_slice(store, identity, &undo->request, &undo->state, &report);
            /* Other writers need time to wake up. Without the pause, this process would take the
             * lock again before them. */
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        }
    }
    return result;
}

static bool did_anything(const struct undo_state *state)
{
    return state->restored + state->deleted + state->left > 0;
}

static void print(const struct undo *undo, const struct member *member)
{
    const struct undo_state *state = &undo->state;
    struct buffer out = {0};
    progress_line_clear();
    if (undo->json) {
        buffer_append(&out, "{", 1);
        json_write_fields(
            &out, json_text("callsign", member->callsign),
            json_integer("restored", state->restored), json_integer("deleted", state->deleted),
            json_integer("left", state->left), json_integer_or_null("number", state->number));
        json_begin_array(&out, "leftItems");
    } else {
        if (undo->all)
            buffer_print(&out, "%s\n", member->callsign.bytes);
        buffer_print(&out, "restored %lld\ndeleted %lld\nleft %lld\n", (long long)state->restored,
                     (long long)state->deleted, (long long)state->left);
        if (state->number)
            buffer_print(&out, "number %lld\n", (long long)state->number);
    }
    buffer_append(&out, undo->left.bytes, undo->left.length);
    buffer_append_string(&out, undo->json ? "]}\n" : "");
    output_print(&out, undo->json);
}

static _Noreturn void refuse(const struct undo *undo, const struct member *member,
                             enum store_result result)
{
    const struct undo_state *state = &undo->state;
    if (result == STORE_NONE)
        command_refuse("%s has no act %lld, or the act is too old to undo", member->callsign.bytes,
                       (long long)undo->request.act);
    if (result == STORE_CONFLICT)
        command_refuse("another logbook was restored in the meantime; nothing more was undone");
    command_refuse("the undo for %s did not finish (%lld restored, %lld deleted); run the command "
                   "again for the rest",
                   member->callsign.bytes, (long long)state->restored, (long long)state->deleted);
}

static void undo_log(struct undo *undo, const struct member *member)
{
    struct identity identity = {
        .member_id = member->id, .callsign = member->callsign, .is_disabled = !member->active};
    enum store_result result = STORE_DONE;
    undo->request.writers = undo->writers;
    undo->request.writer_count = 0;
    undo->left.length = 0;
    if (undo->by)
        result = store_list_acts(undo->invocation->store,
                                 &(struct acts_query){.member_id = member->id,
                                                      .from = INT64_MAX,
                                                      .since_ms = undo->request.since_ms,
                                                      .limit = INT64_MAX},
                                 undo_add_writer, undo);
    THEN(result, take_slices(undo, &identity));
    if (result != STORE_DONE)
        refuse(undo, member, result);
    if (undo->request.act && !did_anything(&undo->state))
        command_refuse("nothing is left to undo in act %lld of %s", (long long)undo->request.act,
                       member->callsign.bytes);
    if (!undo->all || did_anything(&undo->state))
        print(undo, member);
}

static void add_number(void *members, const struct member *member)
{
    *(int64_t *)table_at(members, member->callsign) = member->id;
}

/* Undoes writes in one log. With --all, the member may have been deleted meanwhile, and is then
 * skipped. */
static void undo_entry(struct undo *undo, const struct table_entry *entry)
{
    struct invocation *invocation = undo->invocation;
    struct member member;
    enum store_result result = store_find_member_by_number(invocation->store, invocation->arena,
                                                           *(const int64_t *)entry->value, &member);
    if (result == STORE_NONE && undo->all)
        return;
    command_expect(result, STORE_NONE, "no member %s", entry->key.bytes);
    undo_log(undo, &member);
}

/* Undoes the writes that the options name. All logs are searched for the writer before the first
 * change, because a mistyped key must not look like a key that wrote nothing. */
void run_undo(struct invocation *invocation)
{
    struct undo undo = {.invocation = invocation};
    const struct table_entry *entry;
    struct table members;
    table_begin(&members, invocation->arena, sizeof(int64_t));
    read_options(&undo);
    undo.knows_writer = !undo.by || undo_is_by_operator(undo.by);
    if (undo.all)
        command_require_done(store_list_members(invocation->store, add_number, &members));
    else
        add_number(&members, &invocation->member);
    for (entry = members.first; entry; entry = entry->next)
        undo_look_for_writer(&undo, *(const int64_t *)entry->value);
    undo_know_writer(&undo, "operator", 0, (struct text){0});
    if (!undo.knows_writer)
        command_refuse("%s has no key or writer %s; choose one of: %.*s",
                       undo.all ? "the logbook" : members.first->key.bytes, undo.by,
                       (int)undo.names.length, undo.names.bytes);
    for (entry = members.first; entry; entry = entry->next)
        undo_entry(&undo, entry);
    buffer_free(&undo.names);
    buffer_free(&undo.left);
}
