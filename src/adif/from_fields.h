/* Converts standard ADIF fields to a QSO's values. Each row's function reads its value if the
 * record contains the value, and reports invalid values. */
#ifndef QSOSYNC_ADIF_FROM_FIELDS_H
#define QSOSYNC_ADIF_FROM_FIELDS_H

#include "adif/band_match.h"
#include "adif/record.h"
#include "adif/rows.h"

/* The functions that rows use to read their values. */
void from_fields_text(struct reading *reading, const struct row *row);
void from_fields_station(struct reading *reading, const struct row *row);
void from_fields_frequency(struct reading *reading, const struct row *row);
void from_fields_channel(struct reading *reading, const struct row *row);
void from_fields_locator(struct reading *reading, const struct row *row);
void from_fields_coordinate(struct reading *reading, const struct row *row);
void from_fields_power(struct reading *reading, const struct row *row);
void from_fields_split(struct reading *reading, const struct row *row);
void from_fields_letter(struct reading *reading, const struct row *row);
void from_fields_qsl(struct reading *reading, const struct row *row);

/* Read the time and the band, on which the whole record depends. If the record must be rejected,
 * the functions report the reason and return false. */
bool from_fields_time(struct reading *reading);
bool from_fields_band_match(struct reading *reading, struct band_match_fields *said);

/* Returns the text of a standard field in UTF-8, trimmed. The length is 0 if the field is missing
 * or empty. */
struct text from_fields_take(struct reading *reading, enum slot slot);

/* Stores a text as the row's value. An empty text has no effect; an invalid text is left out and
 * reported. */
void from_fields_keep_text(struct reading *reading, const struct row *row, enum slot slot,
                           struct text text);

/* Report a notice about a field if the caller receives notices. The first function reports any
 * notice, the second that a standard field's value is left out. The reason must stay valid as long
 * as the arena. */
void from_fields_report(struct reading *reading, enum mapped_notice notice,
                        const struct record_field *field, const char *reason);
void from_fields_leave_out(struct reading *reading, enum slot slot, const char *reason);

/* Returns the text of the _INTL field, which is for texts that are not ASCII, or else of the field
 * without _INTL. *from receives the field that contains the text. */
struct text from_fields_take_either(struct reading *reading, enum slot slot, enum slot intl,
                                    enum slot *from);

/* Returns the QSO's value that the row fills. */
struct value *from_fields_value_of(struct reading *reading, const struct row *row);

/* Stores a number without checking its range. */
void from_fields_keep_number(struct reading *reading, const struct row *row, int64_t number);

/* Stores an integer if the field table allows it. Otherwise, the integer is left out and
 * reported. */
void from_fields_keep_integer(struct reading *reading, const struct row *row, enum slot slot,
                              int64_t integer);

/* If there is a rejection, reports that the field's value is left out. */
void from_fields_keep(struct reading *reading, enum slot slot, const struct rejection *rejection);

/* Returns the reason for a rejection: a sentence without the field's name, or the stable code. */
const char *from_fields_reason_of(const struct rejection *rejection);

/* Reports that a standard field's value was changed to fit. */
void from_fields_report_change(struct reading *reading, enum slot slot, const char *reason);

/* Returns whether the text contains only digits, which is also true of an empty text. */
bool from_fields_are_digits(struct text text);

#endif
