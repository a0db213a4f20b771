/* Writes the mode, and the parts of the notes that have separate ADIF fields. */
#include "adif/to_fields.h"

#include "adif/modes.h"
#include "adif/notes.h"
#include "adif/rows.h"
#include "base/text.h"
#include "qso/qso.h"

/* Splits the notes into parts, and finds the digital mode in the "Mode: " line. If that line
 * contains another word, the line belongs to the body. In strict records, a line with a mode that
 * ADIF does not define also belongs to the body. */
static struct notes split_notes(struct writing *writing, struct mode_name *mode)
{
    struct notes notes = notes_of_qso(writing->qso);
    const struct text name = notes.parts[NOTES_MODE];
    *mode = (struct mode_name){0};
    const bool is_known = writing->strict
                              ? modes_find(name, mode)
                              : name.bytes && modes_find_digital(name, writing->arena, mode);
    if (is_known && (modes_find(name, mode) || text_equals(name, mode->name)))
        return notes;
    *mode = (struct mode_name){0};
    return notes_split(qso_text(writing->qso, FIELD_NOTES), false);
}

/* Writes MODE, and SUBMODE if the mode is a submode. For an unknown digital mode, only our extra
 * field is written. */
void to_fields_mode(struct writing *writing, const struct row *row)
{
    const int64_t mode = to_fields_value_of(writing, row)->integer;
    const struct text own = text_of(fields[row->field].choices[mode]);
    struct mode_name found = {own, own};
    if (mode == MODE_DIGITAL)
        split_notes(writing, &found);
    else if (mode == MODE_USB || mode == MODE_LSB)
        found.mode = text_of("SSB");
    else if (!text_is_one_of(own, "FM AM SSB CW") && !modes_find(own, &found))
        return;
    to_fields_add(writing, SLOT_MODE, found.mode);
    if (!text_equals(found.name, found.mode))
        to_fields_add(writing, SLOT_SUBMODE, found.name);
}

void to_fields_notes(struct writing *writing, const struct row *row)
{
    struct mode_name digital;
    struct notes notes = split_notes(writing, &digital);
    to_fields_add_text(writing, SLOT_NAME, SLOT_NAME_INTL, notes.parts[NOTES_NAME], ESCAPE_LINE);
    to_fields_add_text(writing, SLOT_QTH, SLOT_QTH_INTL, notes.parts[NOTES_QTH], ESCAPE_LINE);
    to_fields_add_text(writing, row->slot, row->intl, notes.parts[NOTES_BODY], ESCAPE_LINES);
}
