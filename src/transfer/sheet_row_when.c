/* Dates and times of the rows: overflow past midnight, local times, and the end of a QSO. */
#include "transfer/sheet_row.h"

#include <ctype.h>
#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "transfer/sheet_zone.h"

#define JUMP_MS (12 * 60 * DATETIME_MINUTE_MS)
/* If two successive dates are further apart than this, a new year is between them. */
#define NEW_YEAR_MS (270 * DATETIME_DAY_MS)

bool sheet_row_is_exact(struct text text)
{
    int64_t ms;
    return text.length == DATETIME_TEXT_LENGTH && text.bytes[10] == 'T' &&
           text.bytes[DATETIME_TEXT_LENGTH - 1] == 'Z' && datetime_parse(text, &ms);
}

bool sheet_row_day(const struct sheet_reader *reader, struct text cell, struct sheet_day *day)
{
    const char *year = sheet_answer(reader->answers, "year");
    const char *serial = sheet_answer(reader->answers, "serial");
    struct sheet_date date;
    return sheet_read_date(cell, &date) &&
           sheet_day_of(&date, reader->order, year ? sheet_number_of(text_of(year)) : 0,
                        serial && strcmp(serial, "1904") == 0, day);
}

void sheet_row_take_day(struct sheet_reader *reader, struct text cell)
{
    struct sheet_date date;
    reader->has_day = sheet_row_day(reader, cell, &reader->day);
    reader->days_after = 0;
    reader->has_last = false;
    if (sheet_read_date(cell, &date) && date.kind == DATE_SHORT && reader->has_before) {
        const int year = reader->before.year;
        reader->has_day = sheet_day_of(&date, reader->order, year, false, &reader->day);
        const int64_t after =
            reader->has_day ? sheet_ms_of(reader->day) - sheet_ms_of(reader->before) : 0;
        if (after > NEW_YEAR_MS || after < -NEW_YEAR_MS) {
            reader->has_day = sheet_day_of(&date, reader->order, after > 0 ? year - 1 : year + 1,
                                           false, &reader->day);
            sheet_row_remark(reader, REMARK_OTHER_YEAR, cell);
        }
    }
    if (reader->has_day)
        reader->before = reader->day;
    reader->has_before = reader->has_before || reader->has_day;
}

enum clock_read { CLOCK_NONE, CLOCK_READ, CLOCK_OMITTED };

/* Reads the time of a cell, with the answer about zeros that were lost. */
static enum clock_read read_clock(const struct sheet_reader *reader, struct text cell,
                                  struct sheet_time *time)
{
    const char *zeros = sheet_answer(reader->answers, "zeros");
    if (!sheet_read_time(cell, time))
        return CLOCK_NONE;
    const bool is_short = time->digits == 1 || time->digits == 2;
    const bool is_lost = is_short || time->digits == 3 || time->digits == 5;
    if (is_lost && zeros && strcmp(zeros, "omit") == 0)
        return CLOCK_OMITTED;
    if (!is_short || !zeros || strcmp(zeros, "hours") != 0)
        return CLOCK_READ;
    time->hours = time->minutes;
    time->minutes = 0;
    return time->hours < 24 ? CLOCK_READ : CLOCK_NONE;
}

static int64_t ms_of_clock(const struct sheet_time *time)
{
    return ((time->hours * 60 + time->minutes) * 60 + time->seconds) * DATETIME_SECOND_MS;
}

/* Appends a point in time as the date and the time, without seconds if they are 0. */
static void put_stamp(struct sheet_reader *reader, const char *date_name, const char *time_name,
                      int64_t ms)
{
    char iso[DATETIME_TEXT_LENGTH], date[9], clock[7];
    datetime_format(ms, iso);
    format_cut(date, sizeof date, "%.4s%.2s%.2s", iso, iso + 5, iso + 8);
    format_cut(clock, sizeof clock, "%.2s%.2s%.2s", iso + 11, iso + 14,
               memcmp(iso + 17, "00", 2) == 0 ? "" : iso + 17);
    sheet_row_put(reader, date_name, text_of(date));
    sheet_row_put(reader, time_name, text_of(clock));
}

static int64_t to_utc(struct sheet_reader *reader, int64_t local_ms, const char *zone,
                      enum sheet_clock *clock)
{
    return sheet_zone_to_utc(local_ms, zone[0] ? zone : reader->zone, clock);
}

