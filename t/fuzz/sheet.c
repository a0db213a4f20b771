/* Reads any bytes as a sheet, with the chosen answers to its questions. Each record belongs to a
 * row, and the reader of ADIF finds the same number of records. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adif/reader.h"
#include "base/text_utf8.h"
#include "demand.h"
#include "transfer/sheet_columns.h"
#include "transfer/sheet_records.h"
#include "transfer/sheet_rows.h"

#define NOW_MS INT64_C(1795798620000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Requires that the records are in the order of the rows, and that ADIF has the same records. */
static void demand_records(const struct sheet *sheet, const struct sheet_records *records)
{
    const size_t count = records->rows.length / sizeof(int64_t);
    const int64_t *rows = (const int64_t *)(const void *)records->rows.bytes;
    struct record record;
    struct reader_fault fault;
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        demand(rows[i] > (i ? rows[i - 1] : 0) && rows[i] <= (int64_t)sheet->rows.count);
    if (count == 0)
        return;
    struct reader *reader =
        reader_create((struct text){records->adi.bytes, records->adi.length}, sheet->arena);
    for (enum reader_event event; (event = reader_next(reader, &record, &fault)) != READER_END;)
        demand(event == READER_RECORD && ++found <= count);
    demand(found == count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct sheet_rows rows;
    struct sheet sheet;
    struct table answers;
    struct sheet_facts *facts = arena_allocate(&arena, sizeof *facts);
    struct sheet_records *records = arena_allocate(&arena, sizeof *records);
    const struct text text = {arena_copy(&arena, size ? (const void *)data : "", size), size};
    if (text_is_utf8(text.bytes, size) && sheet_read_rows(text, &arena, &rows) == SHEET_READ) {
        sheet_recognise(rows, &arena, &sheet);
        sheet_survey(&sheet, NOW_MS, facts);
        table_begin(&answers, &arena, sizeof(const char *));
        for (const struct sheet_question *one =
                 sheet_choose(&sheet, facts, &answers, "Europe/Berlin", NOW_MS);
             one; one = one->next)
            if (!sheet_answer(&answers, one->id) && one->count > 0)
                sheet_set_answer(&answers, one->id, one->answers[size % one->count].value);
        sheet_read_records(&sheet, facts, &answers, records);
        demand_records(&sheet, records);
        buffer_free(&records->adi);
        buffer_free(&records->rows);
    }
    arena_free(&arena);
    return 0;
}
