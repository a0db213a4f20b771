/* The commands history, which tells who wrote into a log, newest first, and undo, which takes it
 * back for one member or for all. What each act changed is shown by the member's page; what is
 * taken back, and what was changed since and stays, src/store/undo_plan.c decides. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/datetime.h"
#include "json/write.h"
#include "qso/fields.h"
#include "store/history.h"
#include "store/keys.h"
#include "transfer/everything.h"

/* The command undo: takes back an act of a log, or all that somebody wrote since a time, for one
 * member or for all. It tells what was done, what was left because somebody else has changed it
 * since, and the number by which it can be taken back itself. */

#define PAUSE_NS 5000000

#define WRITERS_MAX 100

struct undo {
    struct invocation *invocation;
    struct undo_wish wish;
    struct writer writers[WRITERS_MAX];
    int64_t key_number; /* 0: the option names no number */
    const char *by;
    bool dry_run, json;
    struct undo_state state; /* of the present member */
    struct buffer left;      /* QSOs of the present member, as they are printed */
    int64_t members;         /* whose logs were looked at */
};

/* -- What the command line says ---------------------------------------------------------------- */

static int read_options(struct undo *undo)
{
    struct invocation *invocation = undo->invocation;
    const char *act = command_option(invocation, "act"), *by = command_option(invocation, "by"),
               *since = command_option(invocation, "since");
    bool all = command_has_option(invocation, "all"), member = invocation->arguments[0] != NULL;
    undo->dry_run = command_has_option(invocation, "dry-run");
    undo->json = command_has_option(invocation, "json");
    undo->wish.takes_all = command_has_option(invocation, "over-others");
    undo->by = by;
    if (all == member)
        return command_misuse("undo takes a callsign, or --all");
    if (!act == !by || (act && (all || since)) || (by && !since))
        return command_misuse("undo takes --by and --since, or for one log --act");
    if (act && !text_parse_integer(text_of(act), 1, INT64_MAX, &undo->wish.act))
        return command_misuse("option --act takes a number that history shows");
    if (since && !command_read_time(since, &undo->wish.since_ms))
        return command_misuse("option --since takes a date as 2026-05-17, or a date and time as "
                              "2026-05-17T19:42:00Z");
    if (by && !command_read_text("the name", by, HISTORY_SUBJECT_MAX, &undo->wish.subject))
        return EXIT_REFUSED;
    if (by && !text_parse_integer(text_of(by), 1, INT64_MAX, &undo->key_number))
        undo->key_number = 0;
    return EXIT_DONE;
}

static bool is_operator(const char *by)
{
    return strcasecmp(by, "operator") == 0;
}

/* Who of a log's writers is meant: a key by its number, or anybody by name. */
static bool is_meant(const struct undo *undo, const struct act *act)
{
    const struct writer *writer = &act->writer;
    return undo->key_number ? writer->kind == WRITER_KEY && writer->number == undo->key_number
           : writer->kind == WRITER_OPERATOR ? is_operator(undo->by)
                                             : text_equals(act->name, undo->wish.subject);
}

static void find_writer(void *context, const struct act *act)
{
    struct undo *undo = context;
    const struct writer *writer = &act->writer;
    bool meant = is_meant(undo, act);
    for (size_t i = 0; i < undo->wish.writer_count; i++)
        meant = meant && (undo->writers[i].kind != writer->kind ||
                          undo->writers[i].number != writer->number);
    if (meant && undo->wish.writer_count < WRITERS_MAX)
        undo->writers[undo->wish.writer_count++] = *writer;
}

/* -- Whether there is such a writer ------------------------------------------------------------ */

#define NAMES_MAX 300 /* bytes of them in a refusal */

struct writers_known {
    struct undo *undo;
    bool found;
    struct buffer names;
};

