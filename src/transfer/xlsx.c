/* Writes the parts that a workbook needs, and nothing else. Cells contain their texts, so there is
 * no part with shared texts. */
#include "transfer/xlsx.h"

#include <stdbool.h>
#include <string.h>

#include "adif/adx_writer.h"
#include "base/crc32.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/logbook.h"

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define SCHEMAS "http://schemas.openxmlformats.org/"
#define MAIN SCHEMAS "spreadsheetml/2006/main"
#define RELATIONSHIPS SCHEMAS "officeDocument/2006/relationships"
#define TYPES "application/vnd.openxmlformats-officedocument.spreadsheetml."
#define SHEET "xl/worksheets/sheet1.xml"

/* The cell styles in the part for styles, by their place. */
enum style { STYLE_NUMBER, STYLE_TEXT, STYLE_FREQUENCY, STYLE_NAME };

static const struct {
    const char *name, *content;
} parts[] = {
    {"[Content_Types].xml",
     XML "<Types xmlns=\"" SCHEMAS "package/2006/content-types\">"
         "<Default Extension=\"rels\" "
         "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
         "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" TYPES "sheet.main+xml\"/>"
         "<Override PartName=\"/xl/styles.xml\" ContentType=\"" TYPES "styles+xml\"/>"
         "<Override PartName=\"/" SHEET "\" ContentType=\"" TYPES "worksheet+xml\"/></Types>"},
    {"_rels/.rels", XML "<Relationships xmlns=\"" SCHEMAS "package/2006/relationships\">"
                        "<Relationship Id=\"rId1\" Type=\"" RELATIONSHIPS
                        "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"},
    {"xl/workbook.xml", XML "<workbook xmlns=\"" MAIN "\" xmlns:r=\"" RELATIONSHIPS
                            "\"><sheets><sheet name=\"QSOs\" sheetId=\"1\" r:id=\"rId1\"/>"
                            "</sheets></workbook>"},
    {"xl/_rels/workbook.xml.rels",
     XML "<Relationships xmlns=\"" SCHEMAS "package/2006/relationships\">"
         "<Relationship Id=\"rId1\" Type=\"" RELATIONSHIPS
         "/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
         "<Relationship Id=\"rId2\" Type=\"" RELATIONSHIPS
         "/styles\" Target=\"styles.xml\"/></Relationships>"},
    {"xl/styles.xml",
     XML "<styleSheet xmlns=\"" MAIN "\">"
         "<numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"0.000\"/></numFmts>"
         "<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
         "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
         "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
         "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
         "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
         "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
         "</cellStyleXfs><cellXfs count=\"4\">"
         "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
         "<xf numFmtId=\"49\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
         "quotePrefix=\"1\" applyNumberFormat=\"1\"/>"
         "<xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
         "applyNumberFormat=\"1\"/>"
         "<xf numFmtId=\"49\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
         "applyNumberFormat=\"1\" applyFont=\"1\"/></cellXfs></styleSheet>"},
};

#define PART_COUNT (sizeof parts / sizeof *parts)

void xlsx_measure(struct xlsx_part *part, struct text bytes)
{
    part->checksum = crc32_extend(part->checksum, bytes.bytes, bytes.length);
    part->size += (int64_t)bytes.length;
}

/* Appends the name of a cell, such as AB12. */
static void append_reference(struct buffer *out, int column, int64_t row)
{
    buffer_append_string(out, "<c r=\"");
    if (column >= 26)
        buffer_print(out, "%c", 'A' + column / 26 - 1);
    buffer_print(out, "%c%lld\"", 'A' + column % 26, (long long)row);
}

static void append_text_cell(struct buffer *out, enum style style, struct text text)
{
    buffer_print(out, " s=\"%d\" t=\"inlineStr\"><is><t xml:space=\"preserve\">", style);
    adx_append_text(out, text);
    buffer_append_string(out, "</t></is></c>");
}

static void append_value(struct buffer *out, const struct field *field, const struct value *value)
{
    const bool is_frequency = field->kind == KIND_FREQUENCY;
    struct buffer text = {0};
    values_format(field, value, &text);
    if (is_frequency || field->kind == KIND_INTEGER || field->kind == KIND_REAL)
        buffer_print(out, " s=\"%d\"><v>%.*s</v></c>",
                     is_frequency ? STYLE_FREQUENCY : STYLE_NUMBER, (int)text.length, text.bytes);
    else
        append_text_cell(out, STYLE_TEXT, (struct text){text.bytes, text.length});
    buffer_free(&text);
}

