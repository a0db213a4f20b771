/* Writes values for which a QSO has no field to the QSO's notes, and finds these values in the
 * notes again. Lines with such values are found only at the beginning of the notes, in their order,
 * and each at most once. Thus, joining the parts restores every text that was split. from_notes.c
 * decides which fields become notes. */
#include "adif/notes.h"

#include <string.h>

#include "adif/encoding.h"
#include "qso/qso.h"

static const char *const labels[NOTES_BODY] = {
    [NOTES_NAME] = "Name: ", [NOTES_QTH] = "QTH: ", [NOTES_MODE] = "Mode: "};

/* Removes a line with the label from the text, and returns whether the text began with such a line.
 * The content must have no space at either end, and text must follow the line's LF. Otherwise,
 * joining the parts would not restore the text. */
static bool take_line(struct text *text, const char *label, struct text *content)
{
    struct text rest = *text, line = text_split_next(&rest, '\n');
    bool ends_with_break = rest.bytes && rest.length == 0;
    if (!text_extends(line, label) || ends_with_break)
        return false;
    struct text found = text_skip(line, strlen(label));
    if (text_trim(found).length != found.length)
        return false;
    *content = found;
    *text = rest;
    return true;
}

struct notes notes_split(struct text text, bool with_mode)
{
    struct notes notes = {0};
    for (int part = NOTES_NAME; part < NOTES_BODY && text.length > 0; part++)
        if (part != NOTES_MODE || with_mode)
            take_line(&text, labels[part], &notes.parts[part]);
    if (text.length > 0)
        notes.parts[NOTES_BODY] = text;
    return notes;
}

bool notes_may_name_mode(const struct qso *qso)
{
    return qso_integer_or(qso, FIELD_MODE, MODE_COUNT) == MODE_DIGITAL;
}

struct notes notes_of_qso(const struct qso *qso)
{
    return notes_split(qso_text(qso, FIELD_NOTES), notes_may_name_mode(qso));
}

struct text notes_join(const struct notes *notes, struct arena *arena)
{
    struct buffer out = {0};
    for (int part = 0; part < NOTES_PART_COUNT; part++) {
        if (!notes->parts[part].bytes)
            continue;
        buffer_append_string(&out, out.length > 0 ? "\n" : "");
        buffer_append_string(&out, part < NOTES_BODY ? labels[part] : "");
        buffer_append(&out, notes->parts[part].bytes, notes->parts[part].length);
    }
    return encoding_take(&out, arena);
}
