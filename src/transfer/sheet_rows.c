/* Finds the separator from the content, and reads cells in quotation marks. A mark without a
 * partner is part of the text: it must not take the rows below into its cell. */
#include "transfer/sheet_rows.h"

#include <string.h>

#include "base/buffer.h"

#define ROW_MAX 20000        /* cells of a row with the empty ones at its end */
#define TRIED_LINES 60       /* lines from which the separator is found */
#define TRIED_BYTES 200000   /* of these lines */
#define WEIGHED_CELLS_MAX 12 /* further cells of a row do not make a separator more probable */

/* The state while rows are read, and the cells of the current row. */
struct scan {
    struct text text;
    size_t at;
    char separator;
    size_t width; /* cells of the first row */
    struct arena *arena;
    struct text *cells;
    size_t count, capacity;
};

static struct text part_of(struct text text, size_t begin, size_t end)
{
    return (struct text){text.bytes + begin, end - begin};
}

static bool is_line_end(char byte)
{
    return byte == '\n' || byte == '\r';
}

static void push(struct scan *scan, struct text cell)
{
    scan->cells =
        arena_grow(scan->arena, scan->cells, scan->count, &scan->capacity, sizeof *scan->cells);
    scan->cells[scan->count++] = cell;
}

/* Returns whether a line of a cell in quotation marks contains a whole row, because a mark lacks
 * its partner. A separator before a blank belongs to a sentence. */
static bool has_row(const struct scan *scan, struct text cell)
{
    bool is_first = true;
    if (scan->width <= 2)
        return false;
    for (size_t at = 0; at < cell.length;) {
        size_t end = at, parts = 0;
        while (end < cell.length && !is_line_end(cell.bytes[end]))
            end++;
        struct text line = part_of(cell, at, end);
        while (line.bytes) {
            const struct text part = text_split_next(&line, scan->separator);
            parts += part.length == 0 || part.bytes[0] != ' ';
        }
        if (!is_first && parts >= scan->width)
            return true;
        is_first = false;
        for (at = end; at < cell.length && is_line_end(cell.bytes[at]);)
            at++;
    }
    return false;
}

/* Returns the text without the first of two adjacent quotation marks. */
static struct text join_marks(const struct scan *scan, struct text cell)
{
    char *out = arena_allocate(scan->arena, cell.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < cell.length; i++) {
        out[length++] = cell.bytes[i];
        if (cell.bytes[i] == '"')
            i++;
    }
    return (struct text){out, length};
}

/* Reads a cell that begins with a quotation mark, at the place after the mark. Returns false if no
 * mark ends the cell, so the first mark is part of the text. */
static bool read_quoted(const struct scan *scan, size_t begin, struct text *cell, size_t *after)
{
    const struct text text = scan->text;
    bool is_doubled = false;
    for (size_t at = begin; at < text.length;) {
        const char *mark = memchr(text.bytes + at, '"', text.length - at);
        if (!mark)
            return false;
        const size_t end = (size_t)(mark - text.bytes);
        const char next = end + 1 < text.length ? text.bytes[end + 1] : '\n';
        if (next == scan->separator || is_line_end(next)) {
            *cell = part_of(text, begin, end);
            if (is_doubled)
                *cell = join_marks(scan, *cell);
            *after = end + 1;
            return !has_row(scan, *cell);
        }
        if (next != '"')
            return false;
        is_doubled = true;
        at = end + 2;
    }
    return false;
}

/* Reads a line whose cells are separated by any number of blanks. */
static void read_blank_separated(struct scan *scan)
{
    size_t end = scan->at;
    while (end < scan->text.length && !is_line_end(scan->text.bytes[end]))
        end++;
    struct text line = text_trim(part_of(scan->text, scan->at, end));
    while (line.length > 0) {
        size_t length = 0, blanks;
        while (length < line.length && line.bytes[length] != ' ' && line.bytes[length] != '\t')
            length++;
        push(scan, part_of(line, 0, length));
        blanks = length;
        while (blanks < line.length && (line.bytes[blanks] == ' ' || line.bytes[blanks] == '\t'))
            blanks++;
        line = text_skip(line, blanks);
    }
    scan->at = end;
}

/* Reads the cells until the end of the row. The place is then that of the line end. */
static void read_separated(struct scan *scan)
{
    const struct text text = scan->text;
    while (scan->count <= ROW_MAX) {
        struct text cell;
        size_t end = scan->at;
        const bool is_quoted =
            end < text.length && text.bytes[end] == '"' && read_quoted(scan, end + 1, &cell, &end);
        while (end < text.length && text.bytes[end] != scan->separator &&
               !is_line_end(text.bytes[end]))
            end++;
        push(scan, is_quoted ? cell : part_of(text, scan->at, end));
        scan->at = end;
        if (end >= text.length || text.bytes[end] != scan->separator)
            return;
        scan->at++;
    }
}

/* Reads the next row. Returns false at the end of the text. */
static bool next_row(struct scan *scan)
{
    const struct text text = scan->text;
    scan->count = 0;
    if (scan->at >= text.length)
        return false;
    if (scan->separator == ' ')
        read_blank_separated(scan);
    else
        read_separated(scan);
    if (scan->width == 0)
        scan->width = scan->count;
    if (scan->at < text.length && text.bytes[scan->at] == '\r')
        scan->at += scan->at + 1 < text.length && text.bytes[scan->at + 1] == '\n' ? 2 : 1;
    else
        scan->at++;
    return true;
}

