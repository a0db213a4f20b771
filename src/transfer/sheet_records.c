/* Decides which rows are QSOs, and reads them from top to bottom. */
#include "transfer/sheet_records.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "transfer/sheet_row.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_words.h"
#include "transfer/sheet_zone.h"

#define NOTE_BYTES_MAX 200 /* a longer note is cut */

/* Finds the field of each column after the answers. */
static void decide_fields(struct sheet_reader *reader)
{
    const struct sheet *sheet = reader->sheet;
    const char *sent = sheet_answer(reader->answers, "sent"),
               *qsl = sheet_answer(reader->answers, "qsl");
    const struct sheet_column *open[2];
    const size_t count = sheet_open_reports(sheet, open);
    for (size_t i = 0; i < SHEET_FIELD_COUNT; i++)
        reader->places[i] = SIZE_MAX;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        enum sheet_field field = column->field;
        if ((count > 0 && column == open[0]) || (count > 1 && column == open[1])) {
            const bool is_sent = sent && (count == 2 ? isdigit((unsigned char)sent[0]) &&
                                                           strtoul(sent, NULL, 10) == column->index
                                                     : strcmp(sent, "sent") == 0);
            field = is_sent ? SHEET_SENT : SHEET_RECEIVED;
        } else if (field == SHEET_REPORT || field == SHEET_HIS_REPORT || field == SHEET_MY_REPORT ||
                   field == SHEET_REPORT_E) {
            field = SHEET_EXTRA;
        } else if (field == SHEET_QSL_E) {
            field = qsl && strcmp(qsl, "sent") == 0 ? SHEET_QSL_SENT : SHEET_QSL_RECEIVED;
        }
        reader->fields[i] = field;
        reader->places[field] = column->index;
    }
}

/* Puts back the values that a spreadsheet has changed into dates. Returns false if an answer leaves
 * the row out. */
static bool restore_cells(struct sheet_reader *reader)
{
    const struct sheet *sheet = reader->sheet;
    char id[32], value[SHEET_RESTORED_SIZE];
    for (size_t i = 0; i < sheet->column_count; i++) {
        const size_t index = sheet->columns[i].index;
        const struct text cell = sheet_cell(sheet, reader->row, index);
        reader->restored[index] = (struct text){0};
        if (reader->facts->dates_elsewhere[index].row == 0 ||
            !sheet_is_date_instead(reader->fields[i], cell))
            continue;
        format_cut(id, sizeof id, "changed %zu", index);
        const char *answer = sheet_answer(reader->answers, id);
        if (answer && strcmp(answer, "omit") == 0) {
            sheet_row_remark(reader, REMARK_OMITTED, cell);
            return false;
        }
        value[0] = '\0';
        if (!answer || strcmp(answer, "empty") != 0)
            sheet_restore(cell, answer && strcmp(answer, "mdy") == 0, reader->fields[i], value);
        reader->restored[index] = text_of(arena_copy(sheet->arena, value, strlen(value)));
    }
    return true;
}

/* Remarks that the row is a note, with all its texts. */
static void remark_note(struct sheet_reader *reader)
{
    struct buffer all = {0};
    for (size_t i = 0; i < sheet_width(reader->sheet, reader->row) && all.length < NOTE_BYTES_MAX;
         i++) {
        const struct text cell = sheet_cell(reader->sheet, reader->row, i);
        if (cell.length > 0 && all.length > 0)
            buffer_append_string(&all, " \u00b7 ");
        buffer_append(&all, cell.bytes, cell.length);
    }
    sheet_row_remark(reader, REMARK_NOTE, (struct text){all.bytes, all.length});
    buffer_free(&all);
}

/* Finds the callsign of a row; a number in place of a callsign needs an answer. Returns false if
 * the row is left out. */
static bool find_call(const struct sheet_reader *reader, struct text call, struct text *out)
{
    char id[SHEET_VALUE_MAX + sizeof "call "];
    *out = call;
    if (!sheet_is_number_in_call(call))
        return true;
    format_cut(id, sizeof id, "call %.*s", (int)call.length, call.bytes);
    const char *answer = sheet_answer(reader->answers, id);
    if (answer)
        *out = text_of(answer);
    return answer ? strcmp(answer, "omit") != 0 : sheet_is_written_call(call);
}

/* Appends the fields of a row. Returns false if the row is left out; *why is then the reason. */
static bool read_fields(struct sheet_reader *reader, struct text call, struct text *why)
{
    const char *band = sheet_answer(reader->answers, "band");
    struct text callsign;
    *why = call;
    if (!find_call(reader, call, &callsign))
        return false;
    sheet_row_put(reader, "CALL", callsign);
    if (!sheet_row_read_when(reader)) {
        *why = sheet_row_cell(reader, SHEET_TIME);
        return false;
    }
    sheet_row_read_tuning(reader);
    if (band && strcmp(band, "omit") == 0 && !reader->has_band && !reader->has_frequency)
        return false;
    sheet_row_read_rest(reader);
    return true;
}

