/* Sorts the fields in a record by name: standard ADIF fields that are mapped to a QSO's fields, our
 * own extra fields, and all other fields. */
#ifndef QSOSYNC_ADIF_SLOTS_H
#define QSOSYNC_ADIF_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "adif/record.h"
#include "qso/qso.h"
#include "base/arena.h"
#include "base/text.h"

/* The sorted fields; NULL: the record does not have the field. */
struct slots {
    const struct record_field *standard[SLOT_COUNT];
    const struct record_field *extra[FIELD_COUNT];
    const struct record_field **rest; /* all other fields, in the record's order */
    size_t rest_count;
};

/* Sorts the fields in a record. If a field is repeated, its last non-empty value counts. The list
 * `rest` is in the arena. */
void slots_sort(const struct record *record, struct arena *arena, struct slots *out);

/* The standard fields (schema/fields.json). */
extern const struct slot_facts {
    const char *name;      /* name in upper case */
    bool is_free_text;     /* whether the value can contain any text */
    enum adif_group group; /* the group of fields that have a meaning only together */
} slot_table[SLOT_COUNT];

/* Returns whether a standard field with this name contains free text. The name can be in upper or
 * lower case. */
bool slots_is_free_text_name(struct text name);

#endif
