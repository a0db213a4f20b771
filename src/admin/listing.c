/* Prints lists: aligned columns for people, or JSON for programs. Cells are collected first,
 * because a column is as wide as its widest cell. The commands supply the cells. */
#include "admin/listing.h"

#include <assert.h>
#include <string.h>

#include "admin/output.h"
#include "admin/values.h"
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "json/write.h"

/* The columns of each list, left to right. */
static const struct column {
    enum listed list;
    const char *heading, *name;
    /* an old JSON name, also written until the next release; NULL: none */
    const char *previous_name;
} columns[] = {
    {LIST_ENTRIES, "LINE", "line", NULL},
    {LIST_ENTRIES, "CALLSIGN", "callsign", NULL},
    {LIST_ENTRIES, "LOCATOR", "locator", NULL},
    {LIST_ENTRIES, "LOGIN", "login", NULL},
    {LIST_ENTRIES, "FAULT", "fault", NULL},
    {LIST_MEMBERS, "CALLSIGN", "callsign", NULL},
    {LIST_MEMBERS, "LOCATOR", "locator", NULL},
    {LIST_MEMBERS, "LOGIN", "login", NULL},
    {LIST_MEMBERS, "ACTIVE", "active", NULL},
    {LIST_MEMBERS, "OPERATOR", "operator", NULL},
    {LIST_MEMBERS, "QSOS", "qsos", NULL},
    {LIST_MEMBERS, "KEYS", "activeKeys", NULL},
    {LIST_MEMBERS, "DEVICES", "devices", NULL},
    {LIST_MEMBERS, "PASSWORD", "password", NULL},
    {LIST_MEMBERS, "ADDED", "createdAt", NULL},
    {LIST_MEMBERS, "LAST USED", "lastUsedOn", NULL},
    {LIST_ACTS, "OPERATOR", "operator", NULL},
    {LIST_ACTS, "ACT", "number", NULL},
    {LIST_ACTS, "BEGAN", "beganAt", NULL},
    {LIST_ACTS, "ENDED", "endedAt", NULL},
    {LIST_ACTS, "BY", "by", NULL},
    {LIST_ACTS, "NUMBER", "byNumber", NULL},
    {LIST_ACTS, "NAME", "byName", NULL},
    {LIST_ACTS, "WORK", "work", NULL},
    {LIST_ACTS, "SUBJECT", "subject", NULL},
    {LIST_ACTS, "UNDOES", "undoes", "takesBack"},
    {LIST_ACTS, "NEW", "created", NULL},
    {LIST_ACTS, "CHANGED", "changed", NULL},
    {LIST_ACTS, "DELETED", "deleted", NULL},
    {LIST_ACTS, "RESTORED", "restored", "revived"},
    {LIST_ACTS, "TOO OLD", "tooOld", NULL},
    {LIST_KEYS, "NUMBER", "number", NULL},
    {LIST_KEYS, "MEMBER", "member", NULL},
    {LIST_KEYS, "CREATED BY", "madeBy", NULL},
    {LIST_KEYS, "NAME", "name", NULL},
    {LIST_KEYS, "DEVICE", "device", NULL},
    {LIST_KEYS, "SCOPE", "scope", NULL},
    {LIST_KEYS, "KEY", "hint", NULL},
    {LIST_KEYS, "TOKEN", "hint", NULL},
    {LIST_KEYS, "MAY READ", "mayRead", NULL},
    {LIST_KEYS, "CREATED", "createdAt", NULL},
    {LIST_KEYS, "LAST USED", "lastUsedOn", NULL},
    {LIST_KEYS, "BY", "lastUsedBy", NULL},
    {LIST_KEYS, "REVOKED", "revokedAt", NULL},
    {LIST_DEVICES, "NUMBER", "number", NULL},
    {LIST_DEVICES, "DEVICE", "device", NULL},
    {LIST_DEVICES, "SINCE", "createdAt", NULL},
    {LIST_DEVICES, "LAST USED", "lastUsedOn", NULL},
    {LIST_PEERS, "NAME", "name", NULL},
    {LIST_PEERS, "CLUB", "club", NULL},
    {LIST_PEERS, "ADDRESS", "address", NULL},
    {LIST_PEERS, "PAIRED", "pairedAt", NULL},
    {LIST_PEERS, "ASKED", "askedAt", NULL},
    {LIST_PEERS, "ANSWERED", "answeredAt", NULL},
    {LIST_PEERS, "CLAIMS", "claims", NULL},
    {LIST_PEERS, "CONFIRMED", "confirmations", NULL},
    {LIST_PEERS, "SKIPPED", "notTaken", NULL},
    {LIST_PEERS, "FOR STATION", "notTakenStation", NULL},
    {LIST_PEERS, "FAILURE", "failure", NULL},
    {LIST_SPOTS, "TIME", "spottedAt", NULL},
    {LIST_SPOTS, "SPOTTER", "spotter", NULL},
    {LIST_SPOTS, "DX", "dxCallsign", NULL},
    {LIST_SPOTS, "BAND", "band", NULL},
    {LIST_SPOTS, "HZ", "frequencyHz", NULL},
    {LIST_SPOTS, "CHANNEL", "channel", NULL},
    {LIST_SPOTS, "CTCSS", "ctcssTone", NULL},
    {LIST_SPOTS, "DCS", "dcsCode", NULL},
    {LIST_SPOTS, "MODE", "mode", NULL},
    {LIST_SPOTS, "LOCATOR", "myLocator", NULL},
    {LIST_SPOTS, "DX LOCATOR", "dxLocator", NULL},
    {LIST_SPOTS, "QSO", "qsoId", NULL},
    {LIST_STATIONS, "STATION", "station", NULL},
    {LIST_STATIONS, "LOCATOR", "locator", NULL},
    {LIST_STATIONS, "ACTIVE", "active", NULL},
    {LIST_STATIONS, "PAGE", "page", NULL},
    {LIST_STATIONS, "QSOS", "qsos", NULL},
    {LIST_STATIONS, "MEMBER", "member", NULL},
    {LIST_STATIONS, "SINCE", "since", NULL},
    {LIST_STATIONS, "UNTIL", "until", NULL},
    {LIST_OPERATOR_ACTS, "TIME", "at", NULL},
    {LIST_OPERATOR_ACTS, "OPERATOR", "operator", NULL},
    {LIST_OPERATOR_ACTS, "ACT", "act", NULL},
    {LIST_OPERATOR_ACTS, "SUBJECT", "subject", NULL},
    {LIST_OPERATOR_ACTS, "DETAILS", "details", NULL},
    {LIST_DOUBLES, "AT", "at", NULL},
    {LIST_DOUBLES, "CALLSIGN", "callsign", NULL},
    {LIST_DOUBLES, "MHZ", "frequencyMhz", NULL},
    {LIST_DOUBLES, "CHANNEL", "channel", NULL},
    {LIST_DOUBLES, "MODE", "mode", NULL},
    {LIST_DOUBLES, "CLIENT ID", "clientId", NULL},
    {LIST_DOUBLES, "AND AT", "otherAt", NULL},
    {LIST_DOUBLES, "MHZ", "otherFrequencyMhz", NULL},
    {LIST_DOUBLES, "CHANNEL", "otherChannel", NULL},
    {LIST_DOUBLES, "MODE", "otherMode", NULL},
    {LIST_DOUBLES, "CLIENT ID", "otherClientId", NULL},
    {LIST_STORAGE, "CALLSIGN", "callsign", NULL},
    {LIST_STORAGE, "HISTORY", "historyBytes", NULL},
    {LIST_STORAGE, "EXTRA FIELDS", "extraFieldsBytes", NULL},
    {LIST_STORAGE, "POLO", "poloBytes", NULL},
    {LIST_STORAGE, "CARDS", "cardsBytes", NULL},
    {LIST_STORAGE, "KNOWN", "knownRecordsBytes", NULL},
    {LIST_STORAGE, "BYTES", "bytes", NULL},
    {LIST_STORAGE, "MAXIMUM", "maxBytes", NULL},
    {0},
};

struct listing_row {
    struct listing_row *next;
    struct cell cells[LISTING_COLUMNS_MAX];
};

/* Returns the list's first column. The list ends before the first column of another list. */
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

/* Returns the cell as text, for people or as a quoted JSON value. */
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

/* Replaces control characters, so that each row is one line, and each cell is as wide as it looks.
 */
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
    output_print(&out, json);
}
