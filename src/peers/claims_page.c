/* Reads a page of claims from a peer. A peer is another club's machine, so every value is checked
 * against the protocol's bounds. */
#include "peers/claims_page.h"

#include "base/datetime.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "json/list.h"
#include "json/read.h"
#include "peers/ask.h"
#include "peers/wire.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "store/club/claims_fetch.h"
#include "store/club/claims_serve.h"

static bool is_short(struct text text, size_t bytes_max)
{
    return text.length > 0 && text.length <= bytes_max && !text_has_control(text);
}

static bool read_number(const struct json_value *value, struct text *number)
{
    *number = value->kind == JSON_STRING ? value->text : (struct text){0};
    return !value->lost && is_short(*number, WIRE_ID_BYTES_MAX);
}

static bool read_callsign(const struct json_value *value, struct match_callsign *callsign)
{
    if (value->kind != JSON_STRING || value->lost || text_has_control(value->text) ||
        text_count_code_points(value->text) > WIRE_CALLSIGN_MAX)
        return false;
    match_normalise_callsign(value->text, callsign);
    return callsign->length > 0;
}

/* Returns the number of the choice that the value names, or -1 if the field does not have such a
 * choice. */
static int64_t read_choice(const struct json_value *value, enum field_index field)
{
    const char *const *choices = fields[field].choices;
    for (int i = 0; value->kind == JSON_STRING && choices[i]; i++)
        if (text_equals(value->text, text_of(choices[i])))
            return i;
    return -1;
}

/* Reads a claim. Returns NULL, or the name of the invalid field. */
static const char *read_claim(const struct json_value *from, struct pulled_claim *claim)
{
    struct match_side *side = &claim->side;
    *claim = (struct pulled_claim){.side = {.confirmable = true, .mode_family = MATCH_NO_MODE}};
    if (!read_number(&from[WIRE_ID], &claim->number))
        return wire_claim_names[WIRE_ID];
    if (!read_callsign(&from[WIRE_STATION], &side->station))
        return wire_claim_names[WIRE_STATION];
    claim->station = from[WIRE_STATION].text;
    if (!read_callsign(&from[WIRE_WORKED], &side->worked))
        return wire_claim_names[WIRE_WORKED];
    side->band = read_choice(&from[WIRE_BAND], FIELD_BAND);
    if (side->band < 0)
        return wire_claim_names[WIRE_BAND];
    if (from[WIRE_CHANNEL].kind != JSON_MISSING && from[WIRE_CHANNEL].kind != JSON_NULL)
        side->channel = from[WIRE_CHANNEL].kind == JSON_INTEGER ? from[WIRE_CHANNEL].integer : -1;
    if (side->channel < 0 || side->channel > WIRE_CHANNEL_MAX)
        return wire_claim_names[WIRE_CHANNEL];
    if (from[WIRE_MODE_FAMILY].kind != JSON_MISSING && from[WIRE_MODE_FAMILY].kind != JSON_NULL) {
        side->mode_family = match_mode_family(read_choice(&from[WIRE_MODE_FAMILY], FIELD_MODE));
        if (side->mode_family < 0)
            return wire_claim_names[WIRE_MODE_FAMILY];
    }
    return from[WIRE_QSO_AT].kind == JSON_STRING &&
                   datetime_parse(from[WIRE_QSO_AT].text, &side->qso_at_ms)
               ? NULL
               : wire_claim_names[WIRE_QSO_AT];
}

static const char *read_list(struct arena *arena, const struct json_fields *answer,
                             const char *name, struct json_list *list)
{
    const struct json_list_plan plan = {.list = name,
                                        .elements_max = CLAIMING_ITEMS_MAX,
                                        .fields_max = WIRE_CLAIM_FIELDS + 8,
                                        .find = wire_find_claim_field};
    json_list_of(answer, &plan, arena, list);
    if (!list->is_array || list->count > CLAIMING_ITEMS_MAX)
        return arena_print(arena, "sent something other than a list of at most %d items as %s",
                           CLAIMING_ITEMS_MAX, name);
    for (size_t i = 0; i < list->count; i++)
        if (!list->elements[i])
            return arena_print(arena, "sent something other than objects as %s", name);
    return NULL;
}

static const char *read_lists(struct arena *arena, const struct json_fields *answer,
                              struct pull_page *page)
{
    struct json_list list;
    const char *failure = read_list(arena, answer, WIRE_CLAIM_LIST, &list);
    if (failure)
        return failure;
    page->claims = arena_allocate(arena, sizeof *page->claims * (list.count + 1));
    for (size_t i = 0; i < list.count; i++) {
        const char *field = read_claim(list.elements[i], &page->claims[i]);
        if (field)
            return arena_print(arena, "sent a claim with an invalid %s", field);
    }
    page->claim_count = list.count;
    failure = read_list(arena, answer, WIRE_WITHDRAWN_LIST, &list);
    if (failure)
        return failure;
    page->withdrawn = arena_allocate(arena, sizeof *page->withdrawn * (list.count + 1));
    for (size_t i = 0; i < list.count; i++)
        if (!read_number(&list.elements[i][WIRE_ID], &page->withdrawn[i]))
            return "sent a withdrawal without an id";
    page->withdrawn_count = list.count;
    return NULL;
}

const char *claims_page_read(struct arena *arena, struct text body, struct pull_page *page)
{
    static const struct json_bounds bounds = ASK_BOUNDS;
    const char *message;
    const struct json_fields *answer = json_read_object(body, &bounds, arena, &message);
    if (!answer)
        return arena_print(arena, "sent an answer that cannot be read: it %s", message);
    page->next_cursor = json_read_text(answer, WIRE_NEXT_CURSOR);
    page->epoch = json_read_text(answer, WIRE_EPOCH);
    page->complete = json_read_flag(answer, WIRE_COMPLETE);
    if (!datetime_parse(json_read_text(answer, WIRE_SERVER_TIME), &page->server_time_ms) ||
        page->server_time_ms <= 0)
        return "sent an answer with an invalid serverTime";
    if (!is_short(page->epoch, WIRE_CURSOR_BYTES_MAX) ||
        (page->next_cursor.bytes && !is_short(page->next_cursor, WIRE_CURSOR_BYTES_MAX)))
        return "sent an answer with an invalid epoch or nextCursor";
    return read_lists(arena, answer, page);
}
