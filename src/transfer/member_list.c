/* Parses a list of members, line by line. Compares the list's callsigns and login names with each
 * other, and with those of the existing members. The owners of callsigns and login names are in
 * tables, so that the time grows only linearly. The store defines valid callsigns, and src/qso
 * defines valid locators. */
#include "transfer/member_list.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/locator.h"
#include "qso/match_callsign.h"
#include "store/people/reviews.h"
#include "store/transaction.h"

static int is_no_separator(int byte)
{
    return byte != ',' && byte != ';' && byte != '\t';
}

/* Returns the first `length` bytes of *rest as a field, trimmed and without quotes. *rest becomes
 * the text after the separator that follows these bytes. */
static struct text take_field(struct text *rest, size_t length)
{
    struct text field = text_trim((struct text){rest->bytes, length});
    *rest = length < rest->length ? text_skip(*rest, length + 1) : (struct text){0};
    if (field.length >= 2 && field.bytes[0] == '"' && field.bytes[field.length - 1] == '"')
        field = text_trim((struct text){field.bytes + 1, field.length - 2});
    return field;
}

static int is_empty(int byte)
{
    return byte == ' ' || byte == '\r' || !is_no_separator(byte);
}

static struct text show(struct arena *arena, struct text text)
{
    char *shown = arena_copy(arena, text.bytes, text.length);
    text_replace_control(shown, text.length);
    return (struct text){shown, text.length};
}

/* Reads callsign and locator as written, and returns the rest of the line. A callsign can contain
 * spaces, but a locator cannot. */
static struct text split_line(struct text line, struct text *callsign, struct text *locator)
{
    size_t length = text_count_leading(line, is_no_separator);
    const char *blank = length == line.length ? memrchr(line.bytes, ' ', line.length) : NULL;
    *callsign = take_field(&line, blank ? (size_t)(blank - line.bytes) : length);
    *locator = take_field(&line, text_count_leading(line, is_no_separator));
    return line;
}

/* Returns whether the line contains the headings of the columns, as spreadsheets write them. */
static bool is_heading(struct text line)
{
    struct text callsign, locator;
    split_line(line, &callsign, &locator);
    return text_equals_ignoring_case(callsign, "callsign") &&
           text_equals_ignoring_case(locator, "locator");
}

static enum member_fault read_line(struct text line, struct arena *arena,
                                   struct member_entry *entry)
{
    struct text callsign, locator;
    if (!text_is_utf8(line.bytes, line.length))
        return MEMBER_FAULT_TEXT;
    struct text rest = split_line(line, &callsign, &locator);
    entry->written = show(arena, callsign);
    if (!member_read_callsign(arena, callsign, &entry->member.callsign))
        return MEMBER_FAULT_CALLSIGN;
    if (locator.length == 0)
        return MEMBER_FAULT_MISSING;
    char *normal = arena_copy(arena, locator.bytes, locator.length);
    if (!locator_normalise(locator, normal)) {
        entry->written = show(arena, locator);
        return MEMBER_FAULT_LOCATOR;
    }
    entry->member.locator = (struct text){normal, locator.length};
    entry->member.login = member_default_login(arena, entry->member.callsign);
    return text_count_leading(rest, is_empty) == rest.length ? MEMBER_FAULT_NONE
                                                             : MEMBER_FAULT_MORE;
}

static void read_lines(struct text list, struct arena *arena, struct member_list *out)
{
    size_t capacity = 0;
    for (int64_t number = 1; list.length > 0 && out->count <= MEMBER_LIST_MAX; number++) {
        struct text line = text_trim(text_split_next(&list, '\n'));
        if (line.length == 0 || line.bytes[0] == '#' || (out->count == 0 && is_heading(line)))
            continue;
        out->entries = arena_grow(arena, out->entries, out->count, &capacity, sizeof *out->entries);
        struct member_entry *entry = &out->entries[out->count++];
        *entry = (struct member_entry){.line = number};
        entry->fault =
            out->count > MEMBER_LIST_MAX ? MEMBER_FAULT_LENGTH : read_line(line, arena, entry);
    }
}

/* The owners of callsigns and login names, which must be unique. An owner is an entry in the list,
 * or an existing member, whose line is 0. */
struct present {
    struct arena *arena;
    struct table callsigns, logins; /* the values are of type struct member_entry * */
};

/* Returns the owner of a callsign; the callsign is normalised for the comparison. */
static struct member_entry **owner_of(struct table *callsigns, struct text callsign)
{
    struct match_callsign normal;
    match_normalise_callsign(callsign, &normal);
    return table_at(callsigns, match_text(&normal));
}

static void add_present(void *context, const struct member *member)
{
    struct present *present = context;
    const struct text callsign = member->callsign;
    struct member_entry *entry = arena_allocate_zeroed(present->arena, sizeof *entry);
    entry->member.callsign =
        (struct text){arena_copy(present->arena, callsign.bytes, callsign.length), callsign.length};
    *owner_of(&present->callsigns, callsign) = entry;
    *(struct member_entry **)table_at(&present->logins, member->login) = entry;
}

static void take(struct member_entry *entry, struct member_entry **owner,
                 enum member_fault of_member)
{
    const struct member_entry *other = *owner;
    if (!other) {
        *owner = entry;
    } else if (entry->fault == MEMBER_FAULT_NONE) {
        entry->fault = other->line ? MEMBER_FAULT_TWICE : of_member;
        entry->other_line = other->line;
        if (!other->line)
            entry->other = other->member.callsign;
    }
}

enum store_result member_list_read(struct store *store, struct arena *arena, struct text list,
                                   struct member_list *out)
{
    struct present present = {.arena = arena};
    table_begin(&present.callsigns, arena, sizeof(struct member_entry *));
    table_begin(&present.logins, arena, sizeof(struct member_entry *));
    *out = (struct member_list){0};
    read_lines(list, arena, out);
    enum store_result result = store_list_members(store, add_present, &present);
    if (result != STORE_DONE)
        return result;
    for (struct member_entry *entry = out->entries; entry < out->entries + out->count; entry++) {
        if (entry->member.callsign.bytes)
            take(entry, owner_of(&present.callsigns, entry->member.callsign), MEMBER_FAULT_EXISTS);
        if (entry->fault == MEMBER_FAULT_NONE)
            take(entry, table_at(&present.logins, entry->member.login), MEMBER_FAULT_LOGIN);
        out->fault_count += entry->fault != MEMBER_FAULT_NONE;
    }
    return STORE_DONE;
}

enum store_result member_list_add(struct store *store, struct member_list *list)
{
    struct transaction transaction;
    assert(list->fault_count == 0);
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    for (size_t i = 0; i < list->count && result == STORE_DONE; i++) {
        result = store_insert_member(&transaction, &list->entries[i].member);
        if (result == STORE_REFUSED) {
            list->entries[i].fault = MEMBER_FAULT_EXISTS;
            list->fault_count = 1;
        }
    }
    return reviews_finish(&transaction, result);
}
