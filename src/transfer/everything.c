/* Lists grow with the log, so they go out piece by piece: what has been passed on is no longer in
 * the buffer, and the comma before an item is decided here and not by what stands before it. Who
 * may have all this is left to the callers. */
#include "transfer/everything.h"

#include "adif/leftovers.h"
#include "json/write.h"
#include "qso/render.h"
#include "qso/fields.h"
#include "store/acts.h"
#include "store/cards.h"
#include "store/claiming.h"
#include "store/keys.h"
#include "store/leftovers.h"
#include "store/logbook.h"
#include "store/network_spots.h"
#include "store/polo.h"
#include "store/qsos.h"
#include "store/passkeys.h"
#include "store/spots.h"
#include "store/stations.h"

#define PAGE_QSOS 500
#define PAGE_ACTS 50
#define PIECE_BYTES 65536

struct everything {
    struct store *store;
    int64_t member_id;
    int64_t now_ms;
    bool (*write)(void *context, const char *bytes, size_t length);
    void *context;
    struct buffer out;
    bool wanted;          /* write has not returned false */
    bool first;           /* no item of the list yet */
    struct position last; /* QSOs written so far */
    int64_t page_count, all;
    int64_t act; /* whose changes are listed */
};

static bool pass_on(struct everything *everything)
{
    struct buffer *out = &everything->out;
    everything->wanted =
        everything->wanted && everything->write(everything->context, out->bytes, out->length);
    buffer_clear(out);
    return everything->wanted;
}

static void begin_list(struct everything *everything, const char *name)
{
    json_write_name(&everything->out, name);
    buffer_append(&everything->out, "[", 1);
    everything->first = true;
}

static void begin_item(struct everything *everything)
{
    buffer_append_string(&everything->out, everything->first ? "\n " : ",\n ");
    everything->first = false;
}

static void end_list(struct everything *everything)
{
    buffer_append_string(&everything->out, "\n]");
}

/* -- What is written --------------------------------------------------------------------------- */

static void write_member(struct buffer *out, const struct member *member,
                         int64_t announces_since_ms, bool claims)
{
    json_write_name(out, "member");
    buffer_append(out, "{", 1);
    json_write_text(out, "callsign", member->callsign);
    json_write_text(out, "locator", member->locator);
    json_write_text(out, "login", member->login);
    json_write_flag(out, "active", member->active);
    json_write_flag(out, "operator", member->is_operator);
    if (member->is_station)
        json_write_flag(out, "station", true);
    json_write_flag(out, "password", member->has_password);
    json_write_time(out, "createdAt", member->created_at_ms);
    json_write_time(out, "announcesSince", announces_since_ms);
    json_write_flag(out, "claims", claims);
    buffer_append(out, "}", 1);
}

static void begin_key(struct everything *everything, const struct key *key)
{
    begin_item(everything);
    buffer_append(&everything->out, "{", 1);
    json_write_integer(&everything->out, "number", key->number);
    json_write_text(&everything->out, "name", key->name);
}

static void end_key(struct buffer *out, const struct key *key)
{
    json_write_text(out, "hint", key->hint);
    if (key->maker.length > 0)
        json_write_text(out, "madeBy", key->maker);
    json_write_time(out, "createdAt", key->created_at_ms);
    json_write_day(out, "lastUsedOn", key->last_used_day);
    json_write_time(out, "revokedAt", key->revoked_at_ms);
    buffer_append(out, "}", 1);
}

static void add_key(void *context, const struct key *key)
{
    struct everything *everything = context;
    begin_key(everything, key);
    json_write_text(&everything->out, "scope", text_of(store_scope_name(key->scope)));
    end_key(&everything->out, key);
}

static void add_token(void *context, const struct key *token)
{
    struct everything *everything = context;
    begin_key(everything, token);
    json_write_flag(&everything->out, "mayRead", token->may_read);
    json_write_flag(&everything->out, "isPolo", token->is_polo);
    end_key(&everything->out, token);
}

static void add_session(void *context, const struct session *session)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_integer(out, "number", session->number);
    json_write_text(out, "device", session->device);
    json_write_time(out, "createdAt", session->created_at_ms);
    json_write_day(out, "lastUsedOn", session->last_used_day);
    buffer_append(out, "}", 1);
}

