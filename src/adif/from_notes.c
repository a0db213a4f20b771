/* Reads MODE and SUBMODE, and the fields that become notes: NAME, QTH, NOTES, COMMENT. A part that
 * would make the notes too long is left out and reported; the other parts are kept. notes.c decides
 * the format of the notes, and modes.c the meaning of modes. */
#include "adif/from_notes.h"

#include <string.h>

#include "adif/encoding.h"
#include "adif/from_fields.h"
#include "adif/modes.h"
#include "adif/notes.h"
#include "adif/rows.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "qso/values.h"

/* Stores the mode and returns true if `name` is one of our modes other than DIGITAL, or another
 * word for such a mode. DIGITAL covers all further modes. */
static bool keep_named_mode(struct reading *reading, const struct row *row, struct text name)
{
    const char *const *modes = fields[row->field].choices;
    const char *other = modes_find_other_word(name);
    for (size_t i = 0; modes[i]; i++)
        if (i != MODE_DIGITAL && (text_equals_ignoring_case(name, modes[i]) ||
                                  (other && strcmp(other, modes[i]) == 0))) {
            from_fields_keep_text(reading, row, row->slot, text_of(modes[i]));
            return true;
        }
    return false;
}

static bool keep_digital_mode(struct reading *reading, const struct row *row, struct text name)
{
    struct mode_name found;
    const bool is_name = modes_find_digital(name, reading->arena, &found);
    if (!is_name && !text_is_one_of(name, "DIGITAL DATA DIGI"))
        return false;
    if (is_name && keep_named_mode(reading, row, name))
        return true;
    from_fields_keep_text(reading, row, row->slot, text_of("DIGITAL"));
    if (is_name)
        reading->out->notes.parts[NOTES_MODE] = found.name;
    return true;
}

/* Returns whether the mode is FM, AM or CW, whose submodes a QSO does not distinguish. */
static bool is_plain_mode(struct text mode)
{
    const char *other = modes_find_other_word(mode);
    return text_is_one_of(other ? text_of(other) : mode, "FM AM CW");
}

void from_notes_mode(struct reading *reading, const struct row *row)
{
    struct text mode = from_fields_take(reading, SLOT_MODE);
    struct text submode = from_fields_take(reading, SLOT_SUBMODE);
    struct mode_name found;
    const bool is_plain = is_plain_mode(mode), is_side = text_is_one_of(mode, "USB LSB");
    if (!is_plain && text_is_one_of(submode, "USB LSB") && keep_named_mode(reading, row, submode))
        return;
    if (submode.length > 0 && !is_plain && !text_equals_ignoring_case(mode, "SSB") &&
        (!is_side || modes_find(submode, &found)) && keep_digital_mode(reading, row, submode))
        return;
    if (submode.length > 0 && !text_equals_ignoring_case(submode, "PCW"))
        from_fields_leave_out(reading, SLOT_SUBMODE, "does not belong to the mode");
    if (mode.length > 0 && !keep_named_mode(reading, row, mode) &&
        !keep_digital_mode(reading, row, mode))
        from_fields_leave_out(reading, SLOT_MODE, "is not a mode of ADIF");
}

/* Replaces each line break with the character `with`: LF, or a space if the text must be on one
 * line. */
static struct text break_lines(struct reading *reading, struct text text, char with)
{
    char *out = arena_allocate(reading->arena, text.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char character = text.bytes[i];
        if (character == '\r' && i + 1 < text.length && text.bytes[i + 1] == '\n')
            continue;
        out[length++] = character == '\r' || character == '\n' ? with : character;
    }
    return (struct text){out, length};
}

/* Adds a part to the notes. If the notes would become too long or otherwise invalid, the part is
 * left out and reported. */
static void add_part(struct reading *reading, const struct row *row, enum notes_part part,
                     enum slot slot, struct text text)
{
    struct notes notes = reading->out->notes;
    if (text.length == 0)
        return;
    notes.parts[part] = text;
    const struct rejection *rejection =
        values_parse(&fields[row->field], notes_join(&notes, reading->arena), reading->arena,
                     &reading->out->qso.values[row->field]);
    if (rejection)
        from_fields_leave_out(reading, slot,
                              arena_print(reading->arena, "does not fit: the notes %s",
                                          from_fields_reason_of(rejection)));
    else
        reading->out->notes = notes;
}

static struct text two_paragraphs(struct reading *reading, struct text first, struct text second)
{
    struct buffer out = {0};
    if (first.length == 0)
        return second;
    buffer_append(&out, first.bytes, first.length);
    buffer_append_string(&out, "\n\n");
    buffer_append(&out, second.bytes, second.length);
    return encoding_take(&out, reading->arena);
}

void from_notes_text(struct reading *reading, const struct row *row)
{
    enum slot name_slot, qth_slot, notes_slot, comment_slot;
    struct text name = from_fields_take_either(reading, SLOT_NAME, SLOT_NAME_INTL, &name_slot);
    struct text qth = from_fields_take_either(reading, SLOT_QTH, SLOT_QTH_INTL, &qth_slot);
    struct text notes = from_fields_take_either(reading, SLOT_NOTES, SLOT_NOTES_INTL, &notes_slot);
    struct text comment =
        from_fields_take_either(reading, SLOT_COMMENT, SLOT_COMMENT_INTL, &comment_slot);
    notes = break_lines(reading, notes, '\n');
    comment = break_lines(reading, comment, '\n');
    if (reading->out->notes.parts[NOTES_MODE].bytes)
        add_part(reading, row, NOTES_MODE, SLOT_MODE, reading->out->notes.parts[NOTES_MODE]);
    add_part(reading, row, NOTES_NAME, name_slot, break_lines(reading, name, ' '));
    add_part(reading, row, NOTES_QTH, qth_slot, break_lines(reading, qth, ' '));
    add_part(reading, row, NOTES_BODY, notes_slot, notes);
    if (comment.length > 0 && !text_equals(comment, notes))
        add_part(reading, row, NOTES_BODY, comment_slot,
                 two_paragraphs(reading, reading->out->notes.parts[NOTES_BODY], comment));
    /* Finds the parts again as notes_split will find them in the stored text, because a body can
     * begin like one of our lines. */
    reading->out->notes = notes_of_qso(&reading->out->qso);
}