static void know_writer(struct writers_known *known, const char *kind, int64_t number,
                        struct text name)
{
    if (known->names.length > NAMES_MAX)
        return;
    buffer_append_string(&known->names, known->names.length > 0 ? ", " : "");
    buffer_print(&known->names, number ? "%s %lld (%.*s)" : "%s", kind, (long long)number,
                 (int)name.length, name.bytes ? name.bytes : "");
}

static void know_key(void *context, const struct key *key)
{
    struct writers_known *known = context;
    const struct undo *undo = known->undo;
    known->found = known->found || (undo->key_number ? key->scope && key->number == undo->key_number
                                                     : text_equals(key->name, undo->wish.subject));
    know_writer(known, key->scope ? "key" : "upload token", key->number, key->name);
}

/* Sessions, which end, and what has been revoked long ago are known by what they wrote alone. */
static void know_act(void *context, const struct act *act)
{
    struct writers_known *known = context;
    known->found = known->found || is_meant(known->undo, act);
}

/* A mistyped key must not look like one that wrote nothing. */
static enum store_result look_for_writer(struct writers_known *known, int64_t member_id)
{
    struct store *store = known->undo->invocation->store;
    enum store_result result = store_list_keys(store, CREDENTIAL_KEY, member_id, know_key, known);
    if (result == STORE_DONE)
        result = store_list_keys(store, CREDENTIAL_TOKEN, member_id, know_key, known);
    if (result == STORE_DONE && !known->found)
        result =
            store_list_acts(store, member_id, INT64_MAX, INT64_MIN, INT64_MAX, know_act, known);
    return result;
}

static int refuse_unknown(struct writers_known *known, const char *whose)
{
    know_writer(known, "operator", 0, (struct text){0});
    const int status =
        command_refuse("%s has no key or writer %s; there are: %.*s", whose, known->undo->by,
                       (int)known->names.length, known->names.bytes);
    buffer_free(&known->names);
    return status;
}

/* -- One log ----------------------------------------------------------------------------------- */

static void append_left(struct buffer *out, const struct undo_left *left)
{
    char time[DATETIME_TEXT_LENGTH];
    const struct qso *qso = left->qso;
    struct text worked = qso_text(qso, FIELD_CALLSIGN_WORKED);
    datetime_format(qso->values[FIELD_QSO_AT].integer, time);
    buffer_print(out, "left: QSO %lld, %.*s with %.*s, ", (long long)qso->values[FIELD_ID].integer,
                 (int)sizeof time, time, worked.bytes ? (int)worked.length : 1,
                 worked.bytes ? worked.bytes : "-");
    if (left->reason == UNDO_CLIENT_ID_IN_USE)
        buffer_append_string(out, "whose clientId another QSO has\n");
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
    if (!undo->json) {
        append_left(&undo->left, left);
        return;
    }
    json_write_element(&undo->left);
    history_append_left(left, &undo->left);
}

static enum store_result take_slices(struct undo *undo, struct identity *identity)
{
    struct store *store = undo->invocation->store;
    enum store_result result =
        store_undo_begin(store, identity->member_id, &undo->wish, 0, &undo->state);
    while (result == STORE_DONE && !undo_is_done(&undo->state)) {
        if (undo->dry_run) {
            result = store_undo_preview(store, identity, &undo->wish, UNDO_SLICE, &undo->state,
                                        note_left, undo);
        } else {
            result = store_undo_slice(store, identity, &undo->wish, &undo->state, note_left, undo);
            /* Who takes the lock again at once is before those who have to wake up first. */
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        }
    }
    return result;
}

static bool did_anything(const struct undo_state *state)
{
    return state->restored + state->deleted + state->left > 0;
}

static void print_json(const struct undo *undo, const struct member *member)
{
    const struct undo_state *state = &undo->state;
    struct buffer out = {0};
    buffer_append(&out, "{", 1);
    json_write_text(&out, "callsign", member->callsign);
    json_write_integer(&out, "restored", state->restored);
    json_write_integer(&out, "deleted", state->deleted);
    json_write_integer(&out, "left", state->left);
    json_write_fields(&out, json_integer_or_null("number", state->number));
    json_begin_array(&out, "leftItems");
    buffer_append(&out, undo->left.bytes, undo->left.length);
    buffer_append_string(&out, "]}\n");
    command_print(&out);
}

