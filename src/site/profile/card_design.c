/* Validates the design of a QSL card against the rows of schema/card_design.tsv, which are also the
 * page's rules. Writes the text that is stored, because the page's own text could contain a name
 * twice. src/web/pages/profile/card-drawing.js draws the card. */
#include "site/profile/card_design.h"

#include <ctype.h>

#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "json/append.h"
#include "json/write.h"

enum form { FORM_CHOICE, FORM_CHOICES, FORM_COLOUR, FORM_LINES };

static const struct row {
    const char *name;
    enum form form;
    size_t items_max, characters_max;
    const char *choices;
} rows[] = {
#define ROW(name, form, items_max, characters_max, choices)                                        \
    {name, FORM_##form, items_max, characters_max, choices},
#include "schema/card_design.inc"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, ITEMS_MAX = 8 };

static bool is_colour(struct text text)
{
    return text.length == 7 && text.bytes[0] == '#' &&
           text_count_leading(text_skip(text, 1), isxdigit) == 6;
}

static bool is_choice(const struct row *row, struct text text)
{
    struct text rest = text_of(row->choices);
    while (rest.length > 0)
        if (text_equals(text_split_next(&rest, ' '), text))
            return true;
    return false;
}

static bool is_item(const struct row *row, struct text text)
{
    return row->form == FORM_COLOUR ? is_colour(text)
           : row->form == FORM_LINES
               ? text_count_code_points(text) <= row->characters_max && !text_has_control(text)
               : is_choice(row, text);
}

static const char *describe(const struct row *row, struct arena *arena)
{
    switch (row->form) {
    case FORM_CHOICE:
        return arena_print(arena, "must be one of: %s", row->choices);
    case FORM_CHOICES:
        return arena_print(arena, "must be a list of some of these, each once: %s", row->choices);
    case FORM_COLOUR:
        return "must be a colour such as #123a5e";
    default:
        return arena_print(arena, "must be a list of at most %zu lines of %zu characters",
                           row->items_max, row->characters_max);
    }
}

struct items {
    const struct row *row;
    struct text texts[ITEMS_MAX];
    size_t count;
    bool is_wrong;
};

static void add_item(void *context, struct text name, const struct json_value *value)
{
    struct items *items = context;
    const struct row *row = items->row;
    bool right = value->kind == JSON_STRING && items->count < row->items_max &&
                 items->count < ITEMS_MAX && is_item(row, value->text);
    for (size_t i = 0; right && row->form == FORM_CHOICES && i < items->count; i++)
        right = !text_equals(items->texts[i], value->text);
    if (right)
        items->texts[items->count++] = value->text;
    else
        items->is_wrong = true;
    (void)name;
}

static bool write_row(const struct json_fields *design, const struct row *row, struct buffer *out)
{
    struct items items = {.row = row};
    const bool is_list = row->form == FORM_LINES || row->form == FORM_CHOICES;
    if (is_list) {
        if (!json_each_item(design, row->name, add_item, &items) || items.is_wrong)
            return false;
        json_begin_array(out, row->name);
        for (size_t i = 0; i < items.count; i++) {
            json_write_element(out);
            json_append_string(out, items.texts[i].bytes, items.texts[i].length);
        }
        buffer_append(out, "]", 1);
        return true;
    }
    const struct text text = json_read_text(design, row->name);
    json_write_text(out, row->name, text);
    return text.bytes && is_item(row, text);
}

struct names {
    struct arena *arena;
    const char *unknown;
};

static void check_name(void *context, struct text name, const struct json_value *value)
{
    struct names *names = context;
    for (int i = 0; i < ROW_COUNT; i++)
        if (text_equals(name, text_of(rows[i].name)))
            return;
    names->unknown = arena_print(names->arena, "%.*s", (int)name.length, name.bytes);
    (void)value;
}

bool card_design_write(const struct json_fields *design, struct arena *arena, struct buffer *out,
                       struct card_design_fault *fault)
{
    struct names names = {.arena = arena};
    json_each(design, check_name, &names);
    *fault = (struct card_design_fault){names.unknown, "is not part of a design"};
    buffer_append(out, "{", 1);
    for (int i = 0; i < ROW_COUNT && !fault->field; i++)
        if (json_has(design, rows[i].name) && !write_row(design, &rows[i], out))
            *fault = (struct card_design_fault){rows[i].name, describe(&rows[i], arena)};
    buffer_append(out, "}", 1);
    return !fault->field;
}
