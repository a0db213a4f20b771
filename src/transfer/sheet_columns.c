/* Finds the row of headers, and reads the date and the station above it. A column without a known
 * header keeps its values as extra fields. */
#include "transfer/sheet_columns.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "transfer/sheet_dates.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_words.h"

#define HEADER_ROWS 40     /* rows among which the headers are */
#define SAMPLE_ROWS 2000   /* rows from which the values of columns are judged */
#define SAMPLE_CELLS 60000 /* cells of these rows, because a sheet can be wide */
#define ASSESSED_CELLS 8

static const struct text empty = {"", 0};

size_t sheet_width(const struct sheet *sheet, size_t row)
{
    return row < sheet->rows.count ? sheet->rows.starts[row + 1] - sheet->rows.starts[row] : 0;
}

struct text sheet_cell(const struct sheet *sheet, size_t row, size_t index)
{
    return index < sheet_width(sheet, row)
               ? text_trim(sheet->rows.cells[sheet->rows.starts[row] + index])
               : empty;
}

bool sheet_is_alone(const struct sheet *sheet, size_t row, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < sheet_width(sheet, row) && count < 2; i++)
        if (sheet_cell(sheet, row, i).length > 0) {
            if (count == 0 && index)
                *index = i;
            count++;
        }
    return count == 1;
}

const struct sheet_column *sheet_column_of(const struct sheet *sheet, enum sheet_field field)
{
    for (size_t i = 0; i < sheet->column_count; i++)
        if (sheet->columns[i].field == field)
            return &sheet->columns[i];
    return NULL;
}

static bool is_call(struct text cell)
{
    return sheet_is_callsign(cell) || sheet_is_number_call(cell);
}

static bool is_date(struct text cell)
{
    struct sheet_date date;
    return sheet_read_date(cell, &date);
}

static bool is_whole_date(struct text cell)
{
    struct sheet_date date;
    return sheet_read_date(cell, &date) && (date.kind == DATE_YMD || date.kind == DATE_ABC);
}

static bool is_time(struct text cell)
{
    struct sheet_time time;
    return sheet_read_time(cell, &time);
}

static bool is_tuning(struct text cell)
{
    struct sheet_tuning tuning;
    return sheet_read_tuning(cell, &tuning);
}

static bool is_channel(struct text cell)
{
    struct sheet_channel channel;
    return sheet_read_channel(cell, &channel);
}

static bool is_answer(struct text cell)
{
    return sheet_read_yes(cell) != YES_UNKNOWN;
}

static bool is_any(struct text cell)
{
    (void)cell;
    return true;
}

typedef bool cell_test(struct text cell);

/* Returns the function that tests the values of a field. */
static cell_test *test_of(enum sheet_field field)
{
    static cell_test *const tests[SHEET_FIELD_COUNT] = {
        [SHEET_CALL] = is_call,
        [SHEET_MY_CALL] = is_call,
        [SHEET_OPERATOR] = is_call,
        [SHEET_DATE] = is_date,
        [SHEET_DATE_OFF] = is_date,
        [SHEET_QSO_AT] = is_date,
        [SHEET_TIME] = is_time,
        [SHEET_TIME_OFF] = is_time,
        [SHEET_FREQUENCY] = is_tuning,
        [SHEET_CHANNEL] = is_channel,
        [SHEET_BAND] = sheet_is_band,
        [SHEET_MODE] = sheet_is_mode,
        [SHEET_LOCATOR] = sheet_is_locator,
        [SHEET_MY_LOCATOR] = sheet_is_locator,
        [SHEET_SENT] = sheet_is_report,
        [SHEET_RECEIVED] = sheet_is_report,
        [SHEET_REPORT] = sheet_is_report,
        [SHEET_HIS_REPORT] = sheet_is_report,
        [SHEET_MY_REPORT] = sheet_is_report,
        [SHEET_REPORT_E] = sheet_is_report,
        [SHEET_QSL_SENT] = is_answer,
        [SHEET_QSL_RECEIVED] = is_answer,
        [SHEET_QSL_E] = is_answer,
    };
    return tests[field] ? tests[field] : is_any;
}

struct fit {
    size_t fits, all;
};

/* Counts the cells of a column that pass a test. A row with one cell is a note or a date, not a
 * value of a column. */