static void add_link(void *context, const struct link *link)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_text(out, "kind", text_of(link->kind == LINK_DEVICE ? "DEVICE" : "INVITATION"));
    json_write_time(out, "createdAt", link->made_at_ms);
    json_write_time(out, "expiresAt", link->expires_at_ms);
    json_write_time(out, "usedAt", link->used_at_ms);
    json_write_time(out, "replacedAt", link->replaced_at_ms);
    buffer_append(out, "}", 1);
}

static void add_passkey(void *context, const struct passkey *passkey)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_integer(out, "number", passkey->number);
    json_write_text(out, "name", passkey->name);
    json_write_time(out, "createdAt", passkey->created_at_ms);
    json_write_day(out, "lastUsedOn", passkey->last_used_day);
    json_write_time(out, "copiedAt", passkey->copied_at_ms);
    buffer_append(out, "}", 1);
}

static void write_number_or_null(struct buffer *out, const char *name, int64_t number)
{
    if (number)
        json_write_integer(out, name, number);
    else
        json_write_null(out, name);
}

static bool add_spot(void *context, const struct spot *spot)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_time(out, "spottedAt", spot->spotted_at_ms);
    json_write_text(out, "spotter", spot->spotter);
    json_write_text(out, "dxCallsign", spot->dx_callsign);
    json_write_text(out, "band", text_of(fields[FIELD_BAND].choices[spot->band]));
    write_number_or_null(out, "frequencyHz", spot->frequency_hz);
    write_number_or_null(out, "channel", spot->channel);
    json_write_text(out, "ctcssTone", spot->ctcss_tone);
    json_write_text(out, "dcsCode", spot->dcs_code);
    json_write_text(out, "mode", text_of(spot_mode_name(spot)));
    json_write_text(out, "myLocator", spot->my_locator);
    json_write_text(out, "dxLocator", spot->dx_locator);
    json_write_integer(out, "qsoId", spot->qso_id);
    buffer_append(out, "}", 1);
    return out->length < PIECE_BYTES || pass_on(everything);
}

static void add_qso(void *context, const struct qso *qso)
{
    struct everything *everything = context;
    begin_item(everything);
    render_qso(qso, &everything->out);
    everything->page_count++;
    everything->all++;
    everything->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
}

/* What is kept beside QSOs, former states included: each as the QSO's id, the edit that brought it,
 * and the fields in their order. */
static void add_leftovers(void *context, const struct leftovers_position *position,
                          struct text kept)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    struct arena arena = {0};
    struct record record = leftovers_list(kept, &arena);
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_number_text(out, "qso", position->qso_id);
    json_write_number_text(out, "edit", position->edit);
    json_write_name(out, "fields");
    buffer_append(out, "[", 1);
    for (size_t i = 0; i < record.count; i++) {
        buffer_append_string(out, i > 0 ? ",{" : "{");
        json_write_text(out, "name", record.fields[i].name);
        json_write_text(out, "value", record.fields[i].value);
        buffer_append(out, "}", 1);
    }
    buffer_append_string(out, "]}");
    arena_free(&arena);
    if (out->length >= PIECE_BYTES)
        pass_on(everything);
}

/* -- The card ---------------------------------------------------------------------------------- */

static void append_base64(struct buffer *out, struct text bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.length; i += 3) {
        uint32_t group = 0;
        char four[4];
        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (i + j < bytes.length ? (unsigned char)bytes.bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            four[j] = i + j > bytes.length ? '=' : digits[group >> (18 - 6 * j) & 63];
        buffer_append(out, four, sizeof four);
    }
}

/* The picture is the file, in base64. */
static enum store_result write_card(struct everything *everything)
{
    struct buffer *out = &everything->out;
    struct arena arena = {0};
    struct text design = {0}, picture = {0};
    int64_t design_set_at_ms = 0, picture_set_at_ms = 0;
    enum store_result result = store_read_card(everything->store, everything->member_id,
                                               CARD_DESIGN, &arena, &design, &design_set_at_ms);
    if (result == STORE_DONE || result == STORE_NONE)
        result = store_read_card(everything->store, everything->member_id, CARD_PICTURE, &arena,
                                 &picture, &picture_set_at_ms);
    json_write_name(out, "card");
    buffer_append_string(out, "{\"design\":");
    buffer_append_string(out, design.bytes ? "" : "null");
    buffer_append(out, design.bytes, design.length);
    json_write_time(out, "designSetAt", design_set_at_ms);
    json_write_name(out, "picture");
    buffer_append_string(out, picture.bytes ? "\"" : "null");
    append_base64(out, picture);
    buffer_append_string(out, picture.bytes ? "\"" : "");
    json_write_time(out, "pictureSetAt", picture_set_at_ms);
    buffer_append(out, "}", 1);
    arena_free(&arena);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* -- The history ------------------------------------------------------------------------------- */

static void add_act(void *context, const struct act *act)
{
    struct everything *everything = context;
    begin_item(everything);
    history_append_kept_act(act, &everything->out);
    if (everything->out.length >= PIECE_BYTES)
        pass_on(everything);
}

static void add_change(void *context, const struct change *change)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_number_text(out, "act", everything->act);
    history_write_change(change, out);
    buffer_append(out, "}", 1);
    if (out->length >= PIECE_BYTES)
        pass_on(everything);
}

