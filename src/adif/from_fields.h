/* Converts standard fields of ADIF to values of a QSO. Each function of a row fills its value if
 * the record has one, and reports invalid values. */
#ifndef QSOSYNC_ADIF_FROM_FIELDS_H
#define QSOSYNC_ADIF_FROM_FIELDS_H

#include "adif/band_match.h"
#include "adif/record.h"
#include "adif/rows.h"

/* Functions of rows. */
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

/* Read the time and the band, on which the whole record depends. Return false if the record is
 * rejected, after reporting the reason. */
bool from_fields_time(struct reading *reading);
bool from_fields_band_match(struct reading *reading, struct band_match_fields *said);

/* Returns the text of a standard field in UTF-8, trimmed; length 0: the field is missing or empty.
 */
struct text from_fields_take(struct reading *reading, enum slot slot);

/* Parses a text as the value of the row. An invalid text is left out and reported. */
void from_fields_keep_text(struct reading *reading, const struct row *row, enum slot slot,
                           struct text text);

/* Report a notice about a field if the caller receives notices, and report that the value of a
 * standard field is left out. The reason lives as long as the arena. */
void from_fields_report(struct reading *reading, enum mapped_notice notice,
                        const struct record_field *field, const char *reason);
void from_fields_leave_out(struct reading *reading, enum slot slot, const char *reason);

/* Returns the _INTL field, for texts that are not ASCII, or else the field of the same name without
 * it. *from is the field with the text. */
struct text from_fields_take_either(struct reading *reading, enum slot slot, enum slot intl,
                                    enum slot *from);

/* Returns the value of the QSO that the row fills. */
struct value *from_fields_value_of(struct reading *reading, const struct row *row);

/* Stores a number without a check. */
void from_fields_keep_number(struct reading *reading, const struct row *row, int64_t number);

/* Stores an integer that the field table allows. Another integer is left out and reported. */
void from_fields_keep_integer(struct reading *reading, const struct row *row, enum slot slot,
                              int64_t integer);

/* Reports that a value is left out if there is a rejection. */
void from_fields_keep(struct reading *reading, enum slot slot, const struct rejection *rejection);

/* Returns the reason of a rejection: a sentence without the field, or the stable code. */
const char *from_fields_reason_of(const struct rejection *rejection);

/* Reports that the value of a standard field was changed to fit. */
void from_fields_report_change(struct reading *reading, enum slot slot, const char *reason);

/* Returns whether the text has only digits. */
bool from_fields_are_digits(struct text text);

#endif
