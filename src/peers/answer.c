/* Answers requests from another club for the QSOs that our members claim to have had with that
 * club's members. src/site/public/peers.c contains the routes, and checks access to them. */
#include "peers/answer.h"

#include "base/datetime.h"
#include "base/text_utf8.h"
#include "json/list.h"
#include "json/write.h"
#include "json/write_object.h"
#include "peers/wire.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "store/club/claims_serve.h"
#include "worker/body.h"
#include "worker/input.h"

/* JSON items per member: the object, two names, two values, and one in reserve */
#define MEMBER_ITEMS 6
#define CURSOR_PARTS 5

const struct route_body answer_claims_body = {
    .bytes_max = 262144,
    .json = {.items_max = (CLAIMING_MEMBERS_MAX + 1) * MEMBER_ITEMS,
             .lists = {WIRE_MEMBERS},
             .elements_max = CLAIMING_MEMBERS_MAX}};

enum store_result answer_identify(struct exchange *exchange, struct identity *out)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    const struct text key = exchange->request->key;
    if (!api_key_is(API_KEY_PEER, key))
        return STORE_NONE;
    api_key_fingerprint(key, fingerprint);
    return store_identify_peer(exchange->store, fingerprint, out);
}

static bool read_member(const struct json_value *fields_of, struct claiming_member *member)
{
    if (!fields_of || fields_of[WIRE_MEMBER_CALLSIGN].kind != JSON_STRING)
        return false;
    struct text callsign = fields_of[WIRE_MEMBER_CALLSIGN].text;
    const struct json_value *since = &fields_of[WIRE_MEMBER_SINCE];
    if (text_count_code_points(callsign) > WIRE_CALLSIGN_MAX)
        return false;
    match_normalise_callsign(callsign, &member->callsign);
    member->since_ms = 0;
    if (since->kind != JSON_MISSING && since->kind != JSON_NULL &&
        (since->kind != JSON_STRING || !datetime_parse(since->text, &member->since_ms)))
        return false;
    return member->callsign.length > 0;
}

static const struct error *read_members(struct exchange *exchange, struct claim_query *query)
{
    static const struct json_list_plan plan = {.list = WIRE_MEMBERS,
                                               .elements_max = CLAIMING_MEMBERS_MAX,
                                               .fields_max = 8,
                                               .find = wire_find_member_field};
    struct json_list list;
    json_list_of(exchange->sent, &plan, exchange->arena, &list);
    if (!list.is_array)
        return input_refuse(exchange, WIRE_MEMBERS, "must be a list of at most 1000 members");
    struct claiming_member *members =
        arena_allocate(exchange->arena, sizeof *members * (list.count + 1));
    for (size_t i = 0; i < list.count; i++)
        if (!read_member(list.elements[i], &members[i]))
            return input_refuse(exchange, WIRE_MEMBERS,
                                "must each have a callsign, and null or a date-time as since");
    claiming_sort_members(members, list.count);
    query->members = members;
    query->member_count = list.count;
    return NULL;
}

/* Reads a cursor that format_cursor has written. */
static bool parse_cursor(struct text text, struct claiming_cursor *cursor)
{
    int64_t parts[CURSOR_PARTS];
    for (int i = 0; i < CURSOR_PARTS; i++) {
        struct text part = text_split_next(&text, '.');
        if ((text.bytes == NULL) != (i == CURSOR_PARTS - 1) ||
            !text_parse_integer(part, 0, INT64_MAX, &parts[i]))
            return false;
    }
    *cursor = (struct claiming_cursor){.server_time_ms = parts[0],
                                       .member_id = parts[1],
                                       .deletions = parts[2] != 0,
                                       .position = {parts[3], parts[4]}};
    return parts[0] > 0 && parts[0] <= DATETIME_MAXIMUM_MS;
}

static const char *format_cursor(struct arena *arena, const struct claiming_cursor *cursor)
{
    return arena_print(arena, "%lld.%lld.%d.%lld.%lld", (long long)cursor->server_time_ms,
                       (long long)cursor->member_id, cursor->deletions,
                       (long long)cursor->position.synced_at_ms, (long long)cursor->position.id);
}

