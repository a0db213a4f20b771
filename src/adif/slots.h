/* Sorts the fields of a record by name: those of ADIF for which a QSO has one, our own extra
 * fields, and the rest. */
#ifndef QSOSYNC_ADIF_SLOTS_H
#define QSOSYNC_ADIF_SLOTS_H

#include "adif/record.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "qso/qso.h"

/* NULL: the record has no such field. */
struct slots {
    const struct record_field *standard[SLOT_COUNT];
    const struct record_field *extra[FIELD_COUNT];
    const struct record_field **rest; /* those that are neither, in the record's order */
    size_t rest_count;
};

/* Of a field that occurs twice the last one counts. The list of the rest is in the arena. */
void slots_sort(const struct record *record, struct arena *arena, struct slots *out);

/* The upper-case name of a standard field. */
const char *slots_name(enum slot slot);

/* The standard fields that say one thing together (schema/fields.json). */
enum adif_group slots_group(enum slot slot);

/* True for free texts, which may hold anything. */
bool slots_is_free_text(enum slot slot);
bool slots_is_free_text_name(struct text name);

/* Appends APP_QSOSYNC_ and the name of our field, as QSO_AT for qsoAt. */
void slots_append_extra_name(enum field_index field, struct buffer *buffer);

#endif