void xlsx_append_sheet_begin(struct buffer *out)
{
    /* The row with the names stays visible. */
    buffer_append_string(out, XML "<worksheet xmlns=\"" MAIN "\"><sheetViews><sheetView "
                                  "workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
                                  "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView>"
                                  "</sheetViews><sheetData>");
}

void xlsx_append_row(struct buffer *out, int64_t number, const struct qso *qso)
{
    int column = 0;
    buffer_print(out, "<row r=\"%lld\">", (long long)number);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].flags & FIELD_WRITE_ONLY)
            continue;
        if (!qso || qso->values[i].state == VALUE_PRESENT) {
            append_reference(out, column, number);
            if (qso)
                append_value(out, &fields[i], &qso->values[i]);
            else
                append_text_cell(out, STYLE_NAME, text_of(fields[i].name));
        }
        column++;
    }
    buffer_append_string(out, "</row>");
}

void xlsx_append_sheet_end(struct buffer *out)
{
    buffer_append_string(out, "</sheetData></worksheet>");
}

static void append_number(struct buffer *out, uint32_t number, int bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        buffer_append(out, (const char[]){(char)number}, 1);
}

/* Appends the fields that precede a part and that the directory repeats. The time is the earliest
 * time that ZIP can state. */
static void append_facts(struct buffer *out, const char *name, const struct xlsx_part *part)
{
    append_number(out, 20, 2); /* version of ZIP that a reader needs */
    append_number(out, 0, 4);  /* flags; not compressed */
    append_number(out, 0, 2);
    append_number(out, 1 << 5 | 1, 2); /* 1980-01-01 */
    append_number(out, part->checksum, 4);
    append_number(out, (uint32_t)part->size, 4);
    append_number(out, (uint32_t)part->size, 4);
    append_number(out, (uint32_t)strlen(name), 2);
    append_number(out, 0, 2);
}

static void append_head(struct buffer *out, const char *name, const struct xlsx_part *part)
{
    append_number(out, 0x04034b50, 4);
    append_facts(out, name, part);
    buffer_append_string(out, name);
}

static struct xlsx_part measure_part(size_t i)
{
    struct xlsx_part part = {0};
    xlsx_measure(&part, text_of(parts[i].content));
    return part;
}

void xlsx_append_begin(struct buffer *out, const struct xlsx_part *sheet)
{
    for (size_t i = 0; i < PART_COUNT; i++) {
        const struct xlsx_part part = measure_part(i);
        append_head(out, parts[i].name, &part);
        buffer_append_string(out, parts[i].content);
    }
    append_head(out, SHEET, sheet);
}

/* Appends an entry of the directory, for the part at this position. Returns the next position. */
static uint32_t append_entry(struct buffer *out, const char *name, const struct xlsx_part *part,
                             uint32_t at)
{
    append_number(out, 0x02014b50, 4);
    append_number(out, 20, 2);
    append_facts(out, name, part);
    append_number(out, 0, 4); /* no comment; first disk */
    append_number(out, 0, 2);
    append_number(out, 0, 4); /* attributes */
    append_number(out, at, 4);
    buffer_append_string(out, name);
    return at + 30 + (uint32_t)strlen(name) + (uint32_t)part->size;
}

void xlsx_append_end(struct buffer *out, const struct xlsx_part *sheet)
{
    const size_t before = out->length;
    uint32_t at = 0;
    for (size_t i = 0; i < PART_COUNT; i++) {
        const struct xlsx_part part = measure_part(i);
        at = append_entry(out, parts[i].name, &part, at);
    }
    at = append_entry(out, SHEET, sheet, at);
    const uint32_t size = (uint32_t)(out->length - before);
    append_number(out, 0x06054b50, 4);
    append_number(out, 0, 4);
    append_number(out, PART_COUNT + 1, 2);
    append_number(out, PART_COUNT + 1, 2);
    append_number(out, size, 4);
    append_number(out, at, 4);
    append_number(out, 0, 2);
}
