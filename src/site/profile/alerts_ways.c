/* Stores the ways of a member's alerts: browsers and web addresses. A trial sends an alert about an
 * invented spot. */
#include "base/base64.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/fields.h"
#include "site/profile/alerts.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/alerts/alert_queue.h"
#include "store/alerts/alert_ways.h"

#define WAY_SEGMENT 4 /* /profile/data/alerts/ways/{way} */

static const char *const kinds[] = {"PUSH", "WEB", NULL};
static const char *const formats[] = {"TEXT", "JSON", "FORM", NULL};

/* Returns what the list shows of an address. The path can be a secret. */
static struct text shown_address(const struct alert_way *way)
{
    struct text rest = text_skip(way->address, strlen("https://"));
    return text_split_next(&rest, '/');
}

static void write_way(void *context, const struct alert_way *way)
{
    struct exchange *exchange = context;
    json_write_item(exchange->body, json_number("number", way->id),
                    json_text("kind", text_of(kinds[way->kind])), json_text("name", way->name),
                    json_text("address", shown_address(way)), json_flag("isOn", way->is_on),
                    json_flag("hasFailed", way->failed_at_ms > way->sent_at_ms),
                    json_flag("hasEnded", way->has_ended));
}

enum store_result alerts_write_ways(struct exchange *exchange)
{
    json_begin_array(exchange->body, "ways");
    enum store_result result =
        store_list_alert_ways(exchange->store, exchange->member.id, write_way, exchange);
    buffer_append(exchange->body, "]", 1);
    json_write_integer(exchange->body, "maxWays", ALERT_WAYS_MAX);
    return result;
}

static const struct error *save(struct exchange *exchange, const struct alert_way *way)
{
    int64_t id;
    const char *invalid = alert_find_invalid_way(way);
    if (invalid)
        return input_refuse(exchange, invalid, "is not valid");
    return alerts_store_error(store_save_alert_way(exchange->store, exchange->member.id, way, &id));
}

static const struct error *answer_add(struct exchange *exchange)
{
    const struct json_fields *sent = exchange->sent;
    struct alert_way way = {.kind = -1,
                            .name = text_trim(json_read_text(sent, "name")),
                            .address = text_trim(json_read_text(sent, "address")),
                            .headers = json_read_text(sent, "headers"),
                            .body = json_read_text(sent, "body"),
                            .is_on = true};
    TRY(alerts_read_word(exchange, "kind", kinds, &way.kind));
    if (way.kind == ALERT_PUSH)
        return input_refuse(exchange, "kind", "is not valid");
    TRY(alerts_read_word(exchange, "format", formats, &way.format));
    TRY(profile_read_optional_flag(exchange, "isPut", &way.is_put));
    return save(exchange, &way);
}

/* Answers with the service's public key. The route is a POST because the first request creates the
 * key. */
static const struct error *answer_push_key(struct exchange *exchange)
{
    unsigned char key[ALERT_PUSH_KEY_BYTES];
    TRY(profile_store_error(store_read_push_key(exchange->store, key)));
    json_write_fields(exchange->body,
                      json_text("key", base64url_encode(key, sizeof key, exchange->arena)));
    return NULL;
}

/* Stores the subscription of the browser that sent the request. */
static const struct error *answer_push(struct exchange *exchange)
{
    const struct json_fields *sent = exchange->sent;
    const struct alert_way way = {
        .kind = ALERT_PUSH,
        .name = text_trim(json_read_text(sent, "name")),
        .address = json_read_text(sent, "endpoint"),
        .point = base64url_decode(json_read_text(sent, "p256dh"), exchange->arena),
        .secret = base64url_decode(json_read_text(sent, "auth"), exchange->arena),
        .session_id = exchange->identity.key_number,
        .is_on = true};
    return save(exchange, &way);
}

static const struct error *read_way(struct exchange *exchange, int64_t *id)
{
    return text_parse_integer(exchange->request->segments[WAY_SEGMENT], 1, INT64_MAX, id)
               ? NULL
               : &error_not_found;
}

static const struct error *answer_remove(struct exchange *exchange)
{
    int64_t id;
    TRY(read_way(exchange, &id));
    return alerts_store_error(store_delete_alert_way(exchange->store, exchange->member.id, id));
}

static struct spot invented_spot(struct exchange *exchange)
{
    return (struct spot){.spotted_at_ms = exchange->request->arrived_ms,
                         .spotter = exchange->member.callsign,
                         .dx_callsign = text_of("26AT101"),
                         .band = BAND_ELEVEN_METERS,
                         .frequency_hz = 27555000,
                         .mode = MODE_USB};
}

static const struct error *answer_try_way(struct exchange *exchange)
{
    const struct spot spot = invented_spot(exchange);
    int64_t id;
    TRY(read_way(exchange, &id));
    enum store_result result = store_try_alert_way(exchange->store, exchange->member.id, id, &spot);
    return alerts_store_error(result);
}

struct way_ids {
    int64_t ids[ALERT_WAYS_MAX];
    size_t count;
};

static void keep_id(void *context, const struct alert_way *way)
{
    struct way_ids *ids = context;
    if (way->is_on && ids->count < ALERT_WAYS_MAX)
        ids->ids[ids->count++] = way->id;
}

/* Sends an alert about a spot that the rule in the body would select, by all ways. */
static const struct error *answer_try_rule(struct exchange *exchange)
{
    struct spot spot = invented_spot(exchange);
    struct alert_rule rule;
    struct way_ids ways = {.count = 0};
    TRY(alerts_read_rule(exchange, &rule));
    if (rule.subject == ALERT_CALLSIGNS)
        spot.dx_callsign = text_split_next(&rule.callsigns, ' ');
    if (rule.band == BAND_PMR446) {
        spot.band = BAND_PMR446;
        spot.channel = 8;
        spot.frequency_hz = 446093750;
        spot.mode = MODE_FM;
    }
    if (rule.mode >= 0)
        spot.mode = (int)rule.mode;
    enum store_result result =
        store_list_alert_ways(exchange->store, exchange->member.id, keep_id, &ways);
    for (size_t i = 0; i < ways.count && result == STORE_DONE; i++)
        result = store_try_alert_way(exchange->store, exchange->member.id, ways.ids[i], &spot);
    return alerts_store_error(result);
}

PROFILE_ROUTE(profile_add_way, METHOD_POST, "alerts/ways", 204, answer_add,
              .body = &body_small_object);
PROFILE_ROUTE(profile_push_key, METHOD_POST, "alert-key", 200, answer_push_key,
              .body = &body_small_object);
PROFILE_ROUTE(profile_push, METHOD_POST, "alerts/push", 204, answer_push,
              .body = &body_small_object);
PROFILE_ROUTE(profile_remove_way, METHOD_DELETE, "alerts/ways/{way}", 204, answer_remove);
PROFILE_ROUTE(profile_try_way, METHOD_POST, "alerts/ways/{way}/try", 204, answer_try_way,
              .body = &body_small_object);
PROFILE_ROUTE(profile_try_alert, METHOD_POST, "alerts/try", 204, answer_try_rule,
              .body = &body_small_object);
