/* Reads each cell once, and keeps the first example of each fact. */
#include "transfer/sheet_facts.h"

#include <ctype.h>
#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "transfer/sheet_values.h"

#define LEAP_YEAR 2024 /* has every day */
#define PMR_CHANNELS 16

static void keep_first(struct sheet_example *kept, struct sheet_example example)
{
    if (kept->row == 0)
        *kept = example;
}

static struct sheet_example example_of(const struct sheet *sheet, size_t row, size_t index)
{
    return (struct sheet_example){sheet_cell(sheet, row, index), row + 1};
}

bool sheet_is_past(struct sheet_day day, int64_t now_ms)
{
    return sheet_ms_of(day) <= now_ms + DATETIME_DAY_MS;
}

bool sheet_is_date_instead(enum sheet_field field, struct text cell)
{
    struct sheet_date date;
    struct sheet_tuning tuning;
    const bool is_in_place =
        field == SHEET_CHANNEL || field == SHEET_SENT || field == SHEET_RECEIVED ||
        field == SHEET_REPORT || field == SHEET_HIS_REPORT || field == SHEET_MY_REPORT ||
        field == SHEET_REPORT_E || field == SHEET_FREQUENCY || field == SHEET_TONE;
    if (!is_in_place || cell.length == 0 || !sheet_read_date(cell, &date) ||
        date.kind == DATE_SERIAL)
        return false;
    /* "8-12" itself is a channel with a tone, but not a report; "5/9" is a report. */
    if (date.kind == DATE_SHORT && !date.has_name)
        return memchr(cell.bytes, '-', cell.length) && field != SHEET_CHANNEL &&
               field != SHEET_FREQUENCY;
    return field != SHEET_FREQUENCY || !sheet_read_tuning(cell, &tuning);
}

void sheet_restore(struct text cell, bool is_month_first, enum sheet_field field,
                   char out[SHEET_RESTORED_SIZE])
{
    struct sheet_date date;
    out[0] = '\0';
    if (!sheet_read_date(cell, &date))
        return;
    const bool is_whole = date.kind == DATE_YMD;
    const int day = date.parts[is_whole ? 2 : 0], month = date.parts[1];
    const bool has_hyphen =
        field == SHEET_CHANNEL || field == SHEET_TONE || field == SHEET_FREQUENCY;
    format_cut(out, SHEET_RESTORED_SIZE, "%d%s%d", is_month_first ? month : day,
               has_hyphen ? "-" : "", is_month_first ? day : month);
}

static void survey_order(struct sheet_ordered *order, struct sheet_day day, int64_t now_ms)
{
    const int64_t ms = sheet_ms_of(day);
    if (order->fits == 0)
        order->first_ms = order->last_ms = ms;
    order->fits++;
    order->late += !sheet_is_past(day, now_ms);
    order->first_ms = ms < order->first_ms ? ms : order->first_ms;
    order->last_ms = ms > order->last_ms ? ms : order->last_ms;
}

static void survey_date(struct sheet_facts *facts, const struct sheet_date *date,
                        struct sheet_example example, int64_t now_ms)
{
    struct sheet_day day;
    facts->days++;
    if (date->kind == DATE_SHORT && (sheet_day_of(date, ORDER_DMY, LEAP_YEAR, false, &day) ||
                                     sheet_day_of(date, ORDER_MDY, LEAP_YEAR, false, &day)))
        keep_first(&facts->short_date, example);
    if (date->kind == DATE_SERIAL)
        keep_first(&facts->serial, example);
    if (date->kind != DATE_ABC)
        return;
    facts->dates++;
    keep_first(&facts->date, example);
    const size_t digits = text_count_leading(example.cell, isdigit);
    facts->is_dotted = facts->is_dotted || (digits > 0 && digits < example.cell.length &&
                                            example.cell.bytes[digits] == '.');
    for (int order = 0; order < ORDER_COUNT; order++)
        if (sheet_day_of(date, (enum sheet_order)order, 0, false, &day))
            survey_order(&facts->orders[order], day, now_ms);
}

static void survey_time(struct sheet_facts *facts, struct text cell, size_t row)
{
    struct sheet_time time;
    const struct sheet_example example = {cell, row};
    if (!sheet_read_time(cell, &time))
        return;
    facts->times++;
    if (time.zone[0] == '\0')
        keep_first(&facts->time, example);
    if (time.digits == 3 || time.digits == 5)
        keep_first(&facts->lost_zero, example);
    if (time.digits == 1 || time.digits == 2)
        keep_first(&facts->short_time, example);
}

/* The columns that the survey reads. */
enum place {
    PLACE_DATE,
    PLACE_QSO_AT,
    PLACE_TIME,
    PLACE_CALL,
    PLACE_FREQUENCY,
    PLACE_CHANNEL,
    PLACE_BAND,
    PLACE_TONE,
    PLACE_DCS,
    PLACE_COUNT
};

static void note_channel(struct sheet_facts *facts, const char *name, int number,
                         struct sheet_example example)
{
    struct sheet_example *kept = table_at(&facts->channels, text_of(name));
    keep_first(kept, example);
    const size_t length = strlen(name);
    facts->has_cb_channel =
        facts->has_cb_channel || number > PMR_CHANNELS || !isdigit((unsigned char)name[length - 1]);
}

