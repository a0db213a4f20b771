/* The other cells of a row: reports, locators, cards, and columns without a field. */
#include "transfer/sheet_row.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "qso/fold.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_words.h"

#define EXTRA_NAME_SIZE 41          /* bytes after APP_SHEET_, with a NUL */
#define THOUSANDTHS_OF_DEGREE 60000 /* thousandths of a minute */

/* Appends a text with the line ends of ADIF. */
static void put_text(struct sheet_reader *reader, const char *name, struct text value)
{
    struct buffer out = {0};
    for (size_t i = 0; i < value.length; i++) {
        if (value.bytes[i] == '\n' && (i == 0 || value.bytes[i - 1] != '\r'))
            buffer_append_string(&out, "\r");
        buffer_append(&out, value.bytes + i, 1);
    }
    sheet_row_put(reader, name, (struct text){out.bytes, out.length});
    buffer_free(&out);
}

static void put_mode(struct sheet_reader *reader)
{
    const struct text mode = sheet_row_cell(reader, SHEET_MODE);
    if (text_equals_ignoring_case(mode, "digital")) {
        sheet_row_put(reader, "APP_QSOSYNC_MODE", text_of("DIGITAL"));
    } else if ((text_equals(mode, text_of("USB")) || text_equals(mode, text_of("LSB"))) &&
               sheet_row_is_exact(sheet_row_cell(reader, SHEET_QSO_AT))) {
        sheet_row_put(reader, "MODE", text_of("SSB"));
        sheet_row_put(reader, "SUBMODE", mode);
    } else {
        sheet_row_put(reader, "MODE", mode);
    }
}

/* Appends the fields that take a cell as it is. */
static void put_plain(struct sheet_reader *reader)
{
    static const struct {
        enum sheet_field field;
        const char *name;
    } plain[] = {
        {SHEET_SUBMODE, "SUBMODE"},
        {SHEET_SENT, "RST_SENT"},
        {SHEET_RECEIVED, "RST_RCVD"},
        {SHEET_MY_CALL, "STATION_CALLSIGN"},
        {SHEET_OPERATOR, "OPERATOR"},
        {SHEET_NOTES, "NOTES"},
        {SHEET_RADIO, "MY_RIG"},
        {SHEET_ANTENNA, "MY_ANTENNA"},
        {SHEET_NAME, "NAME"},
        {SHEET_QTH, "QTH"},
        {SHEET_COUNTRY, "COUNTRY"},
        {SHEET_CLIENT_ID, "APP_QSOSYNC_CLIENT_ID"},
        {SHEET_STATUS, "APP_QSOSYNC_QSO_STATUS"},
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        struct text value = sheet_row_cell(reader, plain[i].field);
        if (value.length == 0 && plain[i].field == SHEET_MY_CALL)
            value = reader->sheet->my_call;
        put_text(reader, plain[i].name, value);
    }
}

static void put_locator(struct sheet_reader *reader, const char *name, const char *other,
                        struct text value)
{
    sheet_row_put(reader, sheet_is_locator(value) ? name : other, value);
}

/* Appends a coordinate in the form of ADIF, and as the service's own field. The standard field is
 * needed too, because the service's field counts only if both agree. */
static void put_coordinate(struct sheet_reader *reader, enum sheet_field field, const char *name,
                           const char *own, const char *letters)
{
    const struct text value = sheet_row_cell(reader, field);
    char number[32], text[24], *end;
    if (value.length == 0 || value.length >= sizeof number)
        return;
    memcpy(number, value.bytes, value.length);
    number[value.length] = '\0';
    const double degrees = strtod(number, &end);
    if (*end || !isfinite(degrees) || fabs(degrees) > 360)
        return;
    const long all = lround(fabs(degrees) * THOUSANDTHS_OF_DEGREE);
    format_cut(text, sizeof text, "%c%03ld %02ld.%03ld", letters[degrees < 0],
               all / THOUSANDTHS_OF_DEGREE, all % THOUSANDTHS_OF_DEGREE / 1000, all % 1000);
    sheet_row_put(reader, name, text_of(text));
    sheet_row_put(reader, own, value);
}

/* Appends values that only an export of the service has. */
static void put_own(struct sheet_reader *reader)
{
    const struct text path = sheet_row_cell(reader, SHEET_PATH),
                      split = sheet_row_cell(reader, SHEET_SPLIT);
    char text[SHEET_VALUE_MAX + 1];
    put_coordinate(reader, SHEET_DX_LAT, "LAT", "APP_QSOSYNC_DX_LAT", "NS");
    put_coordinate(reader, SHEET_DX_LNG, "LON", "APP_QSOSYNC_DX_LNG", "EW");
    if (path.length > 0 && path.length < sizeof text) {
        text_to_upper(path, text);
        sheet_row_put(reader, "ANT_PATH", (struct text){text, 1});
        sheet_row_put(reader, "APP_QSOSYNC_PATH", (struct text){text, path.length});
    }
    if (split.length == 0 || split.length >= sizeof text || reader->mhz <= 0)
        return;
    memcpy(text, split.bytes, split.length);
    text[split.length] = '\0';
    const double khz = strtod(text, NULL);
    if (!isfinite(khz))
        return;
    size_t length = format_cut(text, sizeof text, "%.6f", reader->mhz - khz / 1000);
    for (int i = 0; i < 3 && length > 0 && text[length - 1] == '0'; i++)
        text[--length] = '\0';
    sheet_row_put(reader, "FREQ_RX", text_of(text));
    sheet_row_put(reader, "APP_QSOSYNC_SPLIT_KHZ", split);
}

