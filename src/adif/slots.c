/* Finds a field's slot by the field's name. The rows of standard.c interpret and check the
 * values. */
#include "adif/slots.h"

#include <ctype.h>
#include <string.h>

#include "adif/record.h"
#include "qso/fields.h"

const struct slot_facts slot_table[SLOT_COUNT] = {
#include "schema/adif_names.inc"
};

static int find_extra(struct text name)
{
    int field = 0;
    while (field < FIELD_COUNT && !text_equals_ignoring_case(name, fields[field].adif_name))
        field++;
    return field;
}

static enum slot find_standard(struct text name)
{
    for (enum slot slot = 0; slot < SLOT_COUNT; slot++)
        if (toupper((unsigned char)name.bytes[0]) == slot_table[slot].name[0] &&
            text_equals_ignoring_case(name, slot_table[slot].name))
            return slot;
    return SLOT_NONE;
}

bool slots_is_free_text_name(struct text name)
{
    enum slot slot = find_standard(name);
    return slot != SLOT_NONE && slot_table[slot].is_free_text;
}

/* Stores a field in its slot. If a field is repeated, its last non-empty value counts. */
static void put(const struct record_field **slot, const struct record_field *field)
{
    if (!*slot || text_trim(field->value).length > 0)
        *slot = field;
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
            put(&out->standard[slot], field);
        else if (extra < FIELD_COUNT)
            put(&out->extra[extra], field);
        else
            out->rest[out->rest_count++] = field;
    }
}