/* Reads the end of a QSO. An end before the start is on the next day. */
static void read_end(struct sheet_reader *reader, int64_t start_ms, const char *zone)
{
    char in_date[SHEET_VALUE_MAX + 1];
    const struct text off = sheet_row_cell(reader, SHEET_DATE_OFF);
    struct text cell = sheet_row_cell(reader, SHEET_TIME_OFF);
    struct sheet_date date;
    struct sheet_time end;
    struct sheet_day day;
    enum sheet_clock clock;
    sheet_read_date(off, &date);
    sheet_time_in_date(&date, in_date);
    if (cell.length == 0)
        cell = text_of(in_date);
    if (read_clock(reader, cell, &end) != CLOCK_READ)
        return;
    const int64_t start_day =
        start_ms - ((start_ms % DATETIME_DAY_MS) + DATETIME_DAY_MS) % DATETIME_DAY_MS;
    const int64_t from = sheet_row_day(reader, off, &day) ? sheet_ms_of(day) : start_day;
    int64_t local_ms = from + ms_of_clock(&end);
    if (local_ms < start_ms)
        local_ms += DATETIME_DAY_MS;
    put_stamp(reader, "QSO_DATE_OFF", "TIME_OFF",
              to_utc(reader, local_ms, end.zone[0] ? end.zone : zone, &clock));
}

/* Keeps the texts of a date or time that cannot be read, so that the import rejects the record and
 * names them. */
static void put_unread(struct sheet_reader *reader, struct text own, struct text cell,
                       const struct sheet_time *time)
{
    char text[12];
    format_cut(text, sizeof text, "%04d%02d%02d", reader->day.year, reader->day.month,
               reader->day.day);
    sheet_row_put(reader, "QSO_DATE", reader->has_day ? text_of(text) : own);
    if (time)
        format_cut(text, sizeof text, "%02d%02d", time->hours, time->minutes);
    sheet_row_put(reader, "TIME_ON", time ? text_of(text) : cell);
}

/* Copies the time with milliseconds of an export. */
static void put_exact(struct sheet_reader *reader, struct text at)
{
    char date[9], clock[7];
    format_cut(date, sizeof date, "%.4s%.2s%.2s", at.bytes, at.bytes + 5, at.bytes + 8);
    format_cut(clock, sizeof clock, "%.2s%.2s%.2s", at.bytes + 11, at.bytes + 14, at.bytes + 17);
    sheet_row_put(reader, "QSO_DATE", text_of(date));
    sheet_row_put(reader, "TIME_ON", text_of(clock));
    sheet_row_put(reader, "APP_QSOSYNC_QSO_AT", at);
}

bool sheet_row_read_when(struct sheet_reader *reader)
{
    char in_date[SHEET_VALUE_MAX + 1];
    const struct text both = sheet_row_cell(reader, SHEET_QSO_AT);
    struct text own = sheet_row_cell(reader, SHEET_DATE), cell = sheet_row_cell(reader, SHEET_TIME);
    const char *asked = sheet_answer(reader->answers, "time");
    struct sheet_date date;
    struct sheet_time time;
    enum sheet_clock clock;
    if (sheet_row_is_exact(both)) {
        put_exact(reader, both);
        return true;
    }
    own = own.length > 0 ? own : both;
    sheet_read_date(own, &date);
    if (own.length > 0)
        sheet_row_take_day(reader, own);
    sheet_time_in_date(&date, in_date);
    if (cell.length == 0)
        cell = text_of(in_date);
    if (cell.length == 0 && reader->places[SHEET_TIME] == SIZE_MAX && asked)
        cell = text_of(asked);
    const enum clock_read read = read_clock(reader, cell, &time);
    if (read == CLOCK_OMITTED)
        return false;
    if (!reader->has_day || read == CLOCK_NONE) {
        put_unread(reader, own, cell, read == CLOCK_READ ? &time : NULL);
        return true;
    }
    const int64_t of_day = ms_of_clock(&time);
    if (own.length == 0 && reader->has_last && reader->last_ms - of_day > JUMP_MS) {
        reader->days_after++;
        sheet_row_remark(reader, REMARK_NEXT_DAY, cell);
    }
    reader->last_ms = of_day;
    reader->has_last = true;
    const int64_t local_ms =
        sheet_ms_of(reader->day) + reader->days_after * DATETIME_DAY_MS + of_day;
    const int64_t utc_ms = to_utc(reader, local_ms, time.zone, &clock);
    if (clock != CLOCK_ONCE)
        sheet_row_remark(reader, clock == CLOCK_TWICE ? REMARK_TWICE : REMARK_SKIPPED, cell);
    put_stamp(reader, "QSO_DATE", "TIME_ON", utc_ms);
    read_end(reader, local_ms, time.zone);
    return true;
}
