/* Each line of wsjtx.log is a QSO, with 13 columns: two dates and times in UTC, the callsign, and
 * further values. Old versions write 11 columns, without the end of the QSO, and with the English
 * name of the month. */
#include "adif/wsjtx.h"

#include <string.h>
#include <strings.h>

#include "adif/encoding.h"
#include "base/buffer.h"

/* The columns' ADIF fields. Further columns get the names that the page Import gives to columns
 * without a field. */
static const char *const columns[] = {
    "QSO_DATE", "TIME_ON",  "QSO_DATE_OFF", "TIME_OFF", "CALL",  "GRIDSQUARE", "FREQ",
    "MODE",     "RST_SENT", "RST_RCVD",     "TX_PWR",   "NOTES", "NAME"};
enum { COLUMN_DATE, COLUMN_TIME, COLUMN_DATE_OFF, COLUMN_TIME_OFF, COLUMN_CALL };

#define COLUMN_COUNT (sizeof columns / sizeof *columns)
#define COLUMNS_MAX 26

static bool is_date(struct text text)
{
    return text_has_form(text, "0000-00-00") || text_has_form(text, "0000-AAA-00");
}

static bool is_time(struct text text)
{
    return text_has_form(text, "00:00:00") || text_has_form(text, "00:00");
}

/* Returns whether the line has both dates, as new versions write them. */
static bool is_new(struct text line)
{
    struct text parts[COLUMN_CALL];
    for (int i = 0; i < COLUMN_CALL; i++)
        parts[i] = text_trim(text_split_next(&line, ','));
    return is_date(parts[COLUMN_DATE]) && is_time(parts[COLUMN_TIME]) &&
           is_date(parts[COLUMN_DATE_OFF]) && is_time(parts[COLUMN_TIME_OFF]);
}

bool wsjtx_is(struct text file)
{
    if (file.length >= 3 && memcmp(file.bytes, "\xEF\xBB\xBF", 3) == 0)
        file = text_skip(file, 3);
    file = text_trim(file);
    struct text line = text_split_next(&file, '\n');
    if (line.length == 0 || memchr(line.bytes, '<', line.length))
        return false;
    if (is_new(line))
        return true;
    const struct text date = text_split_next(&line, ',');
    return text_has_form(date, "0000-AAA-00") && is_time(text_split_next(&line, ','));
}

static void append_field(struct buffer *out, const char *name, struct text value)
{
    if (value.length == 0)
        return;
    buffer_print(out, "<%s:%zu>", name, value.length);
    buffer_append(out, value.bytes, value.length);
}

/* Appends a date or a time without its separators, and the month as a number. */
static void append_moment(struct buffer *out, const char *name, struct text value)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct buffer digits = {0};
    while (value.bytes) {
        const struct text part =
            text_split_next(&value, memchr(value.bytes, '-', value.length) ? '-' : ':');
        int month = 0;
        if (part.length == 3)
            while (month < 12 && strncasecmp(months + 3 * month, part.bytes, 3) != 0)
                month++;
        if (part.length == 3 && month < 12)
            buffer_print(&digits, "%02d", month + 1);
        else
            buffer_append(&digits, part.bytes, part.length);
    }
    append_field(out, name, (struct text){digits.bytes, digits.length});
    buffer_free(&digits);
}

static void append_column(struct buffer *out, size_t column, struct text value)
{
    char name[] = "APP_SHEET_COLUMN_A";
    if (column < COLUMN_CALL)
        append_moment(out, columns[column], value);
    else if (column < COLUMN_COUNT)
        append_field(out, columns[column], value);
    else {
        name[sizeof name - 2] = (char)('A' + column);
        append_field(out, name, value);
    }
}

struct text wsjtx_to_adi(struct text file, struct arena *arena)
{
    struct buffer out = {0};
    if (file.length >= 3 && memcmp(file.bytes, "\xEF\xBB\xBF", 3) == 0)
        file = text_skip(file, 3);
    while (file.bytes) {
        struct text line = text_trim(text_split_next(&file, '\n'));
        const bool is_old = !is_new(line);
        const bool has_qso = line.length > 0;
        for (size_t column = 0; line.bytes && column < COLUMNS_MAX; column++) {
            append_column(&out, column, text_trim(text_split_next(&line, ',')));
            if (is_old && column == COLUMN_TIME)
                column = COLUMN_TIME_OFF;
        }
        buffer_append_string(&out, has_qso ? "<EOR>\n" : "\n");
    }
    return encoding_take(&out, arena);
}
