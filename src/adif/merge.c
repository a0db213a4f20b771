/* Merges a record into the stored QSO. An older or less detailed record must not remove stored
 * values. If a record adds nothing, its QSO must not be written, or every client would download
 * that QSO again. src/transfer finds the QSO for a record. */
#include "adif/merge.h"

#include <string.h>

#include "adif/detail.h"
#include "adif/notes.h"
#include "adif/rows.h"
#include "adif/said.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/values.h"

/* Sets a field's value to null; a boolean becomes false. */
static void clear(const struct field *field, struct value *value)
{
    memset(value, 0, sizeof *value);
    value->state = field->kind == KIND_BOOLEAN ? VALUE_PRESENT : VALUE_NULL;
}

/* Writes notes from these parts. The mode is omitted if the QSO's notes cannot contain a mode.
 * Returns false if the notes would be too long. */
static bool put_notes(struct notes notes, struct arena *arena, struct qso *out)
{
    struct value *value = &out->values[FIELD_NOTES];
    if (!notes_may_name_mode(out))
        notes.parts[NOTES_MODE] = (struct text){0};
    struct text text = notes_join(&notes, arena);
    clear(&fields[FIELD_NOTES], value);
    return !text.bytes || !values_parse(&fields[FIELD_NOTES], text, arena, value);
}

static bool is_new(const struct merging *merging, int thing)
{
    return !merging->new_values || merging->new_values->is_new[thing];
}

/* Replaces the parts of the stored notes that the record contains. Keeps the stored notes if the
 * result would be too long. MERGE_FILL changes only empty notes. */
static void merge_notes(const struct merging *merging, struct arena *arena, struct qso *out)
{
    const struct mapped *record = merging->record;
    const struct qso *stored = merging->stored;
    struct notes notes = notes_of_qso(stored);
    const struct value *whole = &record->qso.values[FIELD_NOTES];
    if (merging->way == MERGE_FILL && stored->values[FIELD_NOTES].state == VALUE_PRESENT)
        return;
    if (record->whole_notes) {
        if (is_new(merging, SAID_NOTES + NOTES_BODY))
            out->values[FIELD_NOTES] = *whole;
        return;
    }
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (record->notes.parts[part].bytes && is_new(merging, SAID_NOTES + part))
            notes.parts[part] = record->notes.parts[part];
    if (!put_notes(notes, arena, out))
        out->values[FIELD_NOTES] = stored->values[FIELD_NOTES];
}

/* Returns whether the field has no value, or is a boolean that is false. */
static bool is_empty(const struct field *field, const struct value *value)
{
    return value->state != VALUE_PRESENT || (field->kind == KIND_BOOLEAN && value->integer == 0);
}

static bool takes(const struct merging *merging, enum field_index field)
{
    const bool is_said = merging->record->qso.values[field].state == VALUE_PRESENT;
    if (!is_said || !is_new(merging, (int)field) || field == FIELD_NOTES)
        return false;
    const struct value *old = &merging->stored->values[field];
    if (merging->way == MERGE_FILL)
        return is_empty(&fields[field], old) ||
               detail_is_less(field, old, &merging->record->qso.values[field]);
    return (merging->new_values && merging->new_values->may_say_less) ||
           !detail_says_less(merging->own, merging->stored, &merging->record->qso, field);
}

/* Clears the values that the QSO's band does not allow. */
static void clear_forbidden(struct qso *qso)
{
    const unsigned band = 1u << qso->values[FIELD_BAND].integer;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].bands && !(fields[i].bands & band))
            clear(&fields[i], &qso->values[i]);
}

bool merge_record(const struct merging *merging, struct arena *arena, struct qso *out)
{
    const struct qso *stored = merging->stored;
    const bool joins = stored && merging->way != MERGE_REPLACE;
    bool differs = !stored;
    *out = merging->record->qso;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (content_has(&fields[i]) && joins && !takes(merging, (enum field_index)i))
            out->values[i] = stored->values[i];
        if (!content_has(&fields[i]))
            out->values[i].state = VALUE_OMITTED;
        else if (out->values[i].state != VALUE_PRESENT)
            clear(&fields[i], &out->values[i]);
    }
    if (joins) {
        clear_forbidden(out);
        merge_notes(merging, arena, out);
    }
    for (int i = 0; i < FIELD_COUNT && !differs; i++)
        differs = content_has(&fields[i]) &&
                  !values_equal(&fields[i], &stored->values[i], &out->values[i]);
    return differs;
}

bool merge_keeps_another(const struct merging *merging, const struct qso *merged,
                         enum field_index field)
{
    return merging->record->qso.values[field].state == VALUE_PRESENT &&
           is_new(merging, (int)field) && !is_empty(&fields[field], &merged->values[field]) &&
           !values_equal(&fields[field], &merged->values[field],
                         &merging->record->qso.values[field]) &&
           !detail_says_less(merging->own, merging->stored, &merging->record->qso, field);
}
