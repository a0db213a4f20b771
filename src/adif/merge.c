/* Merges a record of a file into the stored QSO. Importing an older or less detailed file must not
 * remove stored values. If a record adds nothing, its QSO must not be written, or every client
 * would download it again. src/transfer finds the QSO of a record. */
#include "adif/merge.h"

#include <string.h>

#include "adif/rows.h"
#include "base/datetime.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/match_callsign.h"
#include "qso/values.h"

/* No value, or the boolean false. */
static void clear(const struct field *field, struct value *value)
{
    memset(value, 0, sizeof *value);
    value->state = field->kind == KIND_BOOLEAN ? VALUE_PRESENT : VALUE_NULL;
}

/* Writes notes from these parts, without a mode that the QSO does not have. False: they would be
 * too long. */
static bool put_notes(struct notes notes, struct arena *arena, struct qso *out)
{
    struct value *value = &out->values[FIELD_NOTES];
    if (!notes_may_name_mode(out))
        notes.parts[NOTES_MODE] = (struct text){0};
    struct text text = notes_join(&notes, arena);
    clear(&fields[FIELD_NOTES], value);
    return !text.bytes || !values_parse(&fields[FIELD_NOTES], text, arena, value);
}

static bool is_news(const struct merging *merging, int thing)
{
    return !merging->news || merging->news->is_news[thing];
}

/* Replaces the parts of the stored notes that the record holds, or returns the stored notes if the
 * result would be too long. Only empty notes are filled. */
static void merge_notes(const struct merging *merging, struct arena *arena, struct qso *out)
{
    const struct mapped *record = merging->record;
    const struct qso *stored = merging->stored;
    struct notes notes = notes_of_qso(stored);
    const struct value *whole = &record->qso.values[FIELD_NOTES];
    if (merging->way == MERGE_FILL && stored->values[FIELD_NOTES].state == VALUE_PRESENT)
        return;
    if (record->whole_notes) {
        if (is_news(merging, SAID_NOTES + NOTES_BODY))
            out->values[FIELD_NOTES] = *whole;
        return;
    }
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (record->notes.parts[part].bytes && is_news(merging, SAID_NOTES + part))
            notes.parts[part] = record->notes.parts[part];
    if (!put_notes(notes, arena, out))
        out->values[FIELD_NOTES] = stored->values[FIELD_NOTES];
}

/* -- Less of the same -------------------------------------------------------------------------- */

static bool is_same_unit(int64_t exact_ms, int64_t whole_ms, int64_t unit_ms)
{
    return whole_ms % unit_ms == 0 && whole_ms <= exact_ms && exact_ms < whole_ms + unit_ms;
}

/* If the record does not name a callsign, the log's own callsign is known, but not whether it was
 * portable. */
static bool says_less_of_station(const struct contact_own *own, struct text old_text,
                                 struct text new_text)
{
    struct match_callsign old, new, base;
    match_normalise_callsign(old_text, &old);
    match_normalise_callsign(new_text, &new);
    if (!own || !contact_is_own(own, &new) || (old.length > 0 && !contact_is_own(own, &old)))
        return match_equal_callsigns(&old, &new);
    match_base_callsign(&new, &base);
    return match_equal_callsigns(&new, &base) || match_equal_callsigns(&old, &new);
}

/* Whether a value equals another one, or is the same with less detail. */
static bool is_less(enum field_index field, const struct value *less, const struct value *more)
{
    const struct text less_text = {less->text, less->length},
                      more_text = {more->text, more->length};
    switch (field) {
    case FIELD_QSO_AT:
        return is_same_unit(more->integer, less->integer, DATETIME_MINUTE_MS) ||
               is_same_unit(more->integer, less->integer, DATETIME_SECOND_MS);
    case FIELD_MODE:
        return less->integer == MODE_SSB &&
               (more->integer == MODE_USB || more->integer == MODE_LSB);
    case FIELD_RST_SENT:
    case FIELD_RST_RECEIVED:
        return serials_adds(more_text, less_text);
    case FIELD_DX_LOCATOR:
    case FIELD_MY_LOCATOR:
        return less_text.length < more_text.length &&
               memcmp(less_text.bytes, more_text.bytes, less_text.length) == 0;
    default:
        return false;
    }
}

/* Whether the new value is the stored one with less detail or in another spelling. */
static bool says_less(const struct merging *merging, enum field_index field)
{
    const struct value *old = &merging->stored->values[field],
                       *new = &merging->record->qso.values[field];
    const struct text old_text = qso_text(merging->stored, field),
                      new_text = qso_text(&merging->record->qso, field);
    if (field == FIELD_OPERATOR_CALLSIGN)
        return says_less_of_station(merging->own, old_text, new_text);
    if (old->state != VALUE_PRESENT)
        return false;
    return field == FIELD_CALLSIGN_WORKED ? match_same_callsign(old_text, new_text)
                                          : is_less(field, new, old);
}

/* -- Fields ------------------------------------------------------------------------------------ */

/* Empty: no value, or the boolean false. */
static bool is_empty(const struct field *field, const struct value *value)
{
    return value->state != VALUE_PRESENT || (field->kind == KIND_BOOLEAN && value->integer == 0);
}

static bool takes(const struct merging *merging, enum field_index field)
{
    const bool is_said = merging->record->qso.values[field].state == VALUE_PRESENT;
    if (!is_said || !is_news(merging, (int)field) || field == FIELD_NOTES)
        return false;
    const struct value *old = &merging->stored->values[field];
    if (merging->way == MERGE_FILL)
        return is_empty(&fields[field], old) ||
               is_less(field, old, &merging->record->qso.values[field]);
    return (merging->news && merging->news->may_say_less) || !says_less(merging, field);
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
           is_news(merging, (int)field) && !is_empty(&fields[field], &merged->values[field]) &&
           !values_equal(&fields[field], &merged->values[field],
                         &merging->record->qso.values[field]) &&
           !says_less(merging, field);
}