static const struct error *read_page(struct exchange *exchange, struct claim_query *query)
{
    const struct json_fields *fields_of = exchange->sent;
    int64_t limit = CLAIMING_ITEMS_MAX;
    struct text cursor = json_read_text(fields_of, WIRE_CURSOR);
    if (json_has(fields_of, WIRE_LIMIT) && (!json_read_count(fields_of, WIRE_LIMIT, &limit) ||
                                            limit < 1 || limit > CLAIMING_ITEMS_MAX))
        return input_refuse(exchange, WIRE_LIMIT, "must be an integer from 1 to 500");
    if (cursor.bytes && !parse_cursor(cursor, &query->cursor))
        return input_refuse(exchange, WIRE_CURSOR, "must be a value from a previous answer");
    query->limit = (size_t)limit;
    return NULL;
}

/* Formats the time of a QSO. The time can be 0, which json_time treats as missing. */
static struct text instant(struct arena *arena, int64_t ms)
{
    char *text = arena_allocate(arena, DATETIME_TEXT_LENGTH);
    datetime_format(ms, text);
    return (struct text){text, DATETIME_TEXT_LENGTH};
}

/* Returns a claim's id, which begins with the member's number, so that a member's claims are
 * adjacent. */
static struct text claim_id(struct arena *arena, const struct claiming_item *item)
{
    return text_of(
        arena_print(arena, "%lld.%lld", (long long)item->member_id, (long long)item->id));
}

static void write_items(struct exchange *exchange, const struct claiming_answer *answer,
                        bool withdrawn)
{
    struct buffer *out = exchange->body;
    json_begin_array(out, withdrawn ? WIRE_WITHDRAWN_LIST : WIRE_CLAIM_LIST);
    for (const struct claiming_item *item = answer->items; item < answer->items + answer->count;
         item++)
        if (item->is_withdrawn && withdrawn)
            json_write_item(out,
                            json_text(wire_claim_names[WIRE_ID], claim_id(exchange->arena, item)),
                            json_time(WIRE_WITHDRAWN_AT, item->at_ms));
        else if (!item->is_withdrawn && !withdrawn)
            json_write_item(out,
                            json_text(wire_claim_names[WIRE_ID], claim_id(exchange->arena, item)),
                            json_text(wire_claim_names[WIRE_STATION], item->station),
                            json_text(wire_claim_names[WIRE_WORKED], item->worked),
                            json_text(wire_claim_names[WIRE_BAND],
                                      text_of(fields[FIELD_BAND].choices[item->band])),
                            json_integer_or_null(wire_claim_names[WIRE_CHANNEL], item->channel),
                            json_text(wire_claim_names[WIRE_MODE_FAMILY],
                                      text_of(item->mode_family == MATCH_NO_MODE
                                                  ? NULL
                                                  : fields[FIELD_MODE].choices[item->mode_family])),
                            json_text(wire_claim_names[WIRE_QSO_AT],
                                      instant(exchange->arena, item->qso_at_ms)));
    buffer_append(out, "]", 1);
}

const struct error *answer_claims(struct exchange *exchange)
{
    struct claim_query query = {.fingerprint = exchange->identity.fingerprint,
                                .now_ms = exchange->request->arrived_ms};
    struct claiming_answer answer;
    TRY(body_read_object(exchange, &exchange->sent));
    TRY(read_members(exchange, &query));
    TRY(read_page(exchange, &query));
    enum store_result result =
        store_list_claims_for_peer(exchange->store, exchange->arena, &query, &answer);
    TRY(route_find_error(result, &error_key_invalid));
    write_items(exchange, &answer, false);
    write_items(exchange, &answer, true);
    const char *cursor = answer.has_more ? format_cursor(exchange->arena, &answer.next) : NULL;
    const char *epoch = arena_print(exchange->arena, "%lld.%lld", (long long)answer.log_epoch,
                                    (long long)answer.claims_epoch);
    json_write_fields(exchange->body, json_text(WIRE_NEXT_CURSOR, text_of(cursor)),
                      json_time(WIRE_SERVER_TIME, answer.next.server_time_ms),
                      json_flag(WIRE_COMPLETE, answer.complete),
                      json_text(WIRE_EPOCH, text_of(epoch)));
    return NULL;
}
