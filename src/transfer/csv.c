/* Writes the cells of CSV (RFC 4180) for spreadsheets, which take some texts for formulas. Which
 * columns there are, and the commas and line ends between cells, is left to the lists that are
 * written. */
#include "transfer/csv.h"

#include <stdbool.h>
#include <string.h>

/* Would a spreadsheet calculate it? A number with a sign is one anyway. */
static bool is_formula(struct text text)
{
    if (text.length == 0 || !strchr("=+-@\t\r", *text.bytes))
        return false;
    if (*text.bytes != '+' && *text.bytes != '-')
        return true;
    for (size_t i = 1; i < text.length; i++)
        if (!strchr("0123456789.", text.bytes[i]))
            return true;
    return text.length == 1;
}

/* Texts come from other members' programs, too: what a spreadsheet would calculate begins with an
 * apostrophe, which it takes for the mark of a text. */
void csv_append_cell(struct buffer *out, struct text text)
{
    bool quoted = text.length > 0 &&
                  (memchr(text.bytes, '"', text.length) || memchr(text.bytes, ',', text.length) ||
                   memchr(text.bytes, '\n', text.length) || memchr(text.bytes, '\r', text.length));
    const char *mark = is_formula(text) ? "'" : "";
    if (!quoted) {
        buffer_append_string(out, mark);
        buffer_append(out, text.bytes, text.length);
        return;
    }
    buffer_append_string(out, "\"");
    buffer_append_string(out, mark);
    for (size_t i = 0; i < text.length; i++)
        buffer_append(out, text.bytes[i] == '"' ? "\"\"" : text.bytes + i,
                      text.bytes[i] == '"' ? 2 : 1);
    buffer_append_string(out, "\"");
}
