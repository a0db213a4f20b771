/* The mapping table, and its walks: from a record to a QSO and back.
 *
 * An extra field wins only if its value would be written as the record's standard field. Otherwise
 * another program has edited the standard field, and the edit counts. */
#include "adif/mapping.h"

#include <string.h>

#include "adif/encoding.h"
#include "adif/record.h"
#include "adif/leftovers.h"
#include "adif/lengths.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "base/datetime.h"
#include "base/text_hex.h"
#include "qso/values.h"

/* How the form of a value that schema/fields.json names is read and written. Time and band are read
 * before all others. */
#define FORM_text .read = from_fields_text, .write = to_fields_text
#define FORM_time .read = NULL, .write = to_fields_time
#define FORM_band .read = NULL, .write = to_fields_band
#define FORM_frequency .read = from_fields_frequency, .write = to_fields_frequency
#define FORM_channel .read = from_fields_channel, .write = to_fields_frequency
#define FORM_split .read = from_fields_split, .write = to_fields_split
#define FORM_mode .read = from_notes_mode, .write = to_fields_mode
#define FORM_station .read = from_fields_station, .write = to_fields_station
#define FORM_report .read = serials_read, .write = serials_write
#define FORM_locator .read = from_fields_locator, .write = to_fields_plain
#define FORM_coordinate .read = from_fields_coordinate, .write = to_fields_coordinate
#define FORM_power .read = from_fields_power, .write = to_fields_plain
#define FORM_path                                                                                  \
    .read = from_fields_letter, .write = to_fields_letter, .otherwise = "is neither S nor L"
#define FORM_qsl                                                                                   \
    .read = from_fields_qsl, .write = to_fields_qsl, .otherwise = "is not one of Y, N, Q, R, I or V"
#define FORM_qsl_via                                                                               \
    .read = from_fields_letter, .write = to_fields_letter, .otherwise = "is not one of D, B or E"
#define FORM_notes .read = from_notes_text, .write = to_fields_notes