/* Reads a row with several cells. */
static void read_row(struct sheet_reader *reader)
{
    struct buffer *adi = &reader->out->adi;
    const size_t begin = adi->length;
    const int64_t number = (int64_t)reader->row + 1;
    struct text why;
    reader->has_band = reader->has_frequency = false;
    reader->mhz = 0;
    if (!restore_cells(reader))
        return;
    const struct text call = sheet_row_cell(reader, SHEET_CALL);
    if (call.length == 0 && sheet_row_cell(reader, SHEET_TIME).length == 0 &&
        sheet_row_cell(reader, SHEET_QSO_AT).length == 0 &&
        sheet_row_cell(reader, SHEET_FREQUENCY).length == 0 &&
        sheet_row_cell(reader, SHEET_CHANNEL).length == 0) {
        remark_note(reader);
        return;
    }
    if (!read_fields(reader, call, &why)) {
        adi->length = begin;
        sheet_row_remark(reader, REMARK_OMITTED, why);
        return;
    }
    buffer_append_string(adi, "<EOR>\n");
    buffer_append(&reader->out->rows, &number, sizeof number);
}

/* Returns whether the row repeats the headers, as on each page of a printed log. */
static bool is_header(const struct sheet_reader *reader)
{
    const size_t width = sheet_width(reader->sheet, reader->row);
    size_t known = 0;
    enum sheet_field field;
    struct sheet_time time;
    if (!reader->sheet->has_header)
        return false;
    for (size_t i = 0; i < width; i++)
        known += sheet_find_field(sheet_cell(reader->sheet, reader->row, i), &field);
    return known * 2 > width &&
           !sheet_read_time(sheet_cell(reader->sheet, reader->row, reader->places[SHEET_TIME]),
                            &time);
}

/* Returns whether the row begins with # and is not numbered, so it is a comment. */
static bool is_comment(struct text cell)
{
    const struct text rest = cell.length > 0 ? text_skip(cell, 1) : cell;
    return cell.length > 0 && cell.bytes[0] == '#' &&
           text_count_leading(rest, isdigit) < rest.length;
}

static void take_row(struct sheet_reader *reader)
{
    const struct sheet *sheet = reader->sheet;
    struct sheet_day day;
    struct sheet_date date;
    size_t index;
    if (sheet_width(sheet, reader->row) == 0)
        return;
    if (sheet->column_count > 1 && sheet_is_alone(sheet, reader->row, &index)) {
        const struct text cell = sheet_cell(sheet, reader->row, index);
        if (sheet_row_day(reader, cell, &day) && sheet_read_date(cell, &date) &&
            date.kind != DATE_SERIAL)
            sheet_row_take_day(reader, cell);
        else
            sheet_row_remark(reader, REMARK_NOTE, cell);
    } else if (is_comment(sheet_cell(sheet, reader->row, 0))) {
        remark_note(reader);
    } else if (!is_header(reader)) {
        read_row(reader);
    }
}

void sheet_read_records(const struct sheet *sheet, const struct sheet_facts *facts,
                        const struct table *answers, struct sheet_records *out)
{
    struct arena *arena = sheet->arena;
    struct sheet_reader reader = {.sheet = sheet, .facts = facts, .answers = answers, .out = out};
    const char *order = sheet_answer(answers, "order"), *zone = sheet_answer(answers, "zone"),
               *day = sheet_answer(answers, "day");
    *out = (struct sheet_records){0};
    reader.order = sheet_find_order(facts);
    for (int i = 0; order && i < ORDER_COUNT; i++)
        if (strcmp(order, sheet_order_names[i]) == 0)
            reader.order = (enum sheet_order)i;
    if (reader.order == ORDER_NONE)
        reader.order = ORDER_DMY;
    reader.zone =
        zone && sheet->layout != LAYOUT_WSJTX && sheet->layout != LAYOUT_SOTA ? zone : "UTC";
    reader.fields = arena_allocate(arena, (sheet->column_count + 1) * sizeof *reader.fields);
    reader.restored = arena_allocate_zeroed(arena, SHEET_COLUMNS_MAX * sizeof *reader.restored);
    decide_fields(&reader);
    reader.has_day = sheet_row_day(&reader, day ? text_of(day) : sheet->date_above, &reader.day);
    const char *previous = sheet_zone_enter(reader.zone, arena);
    for (reader.row = sheet->first; reader.row < sheet->rows.count; reader.row++)
        take_row(&reader);
    sheet_zone_leave(previous);
}
