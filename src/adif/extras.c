/* Reads our extra fields. An extra field counts only if an export of its value would contain the
 * same standard field as the record. Otherwise, another program has edited the standard field, and
 * the edit counts. */
#include "adif/extras.h"

#include <string.h>

#include "adif/encoding.h"
#include "adif/from_fields.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/standard.h"
#include "base/arena.h"
#include "base/datetime.h"
#include "base/text.h"
#include "base/text_hex.h"
#include "qso/qso.h"
#include "qso/values.h"

/* Returns the extra field's value in the API's format. */
static struct text extras_text(struct reading *reading, enum field_index index)
{
    const struct record_field *field = reading->slots.extra[index];
    const struct text text = field->value;
    char *decoded = arena_allocate(reading->arena, text.length + 1);
    size_t length;
    if (fields[index].kind != KIND_TEXT || text.length == 0 ||
        !text_percent_decode(text, decoded, &length))
        return text;
    return encoding_read_windows_1252((struct text){decoded, length}, reading->arena);
}

struct value extras_read_value(struct reading *reading, enum field_index index, bool reports)
{
    struct value value = {0};
    const struct record_field *field = reading->slots.extra[index];
    if (!field || (fields[index].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)))
        return value;
    struct text text = extras_text(reading, index);
    const struct rejection *rejection = NULL;
    if (text.length == 0)
        value.state = VALUE_NULL;
    else
        rejection = values_parse(&fields[index], text_trim(text), reading->arena, &value);
    if (rejection && reports)
        from_fields_report(reading, NOTICE_LEFT_OUT, field, "is not a value of this field");
    return value;
}

struct extras {
    struct value values[FIELD_COUNT]; /* VALUE_OMITTED: the field is missing or already decided */
    size_t count;
};

/* Reads the extra fields, except the clientId, and except the band and the channel, which were read
 * together with the tuning. */
static void read_extras(struct reading *reading, struct extras *extras)
{
    unsigned band = 1u << reading->band_match.band;
    memset(extras, 0, sizeof *extras);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (i == FIELD_BAND || i == FIELD_CHANNEL || i == FIELD_CLIENT_ID)
            continue;
        struct value value = extras_read_value(reading, (enum field_index)i, true);
        if (value.state == VALUE_PRESENT &&
            values_check_band(&fields[i], band, true, reading->arena)) {
            from_fields_report(reading, NOTICE_LEFT_OUT, reading->slots.extra[i],
                               "does not belong to the band");
            continue;
        }
        extras->values[i] = value;
        extras->count += value.state != VALUE_OMITTED;
    }
}

/* Removes the first line from *rest and returns this line without the spaces before its LF. In
 * files from older releases, a CR LF in notes became a space and an LF. */
static struct text take_line(struct text *rest)
{
    struct text line = text_split_next(rest, '\n');
    while (rest->bytes && line.length > 0 && line.bytes[line.length - 1] == ' ')
        line.length--;
    return line;
}

static bool are_same_lines(struct text a, struct text b)
{
    while (a.bytes && b.bytes)
        if (!text_equals(take_line(&a), take_line(&b)))
            return false;
    return !a.bytes && !b.bytes;
}

static bool agree(const struct mapped *said, const struct mapped *back, enum field_index field)
{
    const struct value *a = &said->qso.values[field], *b = &back->qso.values[field];
    if (field == FIELD_QSO_AT && said->to_minute)
        return a->integer / DATETIME_MINUTE_MS == b->integer / DATETIME_MINUTE_MS;
    if (field == FIELD_NOTES && a->state == b->state)
        return are_same_lines(qso_text(&said->qso, field), qso_text(&back->qso, field));
    return values_equal(&fields[field], a, b);
}

/* Accepts the extra fields' values that agree with the standard fields. */
static void accept_extras(struct reading *reading, struct extras *extras, const struct mapped *said,
                          bool strict)
{
    struct qso joined = said->qso;
    struct mapped back;
    struct writing writing;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (extras->values[i].state != VALUE_OMITTED)
            joined.values[i] = extras->values[i];
    standard_begin_writing(&writing, &joined, reading->source->member, strict, reading->arena);
    if (!standard_read_again(&writing, &back))
        return;
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *extra = &extras->values[i];
        if (extra->state == VALUE_OMITTED || !agree(said, &back, (enum field_index)i))
            continue;
        reading->out->qso.values[i] = *extra;
        if (i == FIELD_NOTES)
            reading->out->whole_notes = true;
        if (i == FIELD_QSO_AT)
            reading->out->to_minute = false;
        extra->state = VALUE_OMITTED;
        extras->count--;
    }
}

/* Reads the id and the time of creation, which together identify a QSO without a clientId. An id
 * without the time could be from another logbook. */
static void read_origin(struct reading *reading)
{
    int64_t id, created_at_ms;
    if (!text_parse_integer(extras_text(reading, FIELD_ID), 1, INT64_MAX, &id) ||
        !datetime_parse(extras_text(reading, FIELD_CREATED_AT), &created_at_ms))
        return;
    reading->out->id = id;
    reading->out->created_at_ms = created_at_ms;
}

void extras_apply(struct reading *reading)
{
    struct mapped said = *reading->out;
    struct extras extras;
    read_extras(reading, &extras);
    for (int strict = 0; strict < 2 && extras.count > 0; strict++)
        accept_extras(reading, &extras, &said, strict);
    if (reading->slots.extra[FIELD_CLIENT_ID]) {
        struct value id = extras_read_value(reading, FIELD_CLIENT_ID, false);
        reading->out->client_id_invalid = id.state != VALUE_PRESENT;
        if (id.state == VALUE_PRESENT)
            reading->out->qso.values[FIELD_CLIENT_ID] = id;
    } else if (reading->slots.extra[FIELD_ID] && reading->slots.extra[FIELD_CREATED_AT]) {
        read_origin(reading);
    }
}
