/* Writes all data about a member as JSON. The store reads the data, and the callers check who may
 * see the data. */
#include "transfer/member_export.h"

#include "adif/leftovers.h"
#include "adif/record.h"
#include "base/arena.h"
#include "base/base64.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/fields.h"
#include "qso/render.h"
#include "store/history/acts.h"
#include "store/history/changes.h"
#include "store/log/cards.h"
#include "store/log/leftovers.h"
#include "store/log/logbook.h"
#include "store/log/qsos.h"
#include "store/people/members.h"
#include "store/people/personal_data.h"
#include "transfer/history.h"

#define PAGE_QSOS 500
#define PIECE_BYTES 65536

/* The state of an export. The lists grow with the log, so they are sent piece by piece, and each
 * piece is removed from the buffer after it is sent. */
struct everything {
    struct store *store;
    int64_t member_id;
    int64_t now_ms;
    bool (*write)(void *context, const char *bytes, size_t length);
    void *context;
    struct buffer out;
    bool wanted;          /* whether `write` has not returned false so far */
    struct position last; /* position of the last QSO written */
    int64_t page_count, all;
    int64_t act; /* the act whose changes are listed */
};

/* Sends the buffer's content except the last byte. That byte stays in the buffer, because it
 * decides whether the next text needs a comma. */
static bool pass_on(struct everything *everything)
{
    struct buffer *out = &everything->out;
    const size_t length = out->length - 1;
    everything->wanted =
        everything->wanted && everything->write(everything->context, out->bytes, length);
    out->bytes[0] = out->bytes[length];
    out->length = 1;
    return everything->wanted;
}

static struct buffer *begin_item(struct everything *everything)
{
    json_write_line(&everything->out);
    buffer_append(&everything->out, "{", 1);
    return &everything->out;
}

static void end_item(struct everything *everything)
{
    buffer_append(&everything->out, "}", 1);
    if (everything->out.length >= PIECE_BYTES)
        pass_on(everything);
}

static void write_member(struct buffer *out, const struct member *member)
{
    json_begin_object(out, "member");
    json_write_fields(out, json_text("callsign", member->callsign),
                      json_text("locator", member->locator), json_text("login", member->login),
                      json_flag("active", member->active),
                      json_flag("operator", member->is_operator));
    if (member->is_station)
        json_write_flag(out, "station", true);
    json_write_fields(out, json_flag("password", member->has_password),
                      json_time("createdAt", member->created_at_ms),
                      json_time("announcesSince", member->announces_since_ms),
                      json_flag("claims", member->claims),
                      json_text("channelPlan", member->channel_plan));
    buffer_append(out, "}", 1);
}

static void add_held(void *context, struct text object)
{
    struct everything *everything = context;
    json_write_line(&everything->out);
    buffer_append(&everything->out, object.bytes, object.length);
    if (everything->out.length >= PIECE_BYTES)
        pass_on(everything);
}

static void add_qso(void *context, const struct qso *qso)
{
    struct everything *everything = context;
    json_write_line(&everything->out);
    render_qso(qso, &everything->out);
    everything->page_count++;
    everything->all++;
    everything->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
}

/* Adds the extra fields of a QSO, or of a previous version of the QSO. The object contains the
 * QSO's id, the edit that stored the fields, and the fields in their order. */
static void add_leftovers(void *context, int64_t qso_id, int64_t edit, struct text kept)
{
    struct arena arena = {0};
    struct record record = leftovers_list(kept, &arena);
    struct buffer *out = begin_item(context);
    json_write_fields(out, json_number("qso", qso_id), json_number("edit", edit));
    json_begin_array(out, "fields");
    for (size_t i = 0; i < record.count; i++) {
        json_write_item(out, json_text("name", record.fields[i].name),
                        json_text("value", record.fields[i].value));
    }
    buffer_append(out, "]", 1);
    arena_free(&arena);
    end_item(context);
}

/* Writes the member's card, with the picture file in base64. */
static enum store_result write_card(struct everything *everything)
{
    struct buffer *out = &everything->out;
    struct arena arena = {0};
    struct card_content design = {0}, picture = {0};
    enum store_result result =
        store_read_card(everything->store, everything->member_id, 0, CARD_DESIGN, &arena, &design);
    if (result == STORE_DONE || result == STORE_NONE)
        result = store_read_card(everything->store, everything->member_id, 0, CARD_PICTURE, &arena,
                                 &picture);
    json_begin_object(out, "card");
    buffer_append_string(out, "\"design\":");
    buffer_append_string(out, design.text.bytes ? "" : "null");
    buffer_append(out, design.text.bytes, design.text.length);
    json_write_time(out, "designSetAt", design.set_at_ms);
    json_write_text(out, "picture",
                    picture.text.bytes
                        ? base64_encode(picture.text.bytes, picture.text.length, &arena)
                        : (struct text){0});
    json_write_time(out, "pictureSetAt", picture.set_at_ms);
    buffer_append(out, "}", 1);
    arena_free(&arena);
    return result == STORE_NONE ? STORE_DONE : result;
}

static void add_act(void *context, const struct act *act)
{
    history_write_act(act, false, begin_item(context));
    end_item(context);
}

static void add_change(void *context, const struct change *change)
{
    struct everything *everything = context;
    struct buffer *out = begin_item(everything);
    json_write_number_text(out, "act", everything->act);
    history_write_change(change, out);
    end_item(everything);
}

static void keep_act(void *context, const struct act *act)
{
    struct act *kept = context;
    *kept = *act;
    /* Created QSOs are not listed as changes, because the list of QSOs contains them. */
    kept->first_created = 0;
}

