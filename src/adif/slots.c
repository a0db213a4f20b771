/* The table of all names that mapping.c knows, and the sorting of a record's fields by it. A name
 * that is not here has no field in a QSO. What a value means, and whether it is right, is left to
 * the rows of mapping.c. */
#include "adif/slots.h"

#include <string.h>

#include "qso/fields.h"

#define EXTRA_PREFIX "APP_QSOSYNC_"

static const struct {
    const char *name;
    bool free_text;
    enum adif_group group;
} names[SLOT_COUNT] = {
#include "schema/adif_names.inc"
};

const char *slots_name(enum slot slot)
{
    return names[slot].name;
}

enum adif_group slots_group(enum slot slot)
{
    return names[slot].group;
}

bool slots_is_free_text(enum slot slot)
{
    return names[slot].free_text;
}

static bool is_upper(char character)
{
    return character >= 'A' && character <= 'Z';
}

static char to_upper(char character)
{
    return character >= 'a' && character <= 'z' ? (char)(character - 'a' + 'A') : character;
}

void slots_append_extra_name(enum field_index field, struct buffer *buffer)
{
    buffer_append_string(buffer, EXTRA_PREFIX);
    for (const char *at = fields[field].name; *at; at++) {
        char character = to_upper(*at);
        if (is_upper(*at))
            buffer_append(buffer, "_", 1);
        buffer_append(buffer, &character, 1);
    }
}

/* QSO_AT is qsoAt, in any case. */
static bool is_extra_name(const char *field, struct text name)
{
    size_t at = 0;
    for (; *field; field++) {
        if (is_upper(*field) && (at >= name.length || name.bytes[at++] != '_'))
            return false;
        if (at >= name.length || to_upper(name.bytes[at++]) != to_upper(*field))
            return false;
    }
    return at == name.length;
}

static int find_extra(struct text name)
{
    size_t prefix = strlen(EXTRA_PREFIX);
    if (name.length <= prefix ||
        !text_equals_ignoring_case((struct text){name.bytes, prefix}, EXTRA_PREFIX))
        return FIELD_COUNT;
    struct text rest = {name.bytes + prefix, name.length - prefix};
    for (int field = 0; field < FIELD_COUNT; field++)
        if (is_extra_name(fields[field].name, rest))
            return field;
    return FIELD_COUNT;
}

static enum slot find_standard(struct text name)
{
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (to_upper(name.bytes[0]) == names[slot].name[0] &&
            text_equals_ignoring_case(name, names[slot].name))
            return slot;
    return SLOT_NONE;
}

bool slots_is_free_text_name(struct text name)
{
    enum slot slot = find_standard(name);
    return slot != SLOT_NONE && names[slot].free_text;
}

void slots_sort(const struct record *record, struct arena *arena, struct slots *out)
{
    memset(out, 0, sizeof *out);
    out->rest = arena_allocate(arena, record->count * sizeof(struct record_field *));
    for (size_t i = 0; i < record->count; i++) {
        const struct record_field *field = &record->fields[i];
        enum slot slot = find_standard(field->name);
        int extra = slot == SLOT_NONE ? find_extra(field->name) : FIELD_COUNT;
        if (slot != SLOT_NONE)
            out->standard[slot] = field;
        else if (extra < FIELD_COUNT)
            out->extra[extra] = field;
        else
            out->rest[out->rest_count++] = field;
    }
}
