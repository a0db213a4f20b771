/* Values of a QSO to standard fields of ADIF: the functions that rows of the mapping table name. */
#ifndef QSOSYNC_ADIF_TO_FIELDS_H
#define QSOSYNC_ADIF_TO_FIELDS_H

#include "adif/rows.h"

/* Each adds the fields of its row for a QSO that has the value. */
void to_fields_text(struct writing *writing, const struct row *row);
void to_fields_station(struct writing *writing, const struct row *row);
void to_fields_time(struct writing *writing, const struct row *row);
void to_fields_band(struct writing *writing, const struct row *row);
void to_fields_frequency(struct writing *writing, const struct row *row);
void to_fields_mode(struct writing *writing, const struct row *row);
void to_fields_plain(struct writing *writing, const struct row *row);
void to_fields_coordinate(struct writing *writing, const struct row *row);
void to_fields_split(struct writing *writing, const struct row *row);
void to_fields_path(struct writing *writing, const struct row *row);
void to_fields_qsl(struct writing *writing, const struct row *row);
void to_fields_qsl_via(struct writing *writing, const struct row *row);
void to_fields_notes(struct writing *writing, const struct row *row);

/* Adds who made the QSO. */
void to_fields_operator(struct writing *writing, struct text maker);

/* Adds a standard field, unless the value is empty. */
void to_fields_add(struct writing *writing, enum slot slot, struct text value);

/* Adds the field APP_QSOSYNC_… with the value as the API writes it; length 0: null. */
void to_fields_extra(struct writing *writing, enum field_index field);

#endif