/* The fields that ADIF has a standard field for, in the order in which they are written. */
static const struct row rows[] = {
#define ROW(name, standard, other, form, accepted)                                                 \
    {.field = FIELD_##name,                                                                        \
     .slot = SLOT_##standard,                                                                      \
     .intl = SLOT_##other,                                                                         \
     .letters = (accepted),                                                                        \
     FORM_##form},
#include "schema/adif_rows.inc"
#undef ROW
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

/* -- Writing ----------------------------------------------------------------------------------- */

/* Writes the standard fields. A station is written even if the QSO names none, because it is known.
 */
static void begin_writing(struct writing *writing, const struct qso *qso, struct text member,
                          bool strict, struct arena *arena)
{
    *writing = (struct writing){.qso = qso, .station = member, .strict = strict, .arena = arena};
    writing->fields = arena_allocate(arena, WRITING_FIELDS_MAX * sizeof *writing->fields);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (qso->values[rows[i].field].state == VALUE_PRESENT ||
            rows[i].field == FIELD_OPERATOR_CALLSIGN)
            rows[i].write(writing, &rows[i]);
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* Refuses a record if one of its standard fields is longer than its length says, or contains the
 * beginning of another field. */
static bool check_length(struct reading *reading, enum slot slot)
{
    const struct record_field *field = reading->slots.standard[slot];
    bool takes_in =
        field && !slot_table[slot].is_free_text && lengths_holds_tag_start(field->value, false);
    if (!field || (!field->cut && !takes_in))
        return true;
    from_fields_report(reading, NOTICE_REFUSED, field,
                       field->cut ? "is longer than its length says"
                                  : "has a length that includes another field");
    return false;
}

/* The extra field's value as the API would write it. */
static struct text extra_text(struct reading *reading, enum field_index index)
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

/* VALUE_OMITTED: the value is missing or invalid. An invalid value is reported if `tells` is true.
 */
static struct value read_extra(struct reading *reading, enum field_index index, bool tells)
{
    struct value value = {0};
    const struct record_field *field = reading->slots.extra[index];
    if (!field || (fields[index].flags & (FIELD_READ_ONLY | FIELD_WRITE_ONLY)))
        return value;
    struct text text = extra_text(reading, index);
    const struct rejection *rejection = NULL;
    if (text.length == 0)
        value.state = VALUE_NULL;
    else
        rejection = values_parse(&fields[index], text_trim(text), reading->arena, &value);
    if (rejection && tells)
        from_fields_report(reading, NOTICE_LEFT_OUT, field, "is not a value of this field");
    return value;
}

static enum mapping_outcome read_standard(struct reading *reading, struct band_match_fields *said)
{
    if (!check_length(reading, SLOT_FREQ) || !check_length(reading, SLOT_BAND) ||
        !from_fields_band_match(reading, said))
        return MAPPING_REFUSED;
    if (reading->band_match.kind == BAND_MATCH_ELSEWHERE)
        return MAPPING_OTHER_BAND;
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (!check_length(reading, slot))
            return MAPPING_REFUSED;
    if (!from_fields_time(reading))
        return MAPPING_REFUSED;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].read)
            rows[i].read(reading, &rows[i]);
    return MAPPING_QSO;
}

/* Reads the written standard fields again. */
static bool read_again(const struct writing *writing, struct mapped *out)
{
    struct mapped_source silent = {.member = writing->station};
    struct reading reading = {
        .source = &silent, .arena = writing->arena, .out = out, .slots = writing->slots};
    const struct value *band = &writing->qso->values[FIELD_BAND];
    struct band_match_fields said = {.extra_band = band->state, .extra_band_value = band->integer};
    memset(out, 0, sizeof *out);
    return read_standard(&reading, &said) == MAPPING_QSO;
}

/* -- Extra fields ------------------------------------------------------------------------------ */

struct extras {
    struct value values[FIELD_COUNT]; /* VALUE_OMITTED: none, or decided already */
    size_t count;
};

/* Reads the extra fields, except those of the tuning, which were decided together with it. */
static void read_extras(struct reading *reading, struct extras *extras)
{
    unsigned band = 1u << reading->band_match.band;
    memset(extras, 0, sizeof *extras);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (i == FIELD_BAND || i == FIELD_CHANNEL || i == FIELD_CLIENT_ID)
            continue;
        struct value value = read_extra(reading, (enum field_index)i, true);
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

/* Files of older releases have a space before a line end that was CR LF. */
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

/* Accepts the extra values that agree with the standard fields. */
static void accept_extras(struct reading *reading, struct extras *extras, const struct mapped *said,
                          bool strict)
{
    struct qso joined = said->qso;
    struct mapped back;
    struct writing writing;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (extras->values[i].state != VALUE_OMITTED)
            joined.values[i] = extras->values[i];
    begin_writing(&writing, &joined, reading->source->member, strict, reading->arena);
    if (!read_again(&writing, &back))
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

/* The id and the time of creation together identify a QSO without a clientId. The id alone may
 * belong to another logbook. */
static void read_origin(struct reading *reading)
{
    int64_t id, created_at_ms;
    if (!text_parse_integer(extra_text(reading, FIELD_ID), 1, INT64_MAX, &id) ||
        !datetime_parse(extra_text(reading, FIELD_CREATED_AT), &created_at_ms))
        return;
    reading->out->id = id;
    reading->out->created_at_ms = created_at_ms;
}

static void apply_extras(struct reading *reading)
{
    struct mapped said = *reading->out;
    struct extras extras;
    read_extras(reading, &extras);
    for (int strict = 0; strict < 2 && extras.count > 0; strict++)
        accept_extras(reading, &extras, &said, strict);
    if (reading->slots.extra[FIELD_CLIENT_ID]) {
        struct value id = read_extra(reading, FIELD_CLIENT_ID, false);
        reading->out->client_id_invalid = id.state != VALUE_PRESENT;
        if (id.state == VALUE_PRESENT)
            reading->out->qso.values[FIELD_CLIENT_ID] = id;
    } else if (reading->slots.extra[FIELD_ID] && reading->slots.extra[FIELD_CREATED_AT]) {
        read_origin(reading);
    }
}

/* -- Both -------------------------------------------------------------------------------------- */

enum mapping_outcome mapping_read(const struct record *record, const struct mapped_source *source,
                                  struct arena *arena, struct mapped *out)
{
    struct reading reading = {.source = source, .arena = arena, .out = out};
    struct band_match_fields said = {0};
    struct writing writing;
    memset(out, 0, sizeof *out);
    slots_sort(record, arena, &reading.slots);
    struct value band = read_extra(&reading, FIELD_BAND, false);
    struct value channel = read_extra(&reading, FIELD_CHANNEL, false);
    said.extra_band = band.state;
    said.extra_band_value = band.integer;
    said.extra_channel = channel.state == VALUE_PRESENT ? channel.integer : 0;
    enum mapping_outcome outcome = read_standard(&reading, &said);
    if (outcome != MAPPING_QSO)
        return outcome;
    apply_extras(&reading);
    said_read_origin(&reading);
    for (size_t i = 0; i < reading.slots.rest_count; i++)
        if (reading.slots.rest[i]->value.length > 0)
            from_fields_report(&reading, NOTICE_NO_FIELD, reading.slots.rest[i], NULL);
    begin_writing(&writing, &out->qso, source->member, false, arena);
    out->leftovers = leftovers_collect(&reading, &writing.slots);
    return MAPPING_QSO;
}

/* The extra fields of the tuning are always written: they count if other programs leave FREQ and
 * BAND out. The time of the last write does not describe the QSO. The time of creation is needed
 * only if the QSO has no clientId. */
static bool needs_extra(const struct qso *qso, enum field_index field, const struct mapped *back)
{
    const struct value *value = &qso->values[field];
    if ((fields[field].flags & FIELD_WRITE_ONLY) || field == FIELD_SYNCED_AT ||
        (field == FIELD_CREATED_AT && qso->values[FIELD_CLIENT_ID].state == VALUE_PRESENT))
        return false;
    if (field == FIELD_BAND || field == FIELD_CHANNEL)
        return value->state == VALUE_PRESENT;
    return !values_equal(&fields[field], value, &back->qso.values[field]);
}

/* Whether the first reading equals the second one, or the QSO itself. */
static bool says_the_same(const struct mapped *said, const struct mapped *back,
                          const struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!values_equal(&fields[i], &said->qso.values[i], &back->qso.values[i]) &&
            !values_equal(&fields[i], &said->qso.values[i], &qso->values[i]))
            return false;
    return true;
}

static bool try_leftovers(struct writing *writing, const struct slots *leftovers, unsigned groups,
                          struct mapped *back)
{
    struct writing trial = *writing;
    struct mapped said;
    if (!groups)
        return true;
    leftovers_replace(&trial, leftovers, groups);
    if (!read_again(&trial, &said) || !says_the_same(&said, back, writing->qso))
        return false;
    *writing = trial;
    *back = said;
    return true;
}

/* Usually all groups still match the QSO; otherwise each group is tried alone. Returns the groups
 * that match. */
static unsigned put_leftovers(struct writing *writing, const struct slots *leftovers,
                              struct mapped *back)
{
    unsigned groups = leftovers_groups(leftovers), put = 0;
    if (try_leftovers(writing, leftovers, groups, back))
        return groups;
    for (unsigned group = 1; group && group <= groups; group <<= 1)
        if ((groups & group) && try_leftovers(writing, leftovers, group, back))
            put |= group;
    return put;
}

/* Writes the standard fields of a QSO, with the leftovers' fields that still match. Returns the
 * groups of those fields; *back is the QSO that the written fields give. */
static unsigned write_both(struct writing *writing, const struct qso *qso, struct text member,
                           bool strict, const struct slots *leftovers, struct mapped *back,
                           struct arena *arena)
{
    begin_writing(writing, qso, member, strict, arena);
    if (read_again(writing, back))
        return put_leftovers(writing, leftovers, back);
    memset(back, 0, sizeof *back);
    return 0;
}

struct text mapping_filter_leftovers(const struct qso *qso, struct text leftovers,
                                     struct text member, struct arena *arena)
{
    struct writing writing;
    struct mapped back;
    const struct slots kept = leftovers_sort(leftovers, arena);
    return leftovers_select(leftovers,
                            write_both(&writing, qso, member, false, &kept, &back, arena), arena);
}

struct record mapping_write(const struct qso *qso, struct text leftovers,
                            const struct mapped_source *source, bool strict, struct arena *arena)
{
    struct writing writing;
    struct mapped back;
    if (strict)
        leftovers.length = 0;
    const struct slots kept = leftovers_sort(leftovers, arena);
    write_both(&writing, qso, source->member, strict, &kept, &back, arena);
    for (int field = 0; field < FIELD_COUNT; field++)
        if (needs_extra(qso, (enum field_index)field, &back))
            to_fields_extra(&writing, (enum field_index)field);
    if (!writing.slots.standard[SLOT_OPERATOR])
        to_fields_operator(&writing, source->maker);
    leftovers_add_rest(&writing, &kept);
    return (struct record){.fields = writing.fields, .count = writing.count};
}
