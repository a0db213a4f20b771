/* Joins a record of a file with the QSO that is stored already. An import of an older file, or of
 * one with less detail, must not remove stored values, and must not write a QSO that it adds
 * nothing to: every client would download that QSO again. Which QSO is the record's is found out by
 * src/transfer. */
#include "adif/merge.h"

#include <string.h>

#include "adif/rows.h"
#include "base/datetime.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "qso/values.h"

/* No value; of a boolean: false. */
static void clear(const struct field *field, struct value *value)
{
    memset(value, 0, sizeof *value);
    value->presence = field->kind == KIND_BOOLEAN ? VALUE_PRESENT : VALUE_NULL;
}

/* Notes of these parts, without a mode that the QSO does not have; false if they would be too long.
 */
static bool put_notes(struct notes notes, struct arena *arena, struct qso *out)
{
    struct value *value = &out->values[FIELD_NOTES];
    if (!notes_may_name_mode(out))
        notes.parts[NOTES_MODE] = (struct text){0};
    struct text text = notes_join(&notes, arena);
    clear(&fields[FIELD_NOTES], value);
    return !text.bytes || !values_parse(&fields[FIELD_NOTES], text, arena, value);
}

/* The stored notes with those parts that the record holds in their place; all of them as they are
 * stored if that would be too long. Only empty notes are filled. */
static void merge_notes(enum merge_way way, const struct mapped *record, const struct qso *stored,
                        struct arena *arena, struct qso *out)
{
    struct notes notes = notes_of_qso(stored);
    if (record->whole_notes || way == MERGE_REPLACE ||
        (way == MERGE_FILL && stored->values[FIELD_NOTES].presence == VALUE_PRESENT))
        return;
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (record->notes.parts[part].bytes)
            notes.parts[part] = record->notes.parts[part];
    if (!put_notes(notes, arena, out))
        out->values[FIELD_NOTES] = stored->values[FIELD_NOTES];
}

/* Is the new value the stored one, less exactly or in another spelling? */
static bool says_less(const struct mapped *record, const struct qso *stored, enum field_index field)
{
    const struct value *old = &stored->values[field], *new = &record->qso.values[field];
    struct text old_text = qso_text(stored, field), new_text = qso_text(&record->qso, field);
    switch (field) {
    case FIELD_QSO_AT:
        return new->integer % DATETIME_MINUTE_MS == 0 &&
               old->integer / DATETIME_MINUTE_MS == new->integer / DATETIME_MINUTE_MS;
    case FIELD_MODE:
        return new->integer == MODE_SSB && (old->integer == MODE_USB || old->integer == MODE_LSB);
    case FIELD_RST_SENT:
    case FIELD_RST_RECEIVED:
        return serials_adds(old_text, new_text);
    case FIELD_CALLSIGN_WORKED:
    case FIELD_OPERATOR_CALLSIGN:
        return match_same_callsign(old_text, new_text);
    case FIELD_DX_LOCATOR:
    case FIELD_MY_LOCATOR:
        return new_text.length < old_text.length &&
               memcmp(new_text.bytes, old_text.bytes, new_text.length) == 0;
    default:
        return false;
    }
}

static void merge_field(const struct mapped *record, const struct qso *stored,
                        enum field_index field, struct value *out)
{
    const struct value *old = &stored->values[field], *new = &record->qso.values[field];
    bool both = old->presence == VALUE_PRESENT && new->presence == VALUE_PRESENT;
    if (new->presence == VALUE_OMITTED || (both && says_less(record, stored, field)))
        *out = *old;
}

/* Empty: no value; of a boolean: false. */
static void fill_field(const struct qso *stored, enum field_index field, struct arena *arena,
                       struct value *out)
{
    const struct value *old = &stored->values[field];
    bool has_value =
        old->presence == VALUE_PRESENT && (fields[field].kind != KIND_BOOLEAN || old->integer != 0);
    unsigned band = 1u << stored->values[FIELD_BAND].integer;
    if (has_value ||
        (out->presence == VALUE_PRESENT && values_check_band(&fields[field], band, true, arena)))
        *out = *old;
}

bool merge_record(const struct mapped *record, const struct qso *stored, enum merge_way way,
                  struct arena *arena, struct qso *out)
{
    bool differs = !stored;
    *out = record->qso;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (content_has(&fields[i]) && stored && way == MERGE_ADD)
            merge_field(record, stored, (enum field_index)i, &out->values[i]);
        else if (content_has(&fields[i]) && stored && way == MERGE_FILL)
            fill_field(stored, (enum field_index)i, arena, &out->values[i]);
        if (!content_has(&fields[i]))
            out->values[i].presence = VALUE_OMITTED;
        else if (out->values[i].presence != VALUE_PRESENT)
            clear(&fields[i], &out->values[i]);
    }
    if (stored)
        merge_notes(way, record, stored, arena, out);
    for (int i = 0; i < FIELD_COUNT && !differs; i++)
        differs = content_has(&fields[i]) &&
                  !values_equal(&fields[i], &stored->values[i], &out->values[i]);
    return differs;
}
