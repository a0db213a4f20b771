/* Makes the records that a phone is given: the one that it has sent last, with what the log knows
 * of it if that has changed elsewhere, or a new one. Which records, and where they are, the store
 * knows. */
#include "transfer/polo.h"

#include "base/datetime.h"
#include "json/read.h"
#include "json/write.h"
#include "qso/qso.h"
#include "qso/fields.h"
#include "store/qsos.h"

struct answer {
    struct store *store;
    const struct identity *member;
    const struct polo_account *account;
    enum polo_kind kind;
    int64_t now_ms, limit;
    int64_t given, last_stamp_ms, left;
    struct buffer *out;
    struct buffer patch;
};

/* Greater than that of the phone, whatever its clock says. A QSO gets the phone's time once it is
 * merged there, so the margin is for the clock of a phone that is ahead. */
static int64_t time_for_phone(const struct answer *answer, const struct polo_state *state)
{
    int64_t time_ms = answer->now_ms + (answer->kind == POLO_QSO ? DATETIME_DAY_MS : 0);
    return state->updated_ms >= time_ms ? state->updated_ms + 1 : time_ms;
}

static void write_real(struct buffer *out, const char *name, double value)
{
    json_write_name(out, name);
    buffer_append_real(out, value);
}

static void write_tuning(struct buffer *out, const struct qso *qso)
{
    const struct value *frequency = &qso->values[FIELD_FREQUENCY];
    const bool is_pmr446 = qso->values[FIELD_BAND].integer == BAND_PMR446;
    json_write_text(out, "band", text_of(is_pmr446 ? "70cm" : "11m"));
    if (is_pmr446)
        write_real(out, "freq",
                   (double)channels_centre_hz(qso->values[FIELD_CHANNEL].integer) / 1000);
    else if (frequency->presence == VALUE_PRESENT)
        json_write_integer(out, "freq", frequency->integer);
    else
        json_write_null(out, "freq");
}

/* Whether a record has a word of its own for a digital mode, such as FT8. */
static bool names_digital_mode(struct text body, struct arena *arena)
{
    const char *message;
    const struct json_fields *record = json_read_object(body, arena, &message);
    struct text mode = record ? json_read_text(record, "mode") : (struct text){0};
    for (int other = 0; other < MODE_DIGITAL; other++)
        if (text_equals_ignoring_case(mode, fields[FIELD_MODE].choices[other]))
            return false;
    return mode.length > 0;
}

static void write_mode(struct buffer *out, const struct qso *qso, struct text body,
                       struct arena *arena)
{
    const struct value *mode = &qso->values[FIELD_MODE];
    if (mode->presence != VALUE_PRESENT)
        json_write_null(out, "mode");
    else if (mode->integer != MODE_DIGITAL)
        json_write_text(out, "mode", text_of(fields[FIELD_MODE].choices[mode->integer]));
    else if (!names_digital_mode(body, arena))
        json_write_text(out, "mode", text_of("DATA"));
}

static void write_party(struct buffer *out, const char *name, struct text call, struct text report,
                        struct text locator)
{
    json_begin_object(out, name);
    json_write_text(out, "call", call);
    json_write_text(out, "sent", report);
    json_write_text(out, "grid", locator);
    buffer_append(out, "}", 1);
}

static void write_known(struct answer *answer, const struct qso *qso, struct text body,
                        struct arena *arena)
{
    struct buffer *out = &answer->patch;
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer;
    struct text station = qso_text(qso, FIELD_OPERATOR_CALLSIGN),
                worked = qso_text(qso, FIELD_CALLSIGN_WORKED);
    json_write_integer(out, "startAtMillis", at_ms);
    json_write_integer(out, "endAtMillis", at_ms);
    write_tuning(out, qso);
    write_mode(out, qso, body, arena);
    write_party(out, "our", station.bytes ? station : answer->member->callsign,
                qso_text(qso, FIELD_RST_SENT), qso_text(qso, FIELD_MY_LOCATOR));
    write_party(out, "their", worked.bytes ? worked : text_of(""),
                qso_text(qso, FIELD_RST_RECEIVED), qso_text(qso, FIELD_DX_LOCATOR));
    json_write_text(out, "notes", qso_text(qso, FIELD_NOTES));
    if (qso->values[FIELD_TX_POWER].presence == VALUE_PRESENT)
        json_write_integer(out, "power", qso->values[FIELD_TX_POWER].integer);
    else
        json_write_null(out, "power");
    json_write_null(out, "deleted");
}

