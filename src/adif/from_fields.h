/* Standard fields of ADIF to values of a QSO: the functions that rows of the mapping table name. */
#ifndef QSOSYNC_ADIF_FROM_FIELDS_H
#define QSOSYNC_ADIF_FROM_FIELDS_H

#include "adif/rows.h"
#include "qso/fields.h"

/* Each fills the value of its row where the record holds one, and reports what does not fit. */
void from_fields_text(struct reading *reading, const struct row *row);
void from_fields_station(struct reading *reading, const struct row *row);
void from_fields_frequency(struct reading *reading, const struct row *row);
void from_fields_channel(struct reading *reading, const struct row *row);
void from_fields_locator(struct reading *reading, const struct row *row);
void from_fields_coordinate(struct reading *reading, const struct row *row);
void from_fields_power(struct reading *reading, const struct row *row);
void from_fields_split(struct reading *reading, const struct row *row);
void from_fields_path(struct reading *reading, const struct row *row);
void from_fields_qsl(struct reading *reading, const struct row *row);
void from_fields_qsl_via(struct reading *reading, const struct row *row);

/* Time and band, which decide about the whole record; false: the record is refused, and the reason
 * reported. */
bool from_fields_time(struct reading *reading);
bool from_fields_tuning(struct reading *reading, struct tuning_fields *said);

/* The text of a standard field in UTF-8, trimmed; length 0: there is none. */
struct text from_fields_take(struct reading *reading, enum slot slot);

/* The same from two fields, of which the second (_INTL, for texts that are not ASCII) wins; *from
 * is the field that held the text. */
struct text from_fields_take_either(struct reading *reading, enum slot slot, enum slot intl,
                                    enum slot *from);

/* Parses a text that is there as the value of the row; one that does not fit is left out and
 * reported. */
void from_fields_keep_text(struct reading *reading, const struct row *row, enum slot slot,
                           struct text text);

/* Gives a notice about a field, unless the pass gives none; and one that says that the value of a
 * standard field is left out. reason lives as long as the arena. */
void from_fields_report(struct reading *reading, enum mapped_notice notice,
                        const struct record_field *field, const char *reason);
void from_fields_leave_out(struct reading *reading, enum slot slot, const char *reason);

/* The rejection's sentence without our name of the field. */
const char *from_fields_reason(const struct field *field, const struct rejection *rejection);

/* The mode and the notes of a QSO from standard fields of ADIF. They belong together: the exact
 * name of a digital mode is kept in the notes. */

/* Functions for rows of the mapping table; the mode's row comes first. */
void from_notes_mode(struct reading *reading, const struct row *row);
void from_notes_text(struct reading *reading, const struct row *row);

#endif
