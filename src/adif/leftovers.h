/* A record's extra fields: the parts that its QSO cannot contain, and the fields whose values would
 * be written differently. These fields are stored unchanged with the QSO, so that an exported log
 * contains them.
 *
 * The fields have the format of a record: <IOTA:6>EU-005<DARC_DOK:3>F01, in UTF-8. */
#ifndef QSOSYNC_ADIF_LEFTOVERS_H
#define QSOSYNC_ADIF_LEFTOVERS_H

#include "adif/record.h"
#include "adif/rows.h"
#include "adif/slots.h"

#define LEFTOVERS_BYTES_MAX 4000 /* maximum length of a QSO's extra fields */

/* The extra field with the plan and the number of a CB channel, such as UK 19. A QSO on 11 m has no
 * channel, because the same number has different frequencies in different plans. */
#define LEFTOVERS_CB_CHANNEL "APP_QSOSYNC_CB_CHANNEL"

/* Collects the record's extra fields, without empty fields. If a standard field is missing or
 * different among the fields written for the QSO, all standard fields in its group are collected.
 * Fields that are neither standard fields nor our own extra fields are always collected. Returns
 * the extra fields as a text in the arena, or no text if there are no extra fields. A field that
 * would exceed LEFTOVERS_BYTES_MAX is left out and reported. */
struct text leftovers_collect(struct reading *reading, const struct slots *written);

/* Lists the extra fields. The names and values are views into the text. The list ends at a
 * malformed field. */
struct record leftovers_list(struct text leftovers, struct arena *arena);

/* Sorts the extra fields into slots (slots_sort). */
struct slots leftovers_sort(struct text leftovers, struct arena *arena);

/* Returns the groups of the standard fields among the extra fields, as a set of bits. The fields in
 * a group, such as QSO_DATE and TIME_ON, have a meaning only together. */
unsigned leftovers_groups(const struct slots *leftovers);

/* Returns the extra fields without the standard fields outside these groups, in the arena. Returns
 * no text if no field remains. */
struct text leftovers_select(struct text leftovers, unsigned groups, struct arena *arena);

/* Replaces the written fields in these groups with the extra fields. */
void leftovers_replace(struct writing *writing, const struct slots *leftovers, unsigned groups);

/* Adds the extra fields that are not standard fields, after all other fields. Leaves out a CB
 * channel that is not on the QSO's frequency. */
void leftovers_add_rest(struct writing *writing, const struct slots *leftovers);

#endif