static void print(const struct undo *undo, const struct member *member)
{
    const struct undo_state *state = &undo->state;
    progress_line_clear();
    if (undo->json) {
        print_json(undo, member);
        return;
    }
    if (command_has_option(undo->invocation, "all"))
        printf("%s\n", member->callsign.bytes);
    printf("restored %lld\ndeleted %lld\nleft %lld\n", (long long)state->restored,
           (long long)state->deleted, (long long)state->left);
    if (state->number)
        printf("number %lld\n", (long long)state->number);
    if (undo->left.length > 0)
        fwrite(undo->left.bytes, 1, undo->left.length, stdout);
}

static int refuse(const struct undo *undo, const struct member *member, enum store_result result)
{
    const struct undo_state *state = &undo->state;
    if (result == STORE_NONE)
        return command_refuse("%s has no act %lld, or it is too old to undo",
                              member->callsign.bytes, (long long)undo->wish.act);
    if (result == STORE_CONFLICT)
        return command_refuse("another logbook was restored meanwhile; nothing more was undone");
    return command_refuse("%s: taking back did not come to its end; %lld restored and %lld deleted "
                          "are saved, the rest can be undone again",
                          member->callsign.bytes, (long long)state->restored,
                          (long long)state->deleted);
}

static int note(const struct undo *undo, const struct member *member)
{
    const char *by = undo->by ? undo->by : command_option(undo->invocation, "act");
    const char *details = arena_print(undo->invocation->arena, "%s %s, number %lld",
                                      undo->by ? "by" : "act", by, (long long)undo->state.number);
    return note_act_done(undo->invocation, "undo", member->callsign, details);
}

static int take_back(struct undo *undo, const struct member *member)
{
    struct identity identity = {
        .member_id = member->id, .callsign = member->callsign, .is_disabled = !member->active};
    enum store_result result = STORE_DONE;
    undo->wish.writers = undo->writers;
    undo->wish.writer_count = 0;
    undo->left.length = 0;
    undo->members++;
    if (undo->by)
        result = store_list_acts(undo->invocation->store, member->id, INT64_MAX,
                                 undo->wish.since_ms, INT64_MAX, find_writer, undo);
    if (result == STORE_DONE)
        result = take_slices(undo, &identity);
    if (result != STORE_DONE)
        return refuse(undo, member, result);
    if (undo->wish.act && !did_anything(&undo->state))
        return command_refuse("of act %lld of %s nothing is left to undo",
                              (long long)undo->wish.act, member->callsign.bytes);
    int noted = undo->state.number ? note(undo, member) : EXIT_DONE;
    if (!command_has_option(undo->invocation, "all") || did_anything(&undo->state))
        print(undo, member);
    return noted;
}

/* -- All logs ---------------------------------------------------------------------------------- */

struct members {
    struct arena *arena;
    struct member_entry {
        struct member_entry *next;
        struct member member;
    } * first, **end;
};

static void add_member(void *context, const struct member *member)
{
    struct members *members = context;
    struct member_entry *entry = arena_allocate_zeroed(members->arena, sizeof *entry);
    entry->member = *member;
    entry->member.callsign.bytes =
        arena_copy(members->arena, member->callsign.bytes, member->callsign.length);
    *members->end = entry;
    members->end = &entry->next;
}