static struct fit count_fits(const struct sheet *sheet, size_t index, cell_test *test)
{
    struct fit fit = {0};
    for (size_t row = sheet->first; row < sheet->rows.count; row += sheet->step) {
        const struct text cell = sheet_cell(sheet, row, index);
        if (cell.length == 0 || (sheet_width(sheet, row) > 1 && sheet_is_alone(sheet, row, NULL)))
            continue;
        fit.all++;
        fit.fits += test(cell);
    }
    return fit;
}

static bool fits_most(struct fit fit)
{
    return fit.all > 0 && fit.fits * 10 >= fit.all * 8;
}

void sheet_set_field(struct sheet *sheet, struct sheet_column *column, enum sheet_field field)
{
    const struct fit fit = count_fits(sheet, column->index, test_of(field));
    column->field = field;
    column->fits = fit.fits;
    column->all = fit.all;
}

/* Finds the row of headers: the row with the most different fields. */
static void find_header(struct sheet *sheet)
{
    size_t best = 1;
    for (size_t row = 0; row < sheet->rows.count && row < HEADER_ROWS; row++) {
        bool known[SHEET_FIELD_COUNT] = {0};
        size_t cells = 0, count = 0;
        for (size_t i = 0; i < sheet_width(sheet, row); i++) {
            const struct text cell = sheet_cell(sheet, row, i);
            enum sheet_field field;
            cells += cell.length > 0;
            if (!sheet_find_field(cell, &field) || field == SHEET_NONE || known[field])
                continue;
            known[field] = true;
            count++;
        }
        if (count > best && count * 2 >= (cells < ASSESSED_CELLS ? cells : ASSESSED_CELLS)) {
            best = count;
            sheet->header = row;
            sheet->has_header = true;
        }
    }
}

/* Returns whether a column whose header names this field is kept as it is if no value fits. */
static bool must_fit(enum sheet_field field)
{
    return field == SHEET_LOCATOR || field == SHEET_MY_LOCATOR || field == SHEET_MY_CALL ||
           field == SHEET_OPERATOR || field == SHEET_CHANNEL || field == SHEET_POWER;
}

static void add_column(struct sheet *sheet, size_t index)
{
    struct sheet_column column = {.index = index, .header = empty, .field = SHEET_EXTRA};
    enum sheet_field field = SHEET_EXTRA;
    if (sheet->has_header)
        column.header = sheet_cell(sheet, sheet->header, index);
    sheet_find_field(column.header, &field);
    sheet_set_field(sheet, &column, field);
    if (column.all == 0 && column.header.length == 0)
        return;
    /* A spreadsheet can have changed all channels with a tone, such as 8-12, into dates. */
    const bool is_changed = field == SHEET_CHANNEL && count_fits(sheet, index, is_date).fits > 0;
    if (must_fit(field) && column.all > 0 && column.fits == 0 && !is_changed &&
        !text_equals(column.header, text_of(sheet_field_name(field))))
        column.field = SHEET_EXTRA;
    sheet->columns[sheet->column_count++] = column;
}

#define WSJTX_REST                                                                                 \
    "callsignWorked dxLocator frequencyMhz mode rstSent rstReceived txPowerW notes name"

/* Finds the program whose files have no headers, by the first row. Returns the fields of its
 * columns, or NULL. */
