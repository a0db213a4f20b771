/* Surveys the cells of a sheet for everything that the file does not decide: the order of day and
 * month, lost zeros, cells that a spreadsheet has changed, and others. */
#ifndef QSOSYNC_TRANSFER_SHEET_FACTS_H
#define QSOSYNC_TRANSFER_SHEET_FACTS_H

#include "base/table.h"
#include "transfer/sheet.h"
#include "transfer/sheet_dates.h"

/* A cell as an example, with the number of its row. 0: no example. */
struct sheet_example {
    struct text cell;
    size_t row;
};

/* Dates in one order: how many exist, how many of these are in the future, and the first and the
 * last day. */
struct sheet_ordered {
    size_t fits, late;
    int64_t first_ms, last_ms;
};

struct sheet_facts {
    enum sheet_order order;    /* of the dates in files of a known program; ORDER_NONE: unknown */
    struct sheet_example date; /* the first date whose order depends on the file */
    size_t dates;              /* number of such dates */
    bool is_dotted;            /* whether the first such date has dots */
    struct sheet_ordered orders[ORDER_COUNT];
    struct sheet_example short_date, serial;
    size_t days, times;              /* number of dates and times, wherever they are */
    struct sheet_example time;       /* the first time without a zone */
    struct sheet_example lost_zero;  /* a time of three or five digits */
    struct sheet_example short_time; /* a time of one or two digits */
    struct table number_calls;       /* struct sheet_example by the cell in place of a callsign */
    /* the first date in place of a value, by the column's index */
    struct sheet_example dates_elsewhere[SHEET_COLUMNS_MAX];
    struct sheet_example bare; /* a frequency that can be a channel */
    struct table channels;     /* struct sheet_example of channels without a frequency, by name */
    bool has_cb_channel;       /* whether one of them is on CB only, because of its number */
    bool has_tone;
    struct sheet_example toned; /* a channel that can be one of PMR446, with a tone */
    bool is_untuned;            /* whether a row has no frequency, channel or band */
};

/* Surveys a sheet. The tables are in the sheet's arena. */
void sheet_survey(const struct sheet *sheet, int64_t now_ms, struct sheet_facts *out);

/* Returns whether a day is not later than tomorrow. */
bool sheet_is_past(struct sheet_day day, int64_t now_ms);

/* Returns whether a spreadsheet has changed a value of this field, such as 8-12, into a date. */
bool sheet_is_date_instead(enum sheet_field field, struct text cell);

/* Writes the value that a spreadsheet changed into a date: 8-12 in a column of channels, 59 in a
 * column of reports. */
#define SHEET_RESTORED_SIZE 24
void sheet_restore(struct text cell, bool is_month_first, enum sheet_field field,
                   char out[SHEET_RESTORED_SIZE]);

#endif
