/* A sheet: a text with separated values (CSV, TSV) that becomes records of ADIF.
 *
 * The steps are sheet_rows.h (cells), sheet_columns.h (fields of the columns), sheet_facts.h and
 * sheet_questions.h (everything that the file does not decide), and sheet_records.h. The page
 * Import has the same rules (src/web/pages/log/sheet-*.js), and t/data/sheets contains cases for
 * both. This file has the types that the steps share. */
#ifndef QSOSYNC_TRANSFER_SHEET_H
#define QSOSYNC_TRANSFER_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "base/text.h"

/* The fields of columns (schema/columns.tsv), and "extra", which is kept under its own name. */
#define SHEET_FIELDS(ONE)                                                                          \
    ONE(EXTRA, "extra")                                                                            \
    ONE(NONE, "none")                                                                              \
    ONE(CALL, "callsignWorked")                                                                    \
    ONE(DATE, "date")                                                                              \
    ONE(TIME, "time")                                                                              \
    ONE(QSO_AT, "qsoAt")                                                                           \
    ONE(DATE_OFF, "dateOff")                                                                       \
    ONE(TIME_OFF, "timeOff")                                                                       \
    ONE(FREQUENCY, "frequencyMhz")                                                                 \
    ONE(CHANNEL, "channel")                                                                        \
    ONE(TONE, "ctcssTone")                                                                         \
    ONE(DCS, "dcsCode")                                                                            \
    ONE(BAND, "band")                                                                              \
    ONE(MODE, "mode")                                                                              \
    ONE(SUBMODE, "submode")                                                                        \
    ONE(SENT, "rstSent")                                                                           \
    ONE(RECEIVED, "rstReceived")                                                                   \
    ONE(REPORT, "report")                                                                          \
    ONE(HIS_REPORT, "hisReport")                                                                   \
    ONE(MY_REPORT, "myReport")                                                                     \
    ONE(REPORT_E, "reportE")                                                                       \
    ONE(LOCATOR, "dxLocator")                                                                      \
    ONE(MY_LOCATOR, "myLocator")                                                                   \
    ONE(MY_CALL, "operatorCallsign")                                                               \
    ONE(OPERATOR, "operator")                                                                      \
    ONE(POWER, "txPowerW")                                                                         \
    ONE(QSL_SENT, "qslSent")                                                                       \
    ONE(QSL_RECEIVED, "qslReceived")                                                               \
    ONE(QSL_E, "qslE")                                                                             \
    ONE(QSL_VIA, "qslVia")                                                                         \
    ONE(NOTES, "notes")                                                                            \
    ONE(RADIO, "radio")                                                                            \
    ONE(ANTENNA, "antenna")                                                                        \
    ONE(NAME, "name")                                                                              \
    ONE(QTH, "qth")                                                                                \
    ONE(COUNTRY, "country")                                                                        \
    ONE(CLIENT_ID, "clientId")                                                                     \
    ONE(DX_LAT, "dxLat")                                                                           \
    ONE(DX_LNG, "dxLng")                                                                           \
    ONE(SPLIT, "splitKhz")                                                                         \
    ONE(PATH, "path")                                                                              \
    ONE(STATUS, "qsoStatus")

enum sheet_field {
#define ONE(symbol, name) SHEET_##symbol,
    SHEET_FIELDS(ONE)
#undef ONE
        SHEET_FIELD_COUNT
};

#define SHEET_ROWS_MAX 100000
#define SHEET_COLUMNS_MAX 250
#define SHEET_CELLS_MAX 5000000
#define SHEET_BYTES_MAX ((size_t)64 << 20)

/* The cells of a sheet. Row `i` has the cells from starts[i] to starts[i + 1]. The number of a row
 * is its index plus 1, as a spreadsheet shows it. No text is NULL. */
struct sheet_rows {
    struct text *cells;
    size_t *starts;
    size_t count;
};

struct sheet_column {
    size_t index;
    struct text header; /* trimmed; empty: the sheet has no headers */
    enum sheet_field field;
    size_t fits, all; /* `fits` of `all` examined cells with a text have a value of the field */
};

/* The programs whose files have no headers. */
enum sheet_layout { LAYOUT_NONE, LAYOUT_WSJTX, LAYOUT_SOTA, LAYOUT_HAMLOG, LAYOUT_LLOG };

struct sheet {
    struct arena *arena;
    struct sheet_rows rows;
    bool has_header;
    size_t header; /* index of the row of headers */
    size_t first;  /* index of the first row below the headers */
    size_t step;   /* from one examined row to the next */
    enum sheet_layout layout;
    struct sheet_column *columns;
    size_t column_count;
    struct text date_above, my_call, my_locator; /* from the rows above the headers */
};

/* Returns the name of a field. */
const char *sheet_field_name(enum sheet_field field);

/* Returns the field with this name, or SHEET_FIELD_COUNT. */
enum sheet_field sheet_field_named(struct text name);

/* Returns the number of cells in a row, and a trimmed cell. A missing cell is an empty text. */
size_t sheet_width(const struct sheet *sheet, size_t row);
struct text sheet_cell(const struct sheet *sheet, size_t row, size_t index);

/* Returns whether exactly one cell of the row has a text. *index receives the place of the first
 * such cell; NULL: not needed. */
bool sheet_is_alone(const struct sheet *sheet, size_t row, size_t *index);

/* Returns the first column with this field, or NULL. */
const struct sheet_column *sheet_column_of(const struct sheet *sheet, enum sheet_field field);

#endif