/* Acts are kept in memory a page at a time: their statement must not run while changes are listed.
 */
struct acts {
    struct act acts[PAGE_ACTS];
    int count;
};

static void keep_act(void *context, const struct act *act)
{
    struct acts *acts = context;
    acts->acts[acts->count++] = *act;
}

static enum store_result list_changes_of(struct everything *everything, const struct act *act)
{
    struct change_position position = {0};
    enum store_result result = STORE_DONE;
    bool last = false;
    struct act replaced = *act;
    replaced.first_created = 0; /* new QSOs are in the list of QSOs */
    everything->act = act->number;
    while (result == STORE_DONE && !last && everything->wanted)
        result = store_list_changes(everything->store, everything->member_id, &replaced, PAGE_QSOS,
                                    &position, add_change, everything, &last);
    return result;
}

static enum store_result list_acts(struct everything *everything)
{
    return store_list_acts(everything->store, everything->member_id, INT64_MAX, INT64_MIN,
                           INT64_MAX, add_act, everything);
}

static enum store_result list_changes(struct everything *everything)
{
    int64_t from = INT64_MAX;
    enum store_result result = STORE_DONE;
    struct acts acts;
    do {
        acts.count = 0;
        result = store_list_acts(everything->store, everything->member_id, from, INT64_MIN,
                                 PAGE_ACTS, keep_act, &acts);
        for (int i = 0; i < acts.count && result == STORE_DONE; i++) {
            from = acts.acts[i].number - 1;
            result = list_changes_of(everything, &acts.acts[i]);
        }
    } while (result == STORE_DONE && acts.count == PAGE_ACTS && everything->wanted);
    return result;
}

/* -- The lists --------------------------------------------------------------------------------- */

static enum store_result list_keys(struct everything *everything)
{
    return store_list_keys(everything->store, everything->member_id, add_key, everything);
}

static enum store_result list_tokens(struct everything *everything)
{
    return store_list_tokens(everything->store, everything->member_id, add_token, everything);
}

static enum store_result list_sessions(struct everything *everything)
{
    return store_list_sessions(everything->store, everything->member_id, everything->now_ms,
                               add_session, everything);
}

static enum store_result list_links(struct everything *everything)
{
    return store_list_links(everything->store, everything->member_id, add_link, everything);
}

static enum store_result list_passkeys(struct everything *everything)
{
    return store_list_passkeys(everything->store, everything->member_id, add_passkey, everything);
}

static void add_grant(void *context, const struct grant *grant)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_text(out, "station", grant->station);
    json_write_text(out, "member", grant->member);
    json_write_time(out, "grantedAt", grant->granted_at_ms);
    json_write_time(out, "until", grant->until_ms);
    json_write_time(out, "endedAt", grant->ended_ms);
    buffer_append(out, "}", 1);
}

/* Those of a station, and those of a member: nobody has both. */
static enum store_result list_grants(struct everything *everything)
{
    enum store_result result = store_list_grants_of_station(
        everything->store, everything->member_id, everything->now_ms, add_grant, everything);
    return result == STORE_DONE
               ? store_list_grants_of_member(everything->store, everything->member_id,
                                             everything->now_ms, add_grant, everything)
               : result;
}

static void add_maker(void *context, int64_t qso_id, struct text maker)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_number_text(out, "qso", qso_id);
    json_write_text(out, "operator", maker);
    buffer_append(out, "}", 1);
    if (out->length >= PIECE_BYTES)
        pass_on(everything);
}

static enum store_result list_makers(struct everything *everything)
{
    return store_list_makers(everything->store, everything->member_id, add_maker, everything);
}

