/* Prints lists from the same cells: aligned columns for people, JSON for programs. Cells are
 * collected first, because a column is as wide as its widest cell. The commands decide the columns
 * and their content. */
#include "admin/listing.h"

#include <assert.h>
#include <string.h>

#include "base/datetime.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "json/write.h"

static const struct column {
    enum listed list;
    const char *heading, *name, *previous_name;
} columns[] = {
#define ROW(list, heading, name, previous_name) {LIST_##list, heading, name, previous_name},
#include "schema/list_columns.inc"
    {0},
};

struct listing_row {
    struct listing_row *next;
    struct cell cells[LISTING_COLUMNS_MAX];
};

/* The first one; the last is followed by one of another list. */
static const struct column *columns_of(const struct listing *listing)
{
    const struct column *column = columns;
    while (column->list != listing->list)
        column++;
    return column;
}

void listing_add_cells(struct listing *listing, size_t count, const struct cell *cells)
{
    struct listing_row *row = arena_allocate_zeroed(listing->arena, sizeof *row);
    assert(columns_of(listing)[count - 1].list == listing->list);
    for (size_t i = 0; i < count; i++) {
        struct text *text = &row->cells[i].text;
        row->cells[i] = cells[i];
        if (text->bytes)
            text->bytes = arena_copy(listing->arena, text->bytes, text->length);
    }
    *(listing->last ? &listing->last->next : &listing->first) = row;
    listing->last = row;
}

/* The cell as text, for people and, in quotes, for programs. */
static struct text text_of_cell(const struct listing *listing, const struct cell *cell)
{
    char time[DATETIME_TEXT_LENGTH];
    switch (cell->kind) {
    case CELL_NONE:
        return text_of("-");
    case CELL_TEXT:
        return cell->text;
    case CELL_FLAG:
        return text_of(cell->number ? "yes" : "no");
    case CELL_TIME:
        datetime_format(cell->number, time);
        return text_of(arena_copy(listing->arena, time, sizeof time));
    case CELL_DAY:
        datetime_format(cell->number * DATETIME_DAY_MS, time);
        return text_of(arena_copy(listing->arena, time, strlen("YYYY-MM-DD")));
    case CELL_NUMBER:
        break;
    }
    return text_of(arena_print(listing->arena, "%lld", (long long)cell->number));
}

static bool is_shown(const struct listing *listing, int place)
{
    return !(listing->hidden >> place & 1);
}

/* A row is one line, and as wide as it looks. */
static void hide_control(const struct listing *listing)
{
    for (struct listing_row *row = listing->first; row; row = row->next)
        for (int i = 0; i < LISTING_COLUMNS_MAX; i++) {
            struct text *text = &row->cells[i].text;
            if (!text->bytes)
                continue;
            char *shown = arena_copy(listing->arena, text->bytes, text->length);
            text_replace_control(shown, text->length);
            text->bytes = shown;
        }
}

void listing_append_table(const struct listing *listing, struct buffer *out)
{
    const struct listing_row *row;
    struct listing_row headings = {.next = listing->first};
    size_t widths[LISTING_COLUMNS_MAX] = {0};
    int count = 0;
    for (const struct column *column = columns_of(listing); column->list == listing->list; column++)
        headings.cells[count++] = cell_text(text_of(column->heading));
    hide_control(listing);
    for (row = &headings; row; row = row->next)
        for (int i = 0; i < count; i++) {
            size_t width = text_count_code_points(text_of_cell(listing, &row->cells[i]));
            widths[i] = width > widths[i] ? width : widths[i];
        }
    for (row = &headings; row; row = row->next) {
        for (int i = 0; i < count; i++) {
            const struct text text = text_of_cell(listing, &row->cells[i]);
            if (!is_shown(listing, i))
                continue;
            buffer_append(out, text.bytes, text.length);
            if (i + 1 < count)
                buffer_print(out, "%*s", (int)(widths[i] + 2 - text_count_code_points(text)), "");
        }
        buffer_append(out, "\n", 1);
    }
}

static void write_json_cell(const struct listing *listing, const char *name,
                            const struct cell *cell, struct buffer *out)
{
    if (cell->kind == CELL_NONE)
        json_write_null(out, name);
    else if (cell->kind == CELL_NUMBER)
        json_write_integer(out, name, cell->number);
    else if (cell->kind == CELL_FLAG)
        json_write_flag(out, name, cell->number);
    else
        json_write_text(out, name, text_of_cell(listing, cell));
}

void listing_append_json(const struct listing *listing, struct buffer *out)
{
    buffer_append(out, "[", 1);
    for (const struct listing_row *row = listing->first; row; row = row->next) {
        json_write_line(out);
        buffer_append(out, "{", 1);
        const struct column *column = columns_of(listing);
        for (int i = 0; column->list == listing->list; i++, column++) {
            if (!is_shown(listing, i))
                continue;
            write_json_cell(listing, column->name, &row->cells[i], out);
            if (column->previous_name)
                write_json_cell(listing, column->previous_name, &row->cells[i], out);
        }
        buffer_append(out, "}", 1);
    }
    buffer_append_string(out, listing->first ? "\n]\n" : "]\n");
}

void listing_print(struct invocation *invocation, const struct listing *listing)
{
    struct buffer out = {0};
    const bool json = command_has_option(invocation, "json");
    if (json)
        listing_append_json(listing, &out);
    else
        listing_append_table(listing, &out);
    command_print(&out, json);
}
