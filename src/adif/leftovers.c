/* Collects a record's extra fields and restores them. If one field in a group of standard fields
 * would be written differently, the whole group is kept. The fields in a group have a meaning only
 * together. mapping.c checks whether the fields still match the QSO; the store saves the fields. */
#include "adif/leftovers.h"

#include <string.h>

#include "adif/encoding.h"
#include "adif/from_fields.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/slots.h"
#include "adif/tag.h"
#include "adif/to_fields.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/qso.h"
#include "qso/tuning.h"

static unsigned bit_of(enum slot slot)
{
    return 1u << slot_table[slot].group;
}

static void append(struct text name, struct text value, struct buffer *out)
{
    buffer_print(out, "<%.*s:%zu>", (int)name.length, name.bytes, value.length);
    buffer_append(out, value.bytes, value.length);
}

/* Adds a field to the text if the field's name is ASCII. If the text would become too long, the
 * field is left out and reported. */
static void keep(struct reading *reading, const struct record_field *field, struct text name,
                 struct buffer *out)
{
    const struct text value = field->value;
    size_t before = out->length;
    if (!encoding_is_ascii(name))
        return;
    append(name, value, out);
    if (out->length <= LEFTOVERS_BYTES_MAX)
        return;
    out->length = before;
    from_fields_report(reading, NOTICE_LEFT_OUT, field,
                       "exceeds the 4,000 bytes of extra fields kept per QSO");
}

/* Returns whether the field would be written with another value, or not at all. Empty fields do not
 * count. */
static bool is_lost(const struct record_field *field, const struct record_field *written)
{
    if (!field || field->value.length == 0)
        return false;
    return !written || !text_equals(field->value, written->value);
}

struct text leftovers_collect(struct reading *reading, const struct slots *written)
{
    const struct slots *slots = &reading->slots;
    struct buffer out = {0};
    unsigned lost = 0; /* a set of groups, one bit each */
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (is_lost(slots->standard[slot], written->standard[slot]))
            lost |= bit_of(slot);
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if ((lost & bit_of(slot)) && slots->standard[slot] && slots->standard[slot]->value.length)
            keep(reading, slots->standard[slot], text_of(slot_table[slot].name), &out);
    for (size_t i = 0; i < slots->rest_count; i++)
        if (slots->rest[i]->value.length > 0)
            keep(reading, slots->rest[i], slots->rest[i]->name, &out);
    return encoding_take(&out, reading->arena);
}

struct record leftovers_list(struct text leftovers, struct arena *arena)
{
    struct record record = {0};
    size_t capacity = 0;
    for (size_t at = 0; at < leftovers.length && leftovers.bytes[at] == '<';) {
        struct tag tag = tag_read(leftovers, at);
        if (tag.kind != TAG_FIELD || tag.length > leftovers.length - tag.end)
            break;
        record.fields =
            arena_grow(arena, record.fields, record.count, &capacity, sizeof *record.fields);
        record.fields[record.count++] = (struct record_field){
            .name = tag.name, .value = {leftovers.bytes + tag.end, tag.length}};
        at = tag.end + tag.length;
    }
    return record;
}

struct slots leftovers_sort(struct text leftovers, struct arena *arena)
{
    const struct record record = leftovers_list(leftovers, arena);
    struct slots slots;
    slots_sort(&record, arena, &slots);
    return slots;
}

unsigned leftovers_groups(const struct slots *leftovers)
{
    unsigned groups = 0;
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (leftovers->standard[slot])
            groups |= bit_of(slot);
    return groups;
}

struct text leftovers_select(struct text leftovers, unsigned groups, struct arena *arena)
{
    const struct slots slots = leftovers_sort(leftovers, arena);
    struct buffer out = {0};
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (slots.standard[slot] && (groups & bit_of(slot)))
            append(slots.standard[slot]->name, slots.standard[slot]->value, &out);
    for (size_t i = 0; i < slots.rest_count; i++)
        append(slots.rest[i]->name, slots.rest[i]->value, &out);
    return encoding_take(&out, arena);
}

static struct record_field *add(struct writing *writing, const struct record_field *field)
{
    struct record_field *added = &writing->fields[writing->count++];
    *added = *field;
    added->value = to_fields_escape_text(writing, field->value, ESCAPE_AS_IT_CAME);
    return added;
}

void leftovers_replace(struct writing *writing, const struct slots *leftovers, unsigned groups)
{
    const struct slots written = writing->slots;
    writing->fields = arena_allocate(writing->arena, WRITING_FIELDS_MAX * sizeof *writing->fields);
    writing->count = 0;
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++) {
        const struct record_field *field =
            groups & bit_of(slot) ? leftovers->standard[slot] : written.standard[slot];
        writing->slots.standard[slot] = field ? add(writing, field) : NULL;
    }
}

/* Returns whether the QSO is no longer on the frequency of this CB channel. */
static bool is_other_channel(const struct writing *writing, const struct record_field *field)
{
    struct tuning tuning;
    return text_equals_ignoring_case(field->name, LEFTOVERS_CB_CHANNEL) &&
           tuning_read(field->value, NULL, (struct text){0}, &tuning) && tuning.khz > 0 &&
           tuning.khz != writing->qso->values[FIELD_FREQUENCY].integer;
}

void leftovers_add_rest(struct writing *writing, const struct slots *leftovers)
{
    const struct record_field *written = writing->fields;
    if (leftovers->rest_count == 0)
        return;
    writing->fields =
        arena_allocate(writing->arena, (writing->count + leftovers->rest_count) * sizeof *written);
    memcpy(writing->fields, written, writing->count * sizeof *written);
    for (size_t i = 0; i < leftovers->rest_count; i++)
        if (!is_other_channel(writing, leftovers->rest[i]))
            add(writing, leftovers->rest[i]);
}