static enum store_result list_spots(struct everything *everything)
{
    return store_list_member_spots(everything->store, everything->member_id, add_spot, everything);
}

static enum store_result list_leftovers(struct everything *everything)
{
    struct leftovers_position position = {0};
    enum store_result result = STORE_DONE;
    bool last = false;
    while (result == STORE_DONE && !last && everything->wanted)
        result = store_list_leftovers(everything->store, everything->member_id, PAGE_QSOS,
                                      &position, add_leftovers, everything, &last);
    return result;
}

static void add_polo(void *context, enum polo_kind kind, struct text reason, struct text body)
{
    static const char *const kinds[] = {"operation", "qso", "settings"};
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_text(out, "kind", text_of(kinds[kind]));
    json_write_text(out, "reason", reason);
    json_write_name(out, "record");
    buffer_append(out, body.bytes, body.length);
    buffer_append(out, "}", 1);
}

static enum store_result list_polo(struct everything *everything)
{
    return store_polo_list_all(everything->store, everything->member_id, add_polo, everything);
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

static void add_confirmation(void *context, const struct peer_confirmation *found)
{
    struct everything *everything = context;
    struct buffer *out = &everything->out;
    begin_item(everything);
    buffer_append(out, "{", 1);
    json_write_number_text(out, "qso", found->qso_id);
    json_write_text(out, "station", found->station);
    json_write_text(out, "club", found->club);
    buffer_append(out, "}", 1);
    if (out->length >= PIECE_BYTES)
        pass_on(everything);
}

static enum store_result list_confirmations(struct everything *everything)
{
    return store_list_peer_confirmations(everything->store, everything->member_id, add_confirmation,
                                         everything);
}

static enum store_result write_all(struct everything *everything, const struct member *member)
{
    static const struct {
        const char *name;
        enum store_result (*list)(struct everything *everything);
        bool may_lack; /* it is left out where it is empty: members without stations have none */
    } lists[] = {
        {"keys", list_keys, false},
        {"uploadTokens", list_tokens, false},
        {"devices", list_sessions, false},
        {"signInLinks", list_links, false},
        {"passkeys", list_passkeys, false},
        {"grants", list_grants, true},
        {"spots", list_spots, false},
        {"acts", list_acts, false},
        {"changes", list_changes, false},
        {"leftovers", list_leftovers, false},
        {"madeBy", list_makers, true},
        {"polo", list_polo, false},
        {"qsos", list_qsos, false},
        {"confirmationsByOtherClubs", list_confirmations, false},
    };
    int64_t announces_since_ms = 0;
    bool claims = false;
    enum store_result result =
        store_read_announcer(everything->store, everything->member_id, &announces_since_ms);
    if (result == STORE_DONE)
        result = store_read_claiming(everything->store, everything->member_id, &claims);
    buffer_append(&everything->out, "{", 1);
    json_write_time(&everything->out, "exportedAt", everything->now_ms);
    write_member(&everything->out, member, announces_since_ms, claims);
    if (result == STORE_DONE)
        result = write_card(everything);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && result == STORE_DONE; i++) {
        const size_t before = everything->out.length;
        begin_list(everything, lists[i].name);
        result = lists[i].list(everything);
        if (everything->first && lists[i].may_lack)
            everything->out.length = before;
        else
            end_list(everything);
    }
    json_write_integer(&everything->out, "qsoCount", everything->all);
    buffer_append_string(&everything->out, "}\n");
    if (result == STORE_DONE)
        pass_on(everything);
    return result;
}

enum store_result everything_export(struct store *store, const struct member *member,
                                    int64_t now_ms,
                                    bool (*write)(void *context, const char *bytes, size_t length),
                                    void *context)
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

/* Writes acts, changes and what taking back leaves as JSON. Names and values of fields are those of
 * the API; which of them differ is found by the field table. Reading the history is left to the
 * store. */

static const char *const writers[WRITER_KINDS] = {"OPERATOR", "KEY", "TOKEN", "SESSION"};
static const char *const works[] = {"SYNC", "IMPORT", "UNDO", "RESTORE"};
static const char *const kinds[] = {"CREATED", "CHANGED", "DELETED", "RESTORED"};
static const char *const reasons[] = {"CHANGED", "CLIENT_ID_IN_USE"};

const char *history_writer_name(enum writer_kind kind)
{
    return writers[kind];
}