static int take_back_all(struct undo *undo)
{
    struct members members = {.arena = undo->invocation->arena};
    int status = EXIT_DONE;
    members.end = &members.first;
    struct writers_known known = {.undo = undo, .found = undo->by && is_operator(undo->by)};
    enum store_result result = store_list_members(undo->invocation->store, add_member, &members);
    for (const struct member_entry *entry = members.first;
         entry && result == STORE_DONE && !known.found; entry = entry->next)
        result = look_for_writer(&known, entry->member.id);
    if (result == STORE_DONE && !known.found)
        return refuse_unknown(&known, "the logbook");
    buffer_free(&known.names);
    if (result != STORE_DONE)
        return command_finish(result);
    for (const struct member_entry *entry = members.first; entry && status == EXIT_DONE;
         entry = entry->next)
        status = take_back(undo, &entry->member);
    return status;
}

static int take_back_one(struct undo *undo, const struct member *member)
{
    struct writers_known known = {.undo = undo, .found = !undo->by || is_operator(undo->by)};
    if (!known.found && look_for_writer(&known, member->id) != STORE_DONE)
        return EXIT_REFUSED;
    if (!known.found)
        return refuse_unknown(&known, member->callsign.bytes);
    buffer_free(&known.names);
    return take_back(undo, member);
}

static int undo_run(struct invocation *invocation)
{
    struct undo undo = {.invocation = invocation};
    int status = read_options(&undo);
    if (status != EXIT_DONE)
        return status;
    if (command_has_option(invocation, "all"))
        status = take_back_all(&undo);
    else
        status = take_back_one(&undo, &invocation->member);
    buffer_free(&undo.left);
    return status == EXIT_DONE ? command_finish_output() : status;
}

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 1000000

/* Without the first if it is no station's log. */
static const struct column act_columns[] = {
    {"OPERATOR", "operator", CELL_TEXT},
    {"ACT", "number", CELL_NUMBER},
    {"BEGAN", "beganAt", CELL_TIME},
    {"ENDED", "endedAt", CELL_TIME},
    {"BY", "by", CELL_TEXT},
    {"NUMBER", "byNumber", CELL_NUMBER},
    {"NAME", "byName", CELL_TEXT},
    {"WORK", "work", CELL_TEXT},
    {"OF", "subject", CELL_TEXT},
    {"TAKES BACK", "takesBack", CELL_NUMBER},
    {"NEW", "created", CELL_NUMBER},
    {"CHANGED", "changed", CELL_NUMBER},
    {"DELETED", "deleted", CELL_NUMBER},
    {"CAME BACK", "revived", CELL_NUMBER},
    {"TOO OLD", "tooOld", CELL_FLAG},
    {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct act *act)
{
    struct listing *listing = context;
    listing_add(listing, cell(act->maker), cell(act->number), cell(act->began_ms),
                cell(act->ended_ms), cell(text_of(history_writer_name(act->writer.kind))),
                cell_if(act->writer.number != 0, act->writer.number), cell(act->name),
                cell(text_of(history_work_name(act->work))), cell(act->subject),
                cell_if(act->takes_back != 0, act->takes_back), cell(act->created),
                cell(act->changed), cell(act->deleted), cell(act->revived), cell(act->is_too_old));
}

static int run(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    struct listing listing = {
        .columns = act_columns, .hidden = !member->is_station, .arena = invocation->arena};
    int64_t limit = LIMIT_DEFAULT;
    if (!command_read_number(invocation, "limit", LIMIT_MAX, &limit))
        return EXIT_USAGE;
    enum store_result result = store_list_acts(invocation->store, member->id, INT64_MAX, INT64_MIN,
                                               limit, add_row, &listing);
    return listing_finish(invocation, &listing, result);
}

const struct command history_commands[] = {
    {"history", "CALLSIGN [--limit NUMBER] [--json]", "list who wrote into a log, newest first",
     .opening = OPENS_TO_READ, .of_member = true, .run = run},
    {"undo",
     "CALLSIGN | --all [--by KEY --since TIME] [--act NUMBER] [--over-others] [--dry-run] "
     "[--json]",
     "undo what somebody wrote into a log", .of_member = true, .run = undo_run},
    {0},
};
