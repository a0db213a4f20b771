/* Writes CSV (RFC 4180) for spreadsheets, which mistake some texts for formulas. If a spreadsheet
 * would calculate a text, a leading apostrophe marks the cell as text. */
#include "transfer/csv.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "qso/fields.h"
#include "qso/values.h"
#include "store/log/logbook.h"

static int is_in_number(int byte)
{
    return isdigit(byte) || byte == '.';
}

/* Returns whether a spreadsheet would calculate the text. A number with a sign is not a formula. */
static bool is_formula(struct text text)
{
    if (text.length == 0 || !strchr("=+-@\t\r", *text.bytes))
        return false;
    return (*text.bytes != '+' && *text.bytes != '-') || text.length == 1 ||
           text_count_leading(text_skip(text, 1), is_in_number) < text.length - 1;
}

/* Never writes a formula, because texts can be from other members' programs. */
void csv_append_cell(struct buffer *out, struct text text)
{
    bool quoted = text.length > 0 &&
                  (memchr(text.bytes, '"', text.length) || memchr(text.bytes, ',', text.length) ||
                   memchr(text.bytes, '\n', text.length) || memchr(text.bytes, '\r', text.length));
    const char *mark = is_formula(text) ? "'" : "";
    if (out->length > 0 && out->bytes[out->length - 1] != '\n')
        buffer_append(out, ",", 1);
    buffer_append(out, "\"", quoted);
    buffer_append_string(out, mark);
    while (text.bytes) {
        const struct text part = text_split_next(&text, '"');
        buffer_append(out, part.bytes, part.length);
        buffer_append_string(out, text.bytes ? "\"\"" : "");
    }
    buffer_append(out, "\"", quoted);
}

void csv_append_qso(struct buffer *out, const struct qso *qso)
{
    struct buffer text = {0};
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].flags & FIELD_WRITE_ONLY)
            continue;
        buffer_clear(&text);
        if (!qso)
            buffer_append_string(&text, fields[i].name);
        else if (qso->values[i].state == VALUE_PRESENT)
            values_format(&fields[i], &qso->values[i], &text);
        csv_append_cell(out, (struct text){text.bytes, text.length});
    }
    buffer_append_string(out, "\r\n");
    buffer_free(&text);
}