enum writer_kind history_read_writer(struct text name)
{
    enum writer_kind kind = WRITER_OPERATOR;
    while (kind < WRITER_KINDS && !text_equals(name, text_of(writers[kind])))
        kind++;
    return kind;
}

const char *history_work_name(enum history_work work)
{
    return works[work];
}

static void write_digits_or_null(struct buffer *out, const char *name, int64_t number)
{
    if (number)
        json_write_number_text(out, name, number);
    else
        json_write_null(out, name);
}

static void begin_writer(const struct act *act, struct buffer *out)
{
    json_write_name(out, "writer");
    buffer_append(out, "{", 1);
    json_write_text(out, "kind", text_of(writers[act->writer.kind]));
    write_digits_or_null(out, "number", act->writer.number);
    json_write_text(out, "name", act->name);
    if (act->maker.length > 0)
        json_write_text(out, "operator", act->maker);
}

void history_write_writer(const struct act *act, struct buffer *out)
{
    if (!act) {
        json_write_null(out, "writer");
        return;
    }
    begin_writer(act, out);
    json_write_flag(out, "revoked", act->revoked);
    buffer_append(out, "}", 1);
}

static void end_act(const struct act *act, struct buffer *out)
{
    json_write_text(out, "work", text_of(works[act->work]));
    json_write_text(out, "subject", act->subject);
    write_digits_or_null(out, "takesBack", act->takes_back);
    json_write_time(out, "beganAt", act->began_ms);
    json_write_time(out, "endedAt", act->ended_ms);
    json_write_integer(out, "created", act->created);
    json_write_integer(out, "changed", act->changed);
    json_write_integer(out, "deleted", act->deleted);
    json_write_integer(out, "revived", act->revived);
    json_write_flag(out, "tooOld", act->is_too_old);
    buffer_append(out, "}", 1);
}

void history_append_act(const struct act *act, struct buffer *out)
{
    buffer_append(out, "{", 1);
    json_write_number_text(out, "number", act->number);
    history_write_writer(act, out);
    end_act(act, out);
}

void history_append_kept_act(const struct act *act, struct buffer *out)
{
    buffer_append(out, "{", 1);
    json_write_number_text(out, "number", act->number);
    begin_writer(act, out);
    buffer_append(out, "}", 1);
    end_act(act, out);
}

/* By what a person knows a QSO. */
static void write_contact(const struct qso *qso, struct buffer *out)
{
    static const enum field_index shown[] = {FIELD_BAND, FIELD_QSO_AT, FIELD_CALLSIGN_WORKED};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        json_write_name(out, fields[shown[i]].name);
        render_field(shown[i], &qso->values[shown[i]], out);
    }
}

void history_append_left(const struct undo_left *left, struct buffer *out)
{
    buffer_append(out, "{", 1);
    json_write_number_text(out, "id", left->qso->values[FIELD_ID].integer);
    write_contact(left->qso, out);
    history_write_writer(left->by, out);
    json_write_time(out, "at", left->by ? left->by->ended_ms : 0);
    json_write_text(out, "reason", text_of(reasons[left->reason]));
    buffer_append(out, "}", 1);
}

static void write_fields(const struct change *change, struct buffer *out)
{
    static const struct qso nothing;
    const struct qso *before = change->before ? change->before : &nothing;
    const struct qso *after = change->after ? change->after : &nothing;
    json_write_name(out, "fields");
    buffer_append(out, "[", 1);
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool whole = !change->before || !change->after;
        if (!content_has(&fields[i]) || (fields[i].flags & FIELD_CONSTANT) ||
            (!whole && content_has_equal(&fields[i], &before->values[i], &after->values[i])) ||
            (whole && before->values[i].presence != VALUE_PRESENT &&
             after->values[i].presence != VALUE_PRESENT))
            continue;
        json_write_element(out);
        buffer_append(out, "{", 1);
        json_write_text(out, "name", text_of(fields[i].name));
        json_write_name(out, "old");
        render_field((enum field_index)i, &before->values[i], out);
        json_write_name(out, "new");
        render_field((enum field_index)i, &after->values[i], out);
        buffer_append(out, "}", 1);
    }
    buffer_append(out, "]", 1);
}

void history_write_change(const struct change *change, struct buffer *out)
{
    json_write_number_text(out, "id", change->qso_id);
    json_write_time(out, "at", change->at_ms);
    json_write_text(out, "kind", text_of(kinds[change->kind]));
    write_contact(change->after ? change->after : change->before, out);
    write_fields(change, out);
}
