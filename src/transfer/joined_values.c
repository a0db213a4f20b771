/* Compares a stored QSO with the result of merging a record into that QSO. */
#include "transfer/joined_values.h"

#include "adif/merge.h"
#include "adif/notes.h"
#include "base/buffer.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/content.h"
#include "qso/fields.h"
#include "qso/values.h"

static struct text show(const struct field *field, const struct value *value, struct arena *arena)
{
    struct buffer out = {0};
    if (value->state != VALUE_PRESENT)
        return (struct text){0};
    values_format(field, value, &out);
    struct text rest = {out.bytes, out.length};
    for (int i = 0; i < JOINED_VALUE_MAX && rest.length > 0; i++)
        rest = text_skip(rest, text_first_length(rest));
    char *shown = arena_copy(arena, out.bytes ? out.bytes : "", out.length - rest.length);
    const struct text text = {shown, out.length - rest.length};
    buffer_free(&out);
    text_replace_control(shown, text.length);
    return text;
}

static bool has_value(const struct field *field, const struct value *value)
{
    return value->state == VALUE_PRESENT && (field->kind != KIND_BOOLEAN || value->integer);
}

/* Returns whether a part of the notes has changed. Additional parts do not count, because they only
 * complete the notes. */
static bool are_notes_corrected(const struct qso *stored, const struct qso *merged)
{
    const struct notes before = notes_of_qso(stored), after = notes_of_qso(merged);
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (before.parts[part].bytes && !text_equals(before.parts[part], after.parts[part]))
            return true;
    return false;
}

bool joined_values_compare(const struct merging *merging, const struct qso *merged,
                           const struct joined_watch *watch, struct arena *arena)
{
    bool is_any_corrected = false;
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        const struct value *old = &merging->stored->values[i], *new = &merged->values[i];
        if (!content_has(field) || i == FIELD_CLIENT_ID)
            continue;
        const bool is_corrected =
            has_value(field, old) && !values_equal(field, old, new) &&
            (i != FIELD_NOTES || are_notes_corrected(merging->stored, merged));
        const bool is_kept = merging->way == MERGE_FILL && i != FIELD_NOTES && !is_corrected &&
                             merge_keeps_another(merging, merged, (enum field_index)i);
        is_any_corrected = is_any_corrected || is_corrected;
        if (watch->visit && is_corrected)
            watch->visit(watch->context, JOINED_CORRECTED, field, show(field, old, arena),
                         show(field, new, arena));
        else if (watch->visit && is_kept)
            watch->visit(watch->context, JOINED_KEPT, field, show(field, old, arena),
                         show(field, &merging->record->qso.values[i], arena));
    }
    return is_any_corrected;
}
