/* Contains the mapping table, and uses it to read and write the standard fields in a record. */
#include "adif/standard.h"

#include <string.h>

#include "adif/band_match.h"
#include "adif/from_fields.h"
#include "adif/from_notes.h"
#include "adif/record.h"
#include "adif/rows.h"
#include "adif/serials.h"
#include "adif/slots.h"
#include "adif/tag.h"
#include "adif/to_fields.h"
#include "base/arena.h"

/* The functions that read and write each format of value in schema/fields.json. The time and the
 * band are read before all other values. */
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

/* The fields for which ADIF has a standard field, in the order in which they are written. */
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

void standard_begin_writing(struct writing *writing, const struct qso *qso, struct text member,
                            bool strict, struct arena *arena)
{
    *writing = (struct writing){.qso = qso, .station = member, .strict = strict, .arena = arena};
    writing->fields = arena_allocate(arena, WRITING_FIELDS_MAX * sizeof *writing->fields);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (qso->values[rows[i].field].state == VALUE_PRESENT ||
            rows[i].field == FIELD_OPERATOR_CALLSIGN)
            rows[i].write(writing, &rows[i]);
}

/* Rejects a record if the length of a standard field is too small, or so large that the value
 * contains the beginning of another field. Only free text can contain such a beginning. */
static bool check_length(struct reading *reading, enum slot slot)
{
    const struct record_field *field = reading->slots.standard[slot];
    bool takes_in = field && !slot_table[slot].is_free_text && tag_begins_in(field->value, false);
    if (!field || (!field->cut && !takes_in))
        return true;
    from_fields_report(reading, NOTICE_REFUSED, field,
                       field->cut ? "is longer than its length says"
                                  : "has a length that includes another field");
    return false;
}

enum mapping_outcome standard_read(struct reading *reading, struct band_match_fields *said)
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

bool standard_read_again(const struct writing *writing, struct mapped *out)
{
    struct mapped_source silent = {.member = writing->station};
    struct reading reading = {
        .source = &silent, .arena = writing->arena, .out = out, .slots = writing->slots};
    const struct value *band = &writing->qso->values[FIELD_BAND];
    struct band_match_fields said = {.extra_band = band->state, .extra_band_value = band->integer};
    memset(out, 0, sizeof *out);
    return standard_read(&reading, &said) == MAPPING_QSO;
}
