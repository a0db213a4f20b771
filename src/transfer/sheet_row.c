/* Reads the cells of a row, and writes the record. */
#include "transfer/sheet_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"

#define REMARK_BYTES_MAX 160

struct text sheet_row_cell(const struct sheet_reader *reader, enum sheet_field field)
{
    const size_t index = reader->places[field];
    if (index != SIZE_MAX && reader->restored[index].bytes)
        return reader->restored[index];
    return sheet_cell(reader->sheet, reader->row, index);
}

void sheet_row_put(struct sheet_reader *reader, const char *name, struct text value)
{
    struct buffer *adi = &reader->out->adi;
    char number[32];
    if (value.length == 0)
        return;
    if (strcmp(name, "FREQ") == 0) {
        reader->has_frequency = true;
        format_cut(number, sizeof number, "%.*s", (int)value.length, value.bytes);
        reader->mhz = strtod(number, NULL);
    }
    reader->has_band = reader->has_band || strcmp(name, "BAND") == 0;
    buffer_print(adi, "<%s:%zu>", name, value.length);
    buffer_append(adi, value.bytes, value.length);
}

/* Returns the beginning of a text, in whole characters. */
static struct text clip(struct text text)
{
    if (text.length <= REMARK_BYTES_MAX)
        return text;
    text.length = REMARK_BYTES_MAX;
    while (text.length > 0 && ((unsigned char)text.bytes[text.length] & 0xC0) == 0x80)
        text.length--;
    return text;
}

void sheet_row_remark(struct sheet_reader *reader, enum sheet_remark_kind kind, struct text text)
{
    struct sheet_records *out = reader->out;
    if (out->remark_count < SHEET_REMARKS_MAX) {
        text = clip(text);
        out->remarks[out->remark_count] = (struct sheet_remark){
            kind, reader->row + 1, arena_copy(reader->sheet->arena, text.bytes, text.length)};
    }
    out->remark_count++;
}