static void survey_tuning(struct sheet_facts *facts, const struct sheet *sheet, size_t row,
                          const size_t places[PLACE_COUNT])
{
    struct text cells[PLACE_COUNT];
    char restored[SHEET_RESTORED_SIZE], name[12];
    struct sheet_tuning tuning;
    struct sheet_channel channel;
    for (int i = 0; i < PLACE_COUNT; i++)
        cells[i] = sheet_cell(sheet, row, places[i]);
    const struct text tuned = cells[PLACE_FREQUENCY], channelled = cells[PLACE_CHANNEL];
    const bool has_tuning = sheet_read_tuning(tuned, &tuning);
    if (has_tuning && tuning.is_bare)
        keep_first(&facts->bare, (struct sheet_example){tuned, row + 1});
    struct text named = channelled;
    if (sheet_is_date_instead(SHEET_CHANNEL, channelled)) {
        sheet_restore(channelled, false, SHEET_CHANNEL, restored);
        named = text_of(restored);
    }
    const bool has_channel = sheet_read_channel(named, &channel);
    const bool has_mhz = has_tuning && tuning.mhz > 0;
    const bool has_own_tone = cells[PLACE_TONE].length > 0 || cells[PLACE_DCS].length > 0 ||
                              (has_channel && channel.tone[0]);
    if (has_channel && channel.number <= PMR_CHANNELS && has_own_tone && !has_mhz &&
        cells[PLACE_BAND].length == 0)
        keep_first(&facts->toned, (struct sheet_example){channelled, row + 1});
    const bool is_on_cb = !has_mhz && !sheet_is_pmr(cells[PLACE_BAND]);
    if (has_tuning && tuning.has_channel && is_on_cb) {
        format_cut(name, sizeof name, "%d", tuning.channel);
        note_channel(facts, name, tuning.channel, (struct sheet_example){tuned, row + 1});
    } else if (has_channel && is_on_cb) {
        note_channel(facts, channel.name, channel.number,
                     (struct sheet_example){channelled, row + 1});
    }
    facts->has_tone = facts->has_tone || has_own_tone;
    facts->is_untuned =
        facts->is_untuned || (cells[PLACE_CALL].length > 0 && tuned.length == 0 &&
                              channelled.length == 0 && cells[PLACE_BAND].length == 0);
}

static void survey_row(struct sheet_facts *facts, const struct sheet *sheet, size_t row,
                       const size_t places[PLACE_COUNT], int64_t now_ms)
{
    char clock[SHEET_VALUE_MAX + 1];
    struct sheet_date date;
    for (int i = PLACE_DATE; i <= PLACE_QSO_AT; i++) {
        const struct sheet_example example = example_of(sheet, row, places[i]);
        if (!sheet_read_date(example.cell, &date))
            continue;
        survey_date(facts, &date, example, now_ms);
        sheet_time_in_date(&date, clock);
        if (clock[0])
            survey_time(facts, text_of(arena_copy(sheet->arena, clock, strlen(clock))), row + 1);
    }
    survey_time(facts, sheet_cell(sheet, row, places[PLACE_TIME]), row + 1);
    const struct sheet_example call = example_of(sheet, row, places[PLACE_CALL]);
    if (sheet_is_number_in_call(call.cell))
        keep_first(table_at(&facts->number_calls, call.cell), call);
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        const struct sheet_example example = example_of(sheet, row, column->index);
        if (facts->dates_elsewhere[column->index].row == 0 &&
            sheet_is_date_instead(column->field, example.cell))
            facts->dates_elsewhere[column->index] = example;
    }
    survey_tuning(facts, sheet, row, places);
}

void sheet_survey(const struct sheet *sheet, int64_t now_ms, struct sheet_facts *out)
{
    static const enum sheet_field fields[PLACE_COUNT] = {SHEET_DATE, SHEET_QSO_AT,    SHEET_TIME,
                                                         SHEET_CALL, SHEET_FREQUENCY, SHEET_CHANNEL,
                                                         SHEET_BAND, SHEET_TONE,      SHEET_DCS};
    size_t places[PLACE_COUNT];
    struct sheet_date date;
    *out = (struct sheet_facts){.order = sheet->layout == LAYOUT_SOTA     ? ORDER_DMY
                                         : sheet->layout == LAYOUT_HAMLOG ? ORDER_YMD
                                                                          : ORDER_NONE};
    table_begin(&out->number_calls, sheet->arena, sizeof(struct sheet_example));
    table_begin(&out->channels, sheet->arena, sizeof(struct sheet_example));
    if (sheet_read_date(sheet->date_above, &date))
        survey_date(out, &date, (struct sheet_example){sheet->date_above, 1}, now_ms);
    for (int i = 0; i < PLACE_COUNT; i++) {
        const struct sheet_column *column = sheet_column_of(sheet, fields[i]);
        places[i] = column ? column->index : SIZE_MAX;
    }
    for (size_t row = sheet->first; row < sheet->rows.count; row++) {
        size_t index;
        if (sheet_width(sheet, row) == 0)
            continue;
        if (!sheet_is_alone(sheet, row, &index))
            survey_row(out, sheet, row, places, now_ms);
        else if (sheet_read_date(sheet_cell(sheet, row, index), &date) && date.kind != DATE_SERIAL)
            survey_date(out, &date, example_of(sheet, row, index), now_ms);
    }
}
