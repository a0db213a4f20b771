/* The fields of one row, for sheet_records.c. */
#ifndef QSOSYNC_TRANSFER_SHEET_ROW_H
#define QSOSYNC_TRANSFER_SHEET_ROW_H

#include "transfer/sheet_questions.h"
#include "transfer/sheet_result.h"

/* The state while rows are read from top to bottom, because a row can use the date of a row above.
 */
struct sheet_reader {
    const struct sheet *sheet;
    const struct sheet_facts *facts;
    const struct table *answers;
    const char *zone;
    enum sheet_order order;
    enum sheet_field *fields;         /* of the columns, after the answers */
    size_t places[SHEET_FIELD_COUNT]; /* index of the column of each field; SIZE_MAX: none */
    bool has_day, has_before, has_last;
    struct sheet_day day;    /* the last date of a row, or a date above the rows */
    struct sheet_day before; /* the last date of a row that exists */
    int days_after;
    int64_t last_ms; /* the last time below the same date */
    struct sheet_records *out;
    /* the current row */
    size_t row;
    struct text *restored; /* by the column's index: values in place of changed cells */
    bool has_band, has_frequency;
    double mhz;
};

/* Returns the row's cell of a field. */
struct text sheet_row_cell(const struct sheet_reader *reader, enum sheet_field field);

/* Appends a field of ADIF to the record, unless the value is empty. */
void sheet_row_put(struct sheet_reader *reader, const char *name, struct text value);

/* Adds a remark on the row. */
void sheet_row_remark(struct sheet_reader *reader, enum sheet_remark_kind kind, struct text text);

/* Finds the day of a date in a cell. Returns false if the cell has no date, or it does not exist.
 */
bool sheet_row_day(const struct sheet_reader *reader, struct text cell, struct sheet_day *day);

/* Takes the date of a row. A log without years can continue after the new year. */
void sheet_row_take_day(struct sheet_reader *reader, struct text cell);

/* Read the date and the time; the band, the frequency and the channel; and the other cells. The
 * first function returns false if an answer leaves the row out. */
bool sheet_row_read_when(struct sheet_reader *reader);
void sheet_row_read_tuning(struct sheet_reader *reader);
void sheet_row_read_rest(struct sheet_reader *reader);

/* Returns whether the text is a time with milliseconds, as in an export of the service. The records
 * of such a sheet are those that the service exports, so a row that was not edited changes nothing.
 */
bool sheet_row_is_exact(struct text text);

#endif
