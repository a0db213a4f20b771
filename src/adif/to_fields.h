/* Converts a QSO's values to standard ADIF fields. Each row's function adds the fields for a
 * value. */
#ifndef QSOSYNC_ADIF_TO_FIELDS_H
#define QSOSYNC_ADIF_TO_FIELDS_H

#include "adif/rows.h"

/* The functions that rows use to write their values. The QSO must have the value, except for
 * to_fields_station. */
void to_fields_text(struct writing *writing, const struct row *row);
void to_fields_station(struct writing *writing, const struct row *row);
void to_fields_time(struct writing *writing, const struct row *row);
void to_fields_band(struct writing *writing, const struct row *row);
void to_fields_frequency(struct writing *writing, const struct row *row);
void to_fields_mode(struct writing *writing, const struct row *row);
void to_fields_plain(struct writing *writing, const struct row *row);
void to_fields_coordinate(struct writing *writing, const struct row *row);
void to_fields_split(struct writing *writing, const struct row *row);
void to_fields_letter(struct writing *writing, const struct row *row);
void to_fields_qsl(struct writing *writing, const struct row *row);
void to_fields_notes(struct writing *writing, const struct row *row);

/* Returns a text without control characters, and without a "<" that other programs would mistake
 * for the beginning of a field. The text is on one line, on several lines with CR LF, or has its
 * original line breaks and tabs. */
enum escape_mode { ESCAPE_LINE, ESCAPE_LINES, ESCAPE_AS_IT_CAME };
struct text to_fields_escape_text(struct writing *writing, struct text text, enum escape_mode mode);

/* Adds OPERATOR with the person who made the QSO. If `maker` has no text, nothing is added. */
void to_fields_operator(struct writing *writing, struct text maker);

/* Adds a standard field, unless the value is empty. */
void to_fields_add(struct writing *writing, enum slot slot, struct text value);

/* Adds the field APP_QSOSYNC_… with the value in the API's format. Texts are percent-encoded. If
 * the value is null, the field is empty. */
void to_fields_extra(struct writing *writing, enum field_index field);

/* Returns the QSO's value for the row. */
const struct value *to_fields_value_of(const struct writing *writing, const struct row *row);

/* Adds a text that is escaped in this mode. In strict records, a text that is not ASCII is written
 * to the _INTL field, or left out if `intl` is SLOT_NONE. */
void to_fields_add_text(struct writing *writing, enum slot slot, enum slot intl, struct text text,
                        enum escape_mode mode);

#endif
