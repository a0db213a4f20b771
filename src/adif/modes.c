/* Which mode of ADIF a name stands for, by the lines of schema/adif_modes.tsv; and what a QSO has
 * no field for, in its notes. Which modes are ours, and what becomes of the others, is left to
 * from_fields.c and to_fields.c. */
#include "adif/modes.h"

#include <stddef.h>
#include <string.h>

static const struct mode_name names[] = {
#include "schema/mode_rows.inc"
};

const struct mode_name *modes_find(struct text name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.bytes && text_equals_ignoring_case(name, names[i].name))
            return &names[i];
    return NULL;
}

/* Puts values for which a QSO has no field into its notes, and finds them there again. The lines
 * are found only at the beginning, in their order and each once: then joining the parts gives back
 * every text that was split. Which fields these are is decided in mapping.c. */

static const char *const labels[NOTES_BODY] = {
    [NOTES_NAME] = "Name: ", [NOTES_QTH] = "QTH: ", [NOTES_MODE] = "Mode: "};

/* Takes a line with the label from the text; its content has no space at either end, or it would be
 * written back as another text. */
static bool take_line(struct text *text, const char *label, struct text *content)
{
    size_t size = strlen(label);
    if (text->length <= size || memcmp(text->bytes, label, size) != 0)
        return false;
    const char *end = memchr(text->bytes, '\n', text->length);
    size_t line = end ? (size_t)(end - text->bytes) : text->length;
    struct text found = {text->bytes + size, line - size};
    if (line <= size || text_trim(found).length != found.length)
        return false;
    if (end && line + 1 == text->length)
        return false;
    *content = found;
    text->bytes += end ? line + 1 : line;
    text->length -= end ? line + 1 : line;
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
    const struct value *mode = &qso->values[FIELD_MODE];
    return mode->presence == VALUE_PRESENT && mode->integer == MODE_DIGITAL;
}

struct notes notes_of_qso(const struct qso *qso)
{
    return notes_split(qso_text(qso, FIELD_NOTES), notes_may_name_mode(qso));
}

struct text notes_join(const struct notes *notes, struct arena *arena)
{
    size_t length = 0;
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (notes->parts[part].bytes)
            length += notes->parts[part].length + strlen("\nName: ");
    if (length == 0)
        return (struct text){0};
    char *out = arena_allocate(arena, length), *at = out;
    for (int part = 0; part < NOTES_PART_COUNT; part++) {
        if (!notes->parts[part].bytes)
            continue;
        if (at > out)
            *at++ = '\n';
        if (part < NOTES_BODY)
            at = stpcpy(at, labels[part]);
        memcpy(at, notes->parts[part].bytes, notes->parts[part].length);
        at += notes->parts[part].length;
    }
    return (struct text){out, (size_t)(at - out)};
}
