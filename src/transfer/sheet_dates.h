/* Reads dates and times in the cells of a sheet. A date that has several readings is returned with
 * all of them, because the whole file, or a person, decides. */
#ifndef QSOSYNC_TRANSFER_SHEET_DATES_H
#define QSOSYNC_TRANSFER_SHEET_DATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "transfer/sheet_pattern.h"

enum sheet_date_kind {
    DATE_NONE,
    DATE_YMD,   /* the order is certain */
    DATE_ABC,   /* three numbers whose order depends on the file */
    DATE_SHORT, /* a day and a month without a year */
    DATE_SERIAL /* days as spreadsheets count them */
};

struct sheet_date {
    enum sheet_date_kind kind;
    int parts[3];
    bool has_two_digits;            /* DATE_ABC: the third number has two digits */
    bool has_name;                  /* DATE_SHORT: the month has its name */
    double days;                    /* DATE_SERIAL */
    char rest[SHEET_VALUE_MAX + 1]; /* the text after the date */
};

enum sheet_order { ORDER_DMY, ORDER_MDY, ORDER_YMD, ORDER_COUNT, ORDER_NONE = ORDER_COUNT };
extern const char *const sheet_order_names[ORDER_COUNT];

struct sheet_day {
    int year, month, day;
};

/* A time of day. `digits` is the number of digits if the cell has only digits, otherwise 0. `zone`
 * is the zone that the cell names, UTC or an offset such as +09:00; empty: none. */
struct sheet_time {
    int hours, minutes, seconds, digits;
    char zone[7];
};

/* Read the text of a cell. They return false for any other text; *out then has the kind DATE_NONE.
 */
bool sheet_read_date(struct text cell, struct sheet_date *out);
bool sheet_read_time(struct text cell, struct sheet_time *out);

/* Finds the day of a date in a file with this order. A date without a year needs `year`, and a
 * serial date counts from 1904 if `is_1904`. Returns false if the day does not exist. */
bool sheet_day_of(const struct sheet_date *date, enum sheet_order order, int year, bool is_1904,
                  struct sheet_day *out);

/* Writes the text of the time in a cell with a date; an empty text if the cell has none. */
void sheet_time_in_date(const struct sheet_date *date, char out[SHEET_VALUE_MAX + 1]);

/* Return the beginning of a day in UTC, and the day of a point in time. */
int64_t sheet_ms_of(struct sheet_day day);
struct sheet_day sheet_day_at(int64_t ms);

#endif
