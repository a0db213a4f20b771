/* Writes acts, changes and what taking back leaves as JSON. Names and values of fields are those of
 * the API; which of them differ is found by the field table. Reading the history is left to the
 * store. */
#include "transfer/history_json.h"

#include "json/write.h"
#include "qso/content.h"
#include "qso/render.h"

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

static void write_number_or_null(struct buffer *out, const char *name, int64_t number)
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
    write_number_or_null(out, "number", act->writer.number);
    json_write_text(out, "name", act->name);
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
    write_number_or_null(out, "takesBack", act->takes_back);
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