/* Lists the changes act by act, because no statement that lists acts may run while changes are
 * listed. */
static enum store_result list_changes(struct everything *everything)
{
    struct acts_query query = {
        .member_id = everything->member_id, .from = INT64_MAX, .since_ms = INT64_MIN, .limit = 1};
    enum store_result result = STORE_DONE;
    struct act act;
    do {
        struct changes_page page = {
            .member_id = everything->member_id, .act = &act, .limit = PAGE_QSOS};
        act.number = 0;
        result = store_list_acts(everything->store, &query, keep_act, &act);
        query.from = act.number - 1;
        everything->act = act.number;
        while (result == STORE_DONE && act.number && !page.is_last && everything->wanted)
            result = store_list_changes(everything->store, &page, add_change, everything);
    } while (result == STORE_DONE && act.number && everything->wanted);
    return result;
}

static enum store_result list_leftovers(struct everything *everything)
{
    struct leftovers_page page = {.member_id = everything->member_id, .limit = PAGE_QSOS};
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && !page.is_last && everything->wanted)
        result = store_list_leftovers(everything->store, &page, add_leftovers, everything);
    return result;
}

static enum store_result list_qsos(struct everything *everything)
{
    enum store_result result = STORE_DONE;
    do {
        everything->page_count = 0;
        result = store_list_qsos(everything->store, everything->member_id, everything->last,
                                 PAGE_QSOS, add_qso, everything);
    } while (result == STORE_DONE && everything->page_count == PAGE_QSOS && pass_on(everything));
    return result;
}

static enum store_result list_acts(struct everything *everything)
{
    const struct acts_query query = {.member_id = everything->member_id,
                                     .from = INT64_MAX,
                                     .since_ms = INT64_MIN,
                                     .limit = INT64_MAX};
    return store_list_acts(everything->store, &query, add_act, everything);
}

static const struct {
    const char *name;
    enum held held;
    enum store_result (*list)(struct everything *everything); /* NULL: the store's list `held` */
    /* whether an empty list is left out, because few members have such data */
    bool is_seldom;
} lists[] = {
    {.name = "keys", .held = HELD_KEYS},
    {.name = "uploadTokens", .held = HELD_TOKENS},
    {.name = "devices", .held = HELD_SESSIONS},
    {.name = "signInLinks", .held = HELD_LINKS},
    {.name = "passkeys", .held = HELD_PASSKEYS},
    {.name = "grants", .held = HELD_GRANTS, .is_seldom = true},
    {.name = "spots", .held = HELD_SPOTS},
    {.name = "acts", .list = list_acts},
    {.name = "changes", .list = list_changes},
    {.name = "leftovers", .list = list_leftovers},
    {.name = "madeBy", .held = HELD_MAKERS, .is_seldom = true},
    {.name = "formerCallsigns", .held = HELD_CALLSIGNS, .is_seldom = true},
    {.name = "programIds", .held = HELD_PROGRAM_IDS, .is_seldom = true},
    {.name = "knownRecords", .held = HELD_RECORDS, .is_seldom = true},
    {.name = "alertRules", .held = HELD_ALERT_RULES, .is_seldom = true},
    {.name = "alertWays", .held = HELD_ALERT_WAYS, .is_seldom = true},
    {.name = "alertSettings", .held = HELD_ALERT_SETTINGS, .is_seldom = true},
    {.name = "mutedStations", .held = HELD_ALERT_MUTES, .is_seldom = true},
    {.name = "alerts", .held = HELD_ALERTS, .is_seldom = true},
    {.name = "polo", .held = HELD_POLO_RECORDS},
    {.name = "qsos", .list = list_qsos},
    {.name = "confirmationsByOtherClubs", .held = HELD_CONFIRMATIONS},
};

static enum store_result write_lists(struct everything *everything)
{
    struct buffer *out = &everything->out;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && everything->wanted; i++) {
        const size_t before = out->length;
        json_begin_array(out, lists[i].name);
        THEN(result, lists[i].list
                         ? lists[i].list(everything)
                         : store_list_held(everything->store, lists[i].held, everything->member_id,
                                           everything->now_ms, add_held, everything));
        const bool is_empty = out->bytes[out->length - 1] == '[';
        if (is_empty && lists[i].is_seldom)
            out->length = before;
        else
            buffer_append_string(out, "\n]");
    }
    return result;
}

static enum store_result write_all(struct everything *everything, const struct member *member)
{
    struct buffer *out = &everything->out;
    buffer_append(out, "{", 1);
    json_write_time(out, "exportedAt", everything->now_ms);
    write_member(out, member);
    enum store_result result = write_card(everything);
    THEN(result, write_lists(everything));
    json_write_integer(out, "qsoCount", everything->all);
    buffer_append_string(out, "}\n");
    if (result == STORE_DONE && everything->wanted)
        everything->write(everything->context, out->bytes, out->length);
    return result;
}

enum store_result
member_export_write(struct store *store, const struct member *member, int64_t now_ms,
                    bool (*write)(void *context, const char *bytes, size_t length), void *context)
{
    struct everything everything = {.store = store,
                                    .member_id = member->id,
                                    .now_ms = now_ms,
                                    .write = write,
                                    .context = context,
                                    .wanted = true,
                                    .last = {INT64_MIN, INT64_MAX}};
    int64_t begun_ms = now_ms;
    enum store_result result = store_begin_read(store, &begun_ms);
    if (result != STORE_DONE)
        return result;
    result = write_all(&everything, member);
    store_end_read(store);
    buffer_free(&everything.out);
    return result;
}
