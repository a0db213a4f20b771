/* Parts of a record that its QSO cannot hold: fields without a place in the QSO, and fields whose
 * value would be written differently. They are stored unchanged with the QSO, so that an exported
 * log keeps them.
 *
 * They have the form of a record: <IOTA:6>EU-005<DARC_DOK:3>F01, in UTF-8. */
#ifndef QSOSYNC_ADIF_LEFTOVERS_H
#define QSOSYNC_ADIF_LEFTOVERS_H

#include "adif/record.h"
#include "adif/rows.h"
#include "adif/slots.h"

#define LEFTOVERS_BYTES_MAX 4000 /* bytes per QSO */

/* Returns the extra fields of a record, which the written fields of its QSO do not contain, in the
 * arena; no text: none. Fields beyond LEFTOVERS_BYTES_MAX are reported. */
struct text leftovers_collect(struct reading *reading, const struct slots *written);

/* Lists the extra fields. The names and values point into the text. The list ends at a malformed
 * field. */
struct record leftovers_list(struct text leftovers, struct arena *arena);

/* Sorts the extra fields by name. */
struct slots leftovers_sort(struct text leftovers, struct arena *arena);

/* Returns the groups of standard fields among the extra fields as a set of bits. The fields of a
 * group, such as QSO_DATE and TIME_ON, have a meaning only together. */
unsigned leftovers_groups(const struct slots *leftovers);

/* Returns the extra fields without standard fields of other groups, in the arena; no text: no field
 * remains. */
struct text leftovers_select(struct text leftovers, unsigned groups, struct arena *arena);

/* Replaces the written fields of these groups by extra fields. */
void leftovers_replace(struct writing *writing, const struct slots *leftovers, unsigned groups);

/* Adds the fields that have no place in a QSO, as the last fields. */
void leftovers_add_rest(struct writing *writing, const struct slots *leftovers);

#endif