/* Of a QSO that PoLo never sent: where it belongs, and what PoLo looks at in each. */
static void write_beginning(struct answer *answer, enum polo_place place, int64_t stamp_ms)
{
    struct buffer *out = &answer->patch;
    json_write_text(out, "operation", answer->account->operation);
    if (place != POLO_DELETED)
        return;
    json_write_integer(out, "startAtMillis", stamp_ms);
    json_write_text(out, "band", text_of("11m"));
    json_write_text(out, "mode", text_of("SSB"));
    write_party(out, "our", answer->member->callsign, (struct text){0}, (struct text){0});
    write_party(out, "their", text_of(""), (struct text){0}, (struct text){0});
}

static enum store_result write_patch(struct answer *answer, enum polo_place place, int64_t stamp_ms,
                                     const unsigned char *uuid, const struct polo_state *state,
                                     struct arena *arena)
{
    struct buffer *out = &answer->patch;
    const bool has_record = state->body.length > 0;
    char uuid_text[UUID_TEXT_LENGTH + 1];
    struct qso qso;
    enum store_result result = STORE_DONE;
    buffer_clear(out);
    buffer_append(out, "{", 1);
    uuid_format_text(uuid, uuid_text);
    json_write_text(out, "uuid", text_of(uuid_text));
    if (!has_record)
        write_beginning(answer, place, stamp_ms);
    if (place == POLO_IN_LOG && !state->is_as_sent) {
        result = store_find_qso(answer->store, answer->member->member_id, uuid, arena, &qso);
        if (result == STORE_DONE)
            write_known(answer, &qso, state->body, arena);
    }
    if (place == POLO_DELETED)
        json_write_flag(out, "deleted", true);
    json_write_integer(out, "updatedAtMillis", time_for_phone(answer, state));
    json_write_integer(out, "syncedAtMillis", stamp_ms);
    buffer_append(out, "}", 1);
    return result;
}

static enum store_result append_record(struct answer *answer, enum polo_place place,
                                       int64_t stamp_ms, const unsigned char *uuid)
{
    struct arena arena = {0};
    struct polo_state state;
    enum store_result result = store_polo_find(answer->store, answer->member->member_id,
                                               answer->kind, uuid, &arena, &state);
    if (result == STORE_DONE && (place != POLO_KEPT || state.body.length > 0)) {
        result = write_patch(answer, place, stamp_ms, uuid, &state, &arena);
        answer->given++;
        answer->last_stamp_ms = stamp_ms;
        json_write_element(answer->out);
        if (result == STORE_DONE)
            result = store_polo_patch(
                answer->store, state.body.length > 0 ? state.body : text_of("{}"),
                (struct text){answer->patch.bytes, answer->patch.length}, answer->out);
    }
    arena_free(&arena);
    return result;
}

/* The phone's cursor is a stamp, so records of one stamp are given together. */
static enum store_result visit(void *context, enum polo_place place, int64_t stamp_ms,
                               const unsigned char *uuid)
{
    struct answer *answer = context;
    if (answer->given < answer->limit ||
        (answer->given > 0 && stamp_ms == answer->last_stamp_ms && answer->left == 0))
        return append_record(answer, place, stamp_ms, uuid);
    answer->left++;
    return STORE_DONE;
}

enum store_result polo_append_records(struct store *store, const struct identity *member,
                                      const struct polo_account *account,
                                      const struct polo_request *request, enum polo_kind kind,
                                      int64_t now_ms, int64_t own_ms, struct buffer *out,
                                      int64_t *left)
{
    const struct polo_wish *wish = &request->question.wishes[kind];
    struct answer answer = {.store = store,
                            .member = member,
                            .account = account,
                            .kind = kind,
                            .now_ms = now_ms,
                            .limit = wish->limit,
                            .out = out};
    for (int i = 0; i < 2; i++)
        if (request->sent[i] > 0 && request->question.wishes[i].unsent > request->sent[i])
            answer.limit = 0;
    buffer_append(out, "[", 1);
    enum store_result result = store_polo_list(store, member->member_id, kind, wish, request->phone,
                                               own_ms, visit, &answer);
    buffer_append(out, "]", 1);
    buffer_free(&answer.patch);
    *left = answer.left;
    return result;
}