static const char *find_layout(struct sheet *sheet)
{
    struct text cells[5];
    for (size_t i = 0; i < 5; i++)
        cells[i] = sheet_cell(sheet, sheet->first, i);
    const struct text a = cells[0], b = cells[1], c = cells[2];
    const size_t width = sheet_width(sheet, sheet->first);
    if (text_equals_ignoring_case(a, "V2") && width >= 8) {
        sheet->layout = LAYOUT_SOTA;
        return "none operatorCallsign extra date time frequencyMhz mode callsignWorked extra notes";
    }
    sheet->layout = LAYOUT_WSJTX;
    if (text_has_form(a, "0000-00-00") && text_has_form(b, "00:00:00") && is_date(c) &&
        is_time(cells[3]))
        return "date time dateOff timeOff " WSJTX_REST;
    if (text_has_form(a, "0000-AAA-00") && b.length >= 5 &&
        text_has_form((struct text){b.bytes, 5}, "00:00") && sheet_is_callsign(c))
        return "date time " WSJTX_REST;
    sheet->layout = LAYOUT_HAMLOG;
    if (sheet_is_callsign(a) && (text_has_form(b, "00/00/00") || text_has_form(b, "0000/00/00")) &&
        (text_has_form(c, "00:00J") || text_has_form(c, "00:00U")))
        return "callsignWorked date time rstSent rstReceived frequencyMhz mode extra dxLocator "
               "extra name qth notes extra extra";
    sheet->layout = LAYOUT_LLOG;
    if (width >= 17 && is_date(a) && is_time(b) && is_call(c) && sheet_is_report(cells[3]) &&
        sheet_is_report(cells[4]))
        return "date time callsignWorked rstReceived rstSent qth dxLocator name frequencyMhz mode "
               "extra extra extra extra notes qslSent operatorCallsign extra myLocator radio "
               "txPowerW antenna";
    sheet->layout = LAYOUT_NONE;
    return NULL;
}

/* Gives their fields to the columns of a known program. */
static void take_layout(struct sheet *sheet, const char *fields)
{
    struct text rest = text_of(fields);
    size_t column = 0;
    for (size_t index = 0; rest.bytes; index++) {
        const struct text name = text_split_next(&rest, ' ');
        while (column < sheet->column_count && sheet->columns[column].index < index)
            column++;
        if (column < sheet->column_count && sheet->columns[column].index == index)
            sheet_set_field(sheet, &sheet->columns[column], sheet_field_named(name));
    }
}

/* Reads the station and the date in a cell above the headers. `value` is the text after the cell.
 */
static void read_above_cell(struct sheet *sheet, struct text cell, struct text value)
{
    char folded[SHEET_FOLDED_SIZE];
    struct sheet_date date;
    enum sheet_field field = SHEET_EXTRA;
    if (sheet_read_date(cell, &date) && date.kind != DATE_SERIAL && sheet->date_above.length == 0)
        sheet->date_above = cell;
    sheet_find_field(cell, &field);
    sheet_fold(cell, folded);
    const bool is_locator = field == SHEET_LOCATOR || field == SHEET_MY_LOCATOR ||
                            strncmp(folded, "loc", 3) == 0 || strncmp(folded, "qth", 3) == 0;
    if ((field == SHEET_CALL || field == SHEET_MY_CALL) && sheet_is_callsign(value))
        sheet->my_call = value;
    if (is_locator && sheet_is_locator(value))
        sheet->my_locator = value;
}

/* Returns the part of *rest before a colon that a blank or the end follows. */
static struct text split_at_colon(struct text *rest)
{
    for (size_t i = 0; i < rest->length; i++)
        if (rest->bytes[i] == ':' &&
            (i + 1 == rest->length || isspace((unsigned char)rest->bytes[i + 1]))) {
            const struct text part = {rest->bytes, i};
            *rest = text_skip(*rest, i + 1);
            return text_trim(part);
        }
    const struct text part = text_trim(*rest);
    *rest = text_skip(*rest, rest->length);
    return part;
}

/* Reads what the rows above the headers say about all rows. */
static void read_above(struct sheet *sheet)
{
    enum { PARTS_MAX = 4 * SHEET_COLUMNS_MAX };
    struct text *parts = arena_allocate(sheet->arena, PARTS_MAX * sizeof *parts);
    for (size_t row = 0; row < sheet->header; row++) {
        size_t count = 0;
        for (size_t i = 0; i < sheet_width(sheet, row); i++)
            for (struct text rest = sheet_cell(sheet, row, i);
                 rest.length > 0 && count < PARTS_MAX;) {
                const struct text part = split_at_colon(&rest);
                if (part.length > 0)
                    parts[count++] = part;
            }
        for (size_t i = 0; i < count; i++)
            read_above_cell(sheet, parts[i], i + 1 < count ? parts[i + 1] : empty);
    }
}