/* Returns the beginning of the text that is examined to find the separator. */
static struct text head_of(struct text text)
{
    size_t end = 0, lines = 0;
    while (end < text.length && end < TRIED_BYTES) {
        const bool is_pair =
            text.bytes[end] == '\r' && end + 1 < text.length && text.bytes[end + 1] == '\n';
        if (is_line_end(text.bytes[end]) && !is_pair && ++lines == TRIED_LINES)
            break;
        end++;
    }
    return part_of(text, 0, end);
}

/* Returns the score of a separator. Rows of the same length count as the square of their number,
 * because a long note can have many commas. Returns a negative number if a row is too wide. */
static double weigh(struct text head, char separator, struct arena *arena)
{
    struct scan scan = {.text = head, .separator = separator, .arena = arena};
    struct {
        size_t length, rows;
    } counts[TRIED_LINES];
    size_t kinds = 0;
    double best = 0;
    while (next_row(&scan)) {
        size_t kind = 0;
        if (scan.count > ROW_MAX)
            return -1;
        while (kind < kinds && counts[kind].length != scan.count)
            kind++;
        if (scan.count < 2 || kind == TRIED_LINES)
            continue;
        if (kind == kinds)
            counts[kinds++].length = scan.count, counts[kind].rows = 0;
        counts[kind].rows++;
    }
    for (size_t i = 0; i < kinds; i++) {
        const size_t rows = counts[i].rows, length = counts[i].length;
        const double worth =
            (double)(rows * rows * (length < WEIGHED_CELLS_MAX ? length : WEIGHED_CELLS_MAX)) *
            (separator == ' ' ? 0.2 : 1);
        best = worth > best ? worth : best;
    }
    return best;
}

char sheet_find_separator(struct text text, struct arena *arena)
{
    static const char separators[] = {';', '\t', ',', '|', ' '};
    const struct text head = head_of(text);
    char found = ',';
    double best = 0;
    for (size_t i = 0; i < sizeof separators; i++) {
        const double worth = weigh(head, separators[i], arena);
        if (worth < 0)
            return 0;
        if (worth > best)
            found = separators[i], best = worth;
    }
    return found;
}

/* Returns the cell without the apostrophe with which an export marks a formula as text, and without
 * NUL. */
static struct text clean(struct text cell, struct arena *arena)
{
    if (cell.length > 1 && cell.bytes[0] == '\'' && strchr("=+-@\t\r", cell.bytes[1]))
        cell = text_skip(cell, 1);
    if (!text_has_nul(cell))
        return cell;
    char *out = arena_allocate(arena, cell.length);
    size_t length = 0;
    for (size_t i = 0; i < cell.length; i++)
        if (cell.bytes[i])
            out[length++] = cell.bytes[i];
    return (struct text){out, length};
}

/* The rows that are read so far, outside the arena because they grow. */
struct growth {
    struct buffer cells, starts;
    size_t count;
};

/* Adds a row without the empty cells at its end. */
static enum sheet_refusal add_row(struct growth *growth, const struct scan *scan)
{
    size_t length = scan->count;
    if (length > ROW_MAX)
        return SHEET_TOO_MANY_COLUMNS;
    while (length > 0 && text_trim(scan->cells[length - 1]).length == 0)
        length--;
    if (length > SHEET_COLUMNS_MAX)
        return SHEET_TOO_MANY_COLUMNS;
    if (growth->count >= SHEET_ROWS_MAX)
        return length > 0 ? SHEET_TOO_MANY_ROWS : SHEET_READ;
    const size_t before = growth->cells.length / sizeof(struct text);
    if (before + length > SHEET_CELLS_MAX)
        return SHEET_TOO_MANY_CELLS;
    for (size_t i = 0; i < length; i++) {
        const struct text cell = clean(scan->cells[i], scan->arena);
        buffer_append(&growth->cells, &cell, sizeof cell);
    }
    const size_t end = before + length;
    buffer_append(&growth->starts, &end, sizeof end);
    growth->count++;
    return SHEET_READ;
}

/* Reads "sep=;" in the first line, which names the separator. */
static char take_separator(struct text *text)
{
    struct text rest = *text;
    if (!text_begins_ignoring_case(rest, "sep=") || rest.length < 6 ||
        !is_line_end(rest.bytes[5]) || is_line_end(rest.bytes[4]))
        return 0;
    const char separator = rest.bytes[4];
    const bool is_pair = rest.length > 6 && rest.bytes[5] == '\r' && rest.bytes[6] == '\n';
    *text = text_skip(rest, is_pair ? 7 : 6);
    return separator;
}

enum sheet_refusal sheet_read_rows(struct text text, struct arena *arena, struct sheet_rows *out)
{
    const size_t zero = 0;
    struct growth growth = {0};
    struct scan scan = {.arena = arena};
    enum sheet_refusal refusal = SHEET_READ;
    if (text.length > SHEET_BYTES_MAX)
        return SHEET_TOO_LARGE;
    scan.separator = take_separator(&text);
    if (!scan.separator)
        scan.separator = sheet_find_separator(text, arena);
    if (!scan.separator)
        return SHEET_TOO_MANY_COLUMNS;
    scan.text = text;
    buffer_append(&growth.starts, &zero, sizeof zero);
    while (refusal == SHEET_READ && next_row(&scan))
        refusal = add_row(&growth, &scan);
    *out = (struct sheet_rows){
        .cells = arena_allocate(arena, growth.cells.length + sizeof(struct text)),
        .starts = arena_allocate(arena, growth.starts.length),
        .count = growth.count,
    };
    if (growth.cells.length > 0)
        memcpy(out->cells, growth.cells.bytes, growth.cells.length);
    memcpy(out->starts, growth.starts.bytes, growth.starts.length);
    buffer_free(&growth.cells);
    buffer_free(&growth.starts);
    return refusal;
}