/* Appends the power in watts, without the unit. */
static void put_power(struct sheet_reader *reader)
{
    struct text power = sheet_row_cell(reader, SHEET_POWER);
    static const char *const units[] = {"watts", "watt", "w"};
    char text[SHEET_VALUE_MAX + 1];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t length = strlen(units[i]);
        if (power.length >= length &&
            text_begins_ignoring_case(text_skip(power, power.length - length), units[i])) {
            power = text_trim((struct text){power.bytes, power.length - length});
            break;
        }
    }
    if (power.length == 0 || power.length > SHEET_VALUE_MAX)
        return;
    memcpy(text, power.bytes, power.length);
    char *comma = memchr(text, ',', power.length);
    if (comma)
        *comma = '.';
    sheet_row_put(reader, "TX_PWR", (struct text){text, power.length});
}

/* Appends whether a card was sent or received, and how. */
static void put_card(struct sheet_reader *reader, enum sheet_field field, const char *name,
                     const char *own)
{
    const struct text cell = sheet_row_cell(reader, field);
    char other[32];
    if (cell.length == 0)
        return;
    /* ADIF has no field for a card that was not sent, so an export of the service has none. */
    if (text_equals(cell, text_of("false"))) {
        sheet_row_put(reader, own, cell);
        return;
    }
    const enum sheet_yes yes = sheet_read_yes(cell);
    if (yes == YES_UNKNOWN) {
        format_cut(other, sizeof other, "APP_SHEET_%s", name);
        sheet_row_put(reader, other, cell);
        return;
    }
    sheet_row_put(reader, name, text_of(yes == YES_NO ? "N" : "Y"));
    format_cut(other, sizeof other, "%s_VIA", name);
    if ((yes == YES_DIRECT || yes == YES_BUREAU) &&
        sheet_row_cell(reader, SHEET_QSL_VIA).length == 0)
        sheet_row_put(reader, other, text_of(yes == YES_DIRECT ? "D" : "B"));
}

static void put_via(struct sheet_reader *reader)
{
    static const char *const ways[][2] = {{"direct", "D"}, {"direkt", "D"}, {"bureau", "B"},
                                          {"buro", "B"},   {"eqsl", "E"},   {"ecard", "E"}};
    const struct text via = sheet_row_cell(reader, SHEET_QSL_VIA);
    char folded[SHEET_FOLDED_SIZE];
    sheet_fold(via, folded);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(folded, ways[i][0]) == 0) {
            sheet_row_put(reader, "QSL_SENT_VIA", text_of(ways[i][1]));
            return;
        }
    sheet_row_put(reader, "QSL_VIA", via);
}

/* Writes the name of the ADIF field in which a column without a field is kept: the header in
 * capitals without accents, or the letters with which spreadsheets name the column. */
static void name_extra(const struct sheet_column *column, char out[EXTRA_NAME_SIZE])
{
    struct buffer plain = {0};
    size_t length = 0;
    bool follows_gap = false;
    fold_text(column->header, &plain);
    for (size_t i = 0; i < plain.length && length < EXTRA_NAME_SIZE - 1; i++) {
        const unsigned char byte = (unsigned char)plain.bytes[i];
        const bool is_kept = byte < 0x80 && isalnum(byte);
        if (is_kept && follows_gap && length > 0) {
            out[length++] = '_';
            follows_gap = false;
            i--;
        } else if (is_kept) {
            out[length++] = (char)toupper(byte);
            follows_gap = false;
        } else {
            follows_gap = true;
        }
    }
    out[length] = '\0';
    buffer_free(&plain);
    if (length > 0)
        return;
    const int place = (int)column->index;
    if (place < 26)
        format_cut(out, EXTRA_NAME_SIZE, "COLUMN_%c", 'A' + place);
    else
        format_cut(out, EXTRA_NAME_SIZE, "COLUMN_%c%c", 'A' + place / 26 - 1, 'A' + place % 26);
}

static void put_extras(struct sheet_reader *reader)
{
    char name[EXTRA_NAME_SIZE], whole[EXTRA_NAME_SIZE + sizeof "APP_SHEET_"];
    for (size_t i = 0; i < reader->sheet->column_count; i++) {
        const struct sheet_column *column = &reader->sheet->columns[i];
        const struct text value = sheet_cell(reader->sheet, reader->row, column->index);
        if (reader->fields[i] != SHEET_EXTRA || value.length == 0)
            continue;
        name_extra(column, name);
        format_cut(whole, sizeof whole, "APP_SHEET_%s", name);
        sheet_row_put(reader, whole, value);
    }
}

void sheet_row_read_rest(struct sheet_reader *reader)
{
    struct text own_locator = sheet_row_cell(reader, SHEET_MY_LOCATOR);
    put_mode(reader);
    put_plain(reader);
    put_locator(reader, "GRIDSQUARE", "APP_SHEET_GRIDSQUARE",
                sheet_row_cell(reader, SHEET_LOCATOR));
    if (own_locator.length == 0)
        own_locator = reader->sheet->my_locator;
    put_locator(reader, "MY_GRIDSQUARE", "APP_SHEET_MY_GRIDSQUARE", own_locator);
    put_own(reader);
    put_power(reader);
    put_card(reader, SHEET_QSL_SENT, "QSL_SENT", "APP_QSOSYNC_QSL_SENT");
    put_card(reader, SHEET_QSL_RECEIVED, "QSL_RCVD", "APP_QSOSYNC_QSL_RECEIVED");
    put_via(reader);
    put_extras(reader);
}