/* Returns whether all texts of a column are the same, ignoring case. */
static bool has_one_value(const struct sheet *sheet, const struct sheet_column *column)
{
    struct text first = empty;
    for (size_t row = sheet->first; row < sheet->rows.count; row++) {
        const struct text cell = sheet_cell(sheet, row, column->index);
        if (cell.length == 0)
            continue;
        if (first.length == 0)
            first = cell;
        if (cell.length != first.length || strncasecmp(cell.bytes, first.bytes, cell.length) != 0)
            return false;
    }
    return first.length > 0;
}

/* Returns whether a column has a frequency in kHz, which also looks like a number of days. */
static bool is_in_khz(const struct sheet *sheet, const struct sheet_column *column)
{
    static struct sheet_pattern khz = {.expression = "^2[678][0-9]{3}([.,][0-9]+)?$"};
    struct sheet_match match;
    for (size_t row = sheet->first; row < sheet->rows.count; row++) {
        const struct text cell = sheet_cell(sheet, row, column->index);
        if (cell.length >= 5 && cell.bytes[0] == '2' && sheet_matches(&khz, cell, &match))
            return true;
    }
    return false;
}

/* Returns whether a column has a frequency on 11 m or PMR446. */
static bool is_on_band(const struct sheet *sheet, const struct sheet_column *column)
{
    struct sheet_tuning tuning;
    for (size_t row = sheet->first; row < sheet->rows.count; row++) {
        const struct text cell = sheet_cell(sheet, row, column->index);
        if (cell.length > 0 && sheet_read_tuning(cell, &tuning) &&
            ((tuning.mhz >= 26 && tuning.mhz <= 28 && !text_has_form(cell, "00")) ||
             (tuning.mhz >= 446 && tuning.mhz < 446.3)))
            return true;
    }
    return false;
}

static void recognise_column(struct sheet *sheet, struct sheet_column *column, bool has_dates)
{
    static const enum sheet_field kinds[] = {SHEET_DATE, SHEET_LOCATOR,  SHEET_CALL,
                                             SHEET_MODE, SHEET_BAND,     SHEET_REPORT,
                                             SHEET_TIME, SHEET_FREQUENCY};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const enum sheet_field field = kinds[i];
        if (field == SHEET_DATE &&
            (has_dates ? !fits_most(count_fits(sheet, column->index, is_whole_date))
                       : is_in_khz(sheet, column)))
            continue;
        /* Times without separators look like reports, and both look like frequencies. */
        if (!fits_most(count_fits(sheet, column->index, test_of(field))) ||
            (field == SHEET_FREQUENCY && !is_on_band(sheet, column)))
            continue;
        sheet_set_field(sheet, column, field);
        return;
    }
}

/* Gives a field to each column of a sheet without headers, by its values. */
static void recognise_values(struct sheet *sheet)
{
    bool has_dates = false;
    size_t dates = 0, times = 0, calls = 0;
    /* Next to a column of whole dates, 27555 is a frequency in kHz, and 12.03 is a time. */
    for (size_t i = 0; i < sheet->column_count; i++)
        has_dates =
            has_dates || fits_most(count_fits(sheet, sheet->columns[i].index, is_whole_date));
    for (size_t i = 0; i < sheet->column_count; i++) {
        struct sheet_column *column = &sheet->columns[i];
        recognise_column(sheet, column, has_dates);
        calls += column->field == SHEET_CALL;
        if (column->field == SHEET_DATE && dates++ > 0)
            column->field = SHEET_DATE_OFF;
        if (column->field == SHEET_TIME && times++ > 0)
            column->field = SHEET_TIME_OFF;
    }
    /* A column with the same callsign in all rows has the member's own callsign. */
    for (size_t i = 0; calls > 1 && i < sheet->column_count; i++)
        if (sheet->columns[i].field == SHEET_CALL && has_one_value(sheet, &sheet->columns[i]))
            sheet->columns[i].field = SHEET_MY_CALL;
}

/* If no header names the callsign, takes the columns without a field whose values are callsigns. */
static void find_callsigns(struct sheet *sheet)
{
    if (sheet_column_of(sheet, SHEET_CALL))
        return;
    for (size_t i = 0; i < sheet->column_count; i++) {
        struct sheet_column *column = &sheet->columns[i];
        if (column->field == SHEET_EXTRA && fits_most(count_fits(sheet, column->index, is_call)) &&
            !has_one_value(sheet, column))
            sheet_set_field(sheet, column, SHEET_CALL);
    }
}

