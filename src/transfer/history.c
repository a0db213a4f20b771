/* Writes acts, changes, and the QSOs that an undo skips. Names and values of fields are the same as
 * in the API; the field table is used to find differences. The store reads the data, and the
 * callers check who may see the data. */
#include "transfer/history.h"

#include "base/text.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/render.h"
#include "qso/values.h"
#include "store/history/acts.h"
#include "store/history/undo.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"

static const char *const writers[WRITER_KINDS] = {"OPERATOR", "KEY", "TOKEN", "SESSION"};
static const char *const works[] = {"SYNC", "IMPORT", "UNDO", "RESTORE", "MERGE"};
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

static void write_writer(const struct act *act, bool with_state, struct buffer *out)
{
    json_begin_object(out, "writer");
    json_write_fields(out, json_text("kind", text_of(writers[act->writer.kind])),
                      json_number_or_null("number", act->writer.number),
                      json_text("name", act->name));
    if (act->maker.length > 0)
        json_write_text(out, "operator", act->maker);
    if (with_state)
        json_write_flag(out, "revoked", act->revoked);
    buffer_append(out, "}", 1);
}

void history_write_writer(const struct act *act, struct buffer *out)
{
    if (act)
        write_writer(act, true, out);
    else
        json_write_null(out, "writer");
}

void history_write_act(const struct act *act, bool with_state, struct buffer *out)
{
    json_write_number_text(out, "number", act->number);
    write_writer(act, with_state, out);
    json_write_fields(out, json_text("work", text_of(works[act->work])),
                      json_text("subject", act->subject),
                      json_number_or_null("undoes", act->takes_back),
                      json_number_or_null("takesBack", act->takes_back),
                      json_time("beganAt", act->began_ms), json_time("endedAt", act->ended_ms),
                      json_integer("created", act->created), json_integer("changed", act->changed),
                      json_integer("deleted", act->deleted), json_integer("restored", act->revived),
                      json_integer("revived", act->revived), json_flag("tooOld", act->is_too_old));
}

void history_append_act(const struct act *act, struct buffer *out)
{
    buffer_append(out, "{", 1);
    history_write_act(act, true, out);
    buffer_append(out, "}", 1);
}

/* Writes the values by which a person can recognise a QSO. */
static void write_contact(const struct qso *qso, struct buffer *out)
{
    static const enum field_index shown[] = {FIELD_BAND, FIELD_QSO_AT, FIELD_CALLSIGN_WORKED};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        json_write_name(out, fields[shown[i]].name);
        render_field(shown[i], &qso->values[shown[i]], out);
    }
}

static void write_cause(const struct undo_left *left, struct buffer *out)
{
    history_write_writer(left->by, out);
    json_write_fields(out, json_time("at", left->by ? left->by->ended_ms : 0),
                      json_text("reason", text_of(reasons[left->reason])));
    buffer_append(out, "}", 1);
}

void history_append_left(const struct undo_left *left, struct buffer *out)
{
    buffer_append(out, "{", 1);
    json_write_number_text(out, "id", left->qso->values[FIELD_ID].integer);
    write_contact(left->qso, out);
    write_cause(left, out);
}

void history_append_cause(const struct undo_left *left, struct buffer *out)
{
    buffer_append(out, "{", 1);
    write_cause(left, out);
}

static void write_fields(const struct change *change, struct buffer *out)
{
    static const struct qso nothing;
    const struct qso *before = change->before ? change->before : &nothing;
    const struct qso *after = change->after ? change->after : &nothing;
    json_begin_array(out, "fields");
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool whole = !change->before || !change->after;
        if (!content_has(&fields[i]) || (fields[i].flags & FIELD_CONSTANT) ||
            (!whole && values_equal(&fields[i], &before->values[i], &after->values[i])) ||
            (whole && before->values[i].state != VALUE_PRESENT &&
             after->values[i].state != VALUE_PRESENT))
            continue;
        json_begin_item(out);
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
    json_write_fields(out, json_number("id", change->qso_id), json_time("at", change->at_ms),
                      json_text("kind", text_of(kinds[change->kind])));
    write_contact(change->after ? change->after : change->before, out);
    write_fields(change, out);
}