/* Leaves each field to one column. The other columns of the field are kept as they are, or have the
 * member's own callsign. */
static void leave_one_of_each(struct sheet *sheet)
{
    struct sheet_column *taken[SHEET_FIELD_COUNT] = {0};
    for (size_t i = 0; i < sheet->column_count; i++) {
        struct sheet_column *column = &sheet->columns[i];
        const enum sheet_field field = column->field;
        struct sheet_column *other = taken[field];
        if (field == SHEET_EXTRA || field == SHEET_NONE)
            continue;
        if (!other) {
            taken[field] = column;
            continue;
        }
        const bool is_better = column->fits * 10 > other->fits * 12;
        struct sheet_column *lower = is_better ? other : column;
        const bool is_own =
            field == SHEET_CALL && has_one_value(sheet, lower) && !taken[SHEET_MY_CALL];
        lower->field = is_own ? SHEET_MY_CALL : SHEET_EXTRA;
        if (is_own)
            taken[SHEET_MY_CALL] = lower;
        if (is_better)
            taken[field] = column;
    }
}

/* Decides what E means in the header of a report or card: received in German, sent in Spanish and
 * French. The other column of reports or cards decides. */
static void decide_letter(struct sheet *sheet, struct sheet_column *column, enum sheet_field sent,
                          enum sheet_field received)
{
    const bool has_sent = sheet_column_of(sheet, sent),
               has_received = sheet_column_of(sheet, received);
    if (has_sent != has_received)
        column->field = has_sent ? received : sent;
}

static void decide_letters(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        struct sheet_column *column = &sheet->columns[i];
        if (column->field == SHEET_REPORT_E)
            decide_letter(sheet, column, SHEET_SENT, SHEET_RECEIVED);
        else if (column->field == SHEET_QSL_E)
            decide_letter(sheet, column, SHEET_QSL_SENT, SHEET_QSL_RECEIVED);
    }
}

/* If two columns have the same header for a report, either can be the report that was sent. */
static void tell_reports_apart(struct sheet *sheet)
{
    struct sheet_column *reports[2] = {0};
    size_t count = 0;
    for (size_t i = 0; i < sheet->column_count; i++)
        if (sheet->columns[i].field == SHEET_REPORT && count++ < 2)
            reports[count - 1] = &sheet->columns[i];
    if (count == 2) {
        reports[0]->field = SHEET_HIS_REPORT;
        reports[1]->field = SHEET_MY_REPORT;
    }
}

void sheet_recognise(struct sheet_rows rows, struct arena *arena, struct sheet *out)
{
    size_t width = 1;
    *out = (struct sheet){
        .arena = arena, .rows = rows, .date_above = empty, .my_call = empty, .my_locator = empty};
    find_header(out);
    for (size_t row = 0; row < rows.count; row++)
        width = sheet_width(out, row) > width ? sheet_width(out, row) : width;
    while (!out->has_header && out->first < rows.count && sheet_width(out, out->first) < 2)
        out->first++;
    if (out->has_header || out->first == rows.count)
        out->first = out->has_header ? out->header + 1 : 0;
    const size_t samples = SAMPLE_CELLS / width < SAMPLE_ROWS ? SAMPLE_CELLS / width : SAMPLE_ROWS;
    out->step = (rows.count - (out->first < rows.count ? out->first : rows.count)) / samples;
    out->step = out->step ? out->step : 1;
    out->columns = arena_allocate(arena, width * sizeof *out->columns);
    for (size_t index = 0; index < width; index++)
        add_column(out, index);
    const char *layout = out->has_header ? NULL : find_layout(out);
    if (out->has_header) {
        read_above(out);
        find_callsigns(out);
    } else if (layout) {
        take_layout(out, layout);
    } else {
        recognise_values(out);
    }
    tell_reports_apart(out);
    leave_one_of_each(out);
    decide_letters(out);
}

bool sheet_has_log(const struct sheet *sheet)
{
    bool known[SHEET_FIELD_COUNT] = {0};
    size_t count = 0;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const enum sheet_field field = sheet->columns[i].field;
        count += field != SHEET_EXTRA && field != SHEET_NONE && !known[field];
        known[field] = true;
    }
    return count > 1;
}
