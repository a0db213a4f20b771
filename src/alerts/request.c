/* Builds requests. A browser's push service identifies us by a signed token (VAPID, RFC 8292), and
 * cannot read the encrypted message. */
#include "alerts/request.h"

#include <string.h>

#include "base/base64.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/host.h"
#include "base/push_message.h"
#include "base/random.h"
#include "json/write_object.h"

#define TOKEN_SECONDS (12 * 60 * 60)
#define URL_MAX 4096
#define PART_MAX 8192              /* bytes of the headers, and of the body */
#define PUSH_SECONDS TEXT_OF(3600) /* how long a push service keeps an alert for a browser */

static struct text title_of(const struct alert_delivery *delivery, struct arena *arena)
{
    const struct spot *spot = &delivery->spot;
    const char *mode = spot_mode_name(spot);
    char place[32] = "";
    if (spot->channel)
        format_cut(place, sizeof place, " PMR446 %d", (int)spot->channel);
    else if (spot->frequency_hz)
        format_cut(place, sizeof place, " %d.%03d", (int)(spot->frequency_hz / 1000000),
                   (int)(spot->frequency_hz / 1000 % 1000));
    return text_of(arena_print(arena, "%.*s%s%s%s", (int)spot->dx_callsign.length,
                               spot->dx_callsign.bytes, place, mode ? " " : "", mode ? mode : ""));
}

static struct text text_about(const struct alert_delivery *delivery, struct arena *arena)
{
    const struct text rule = delivery->rule, spotter = delivery->spot.spotter;
    return text_of(arena_print(arena, "%.*s%sde %.*s", (int)rule.length,
                               rule.bytes ? rule.bytes : "", rule.length > 0 ? ", " : "",
                               (int)spotter.length, spotter.bytes));
}

struct template_values request_values(const struct alert_delivery *delivery, const char *address,
                                      struct arena *arena)
{
    struct template_values values = {
        .title = title_of(delivery, arena),
        .text = text_about(delivery, arena),
        .id = text_of(arena_print(arena, "qsosync-%lld-%lld", (long long)delivery->alert_id,
                                  (long long)delivery->way_id))};
    /* The Spots page with the station's spots. Browsers show one notification per link. */
    const struct template_values station = {.text = delivery->spot.dx_callsign};
    values.link =
        text_of(arena_print(arena, "%s/cluster/?callsign=%s", address,
                            template_fill(text_of("{text}"), &station, TEMPLATE_URL, arena).bytes));
    return values;
}

static const char *encode(const void *bytes, size_t length, struct arena *arena)
{
    const struct text encoded = base64url_encode(bytes, length, arena);
    return arena_copy(arena, encoded.bytes, encoded.length);
}

/* Returns the value of the header Authorization, or NULL. */
static const char *authorize(const char *url, const struct alert_sender *sender,
                             struct arena *arena)
{
    static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    unsigned char signature[ES256_SIGNATURE_BYTES], point[1 + ES256_POINT_BYTES] = {4};
    struct buffer claims = {0};
    struct web_address address;
    host_read_address(text_of(url), &address);
    const struct text host = {address.name.bytes, strcspn(address.name.bytes, "/?#")};
    memcpy(point + 1, sender->key.point, ES256_POINT_BYTES);
    json_write_item(
        &claims,
        json_text("aud", text_of(arena_print(arena, "https://%.*s", (int)host.length, host.bytes))),
        json_integer("exp", sender->now_ms / 1000 + TOKEN_SECONDS),
        json_text("sub", text_of(sender->address)));
    const char *signed_part = arena_print(arena, "%s.%s", encode(head, strlen(head), arena),
                                          encode(claims.bytes, claims.length, arena));
    buffer_free(&claims);
    if (!es256_sign(&sender->key, text_of(signed_part), signature))
        return NULL;
    return arena_print(arena, "Authorization: vapid t=%s.%s, k=%s", signed_part,
                       encode(signature, sizeof signature, arena),
                       encode(point, sizeof point, arena));
}

static bool build_push(const struct alert_delivery *delivery, const struct alert_sender *sender,
                       const struct template_values *values, struct arena *arena,
                       struct transfer *out)
{
    unsigned char salt[PUSH_SALT_BYTES];
    struct es256_key once;
    struct buffer json = {0};
    const struct alert_way *way = &delivery->way;
    if (way->point.length != 1 + ES256_POINT_BYTES || way->secret.length != PUSH_SECRET_BYTES ||
        !es256_make_key(&once))
        return false;
    random_fill(salt, sizeof salt);
    json_write_item(&json, json_text("title", values->title), json_text("text", values->text),
                    json_text("link", values->link));
    const struct push_keys keys = {(const unsigned char *)way->point.bytes + 1,
                                   (const unsigned char *)way->secret.bytes, &once, salt};
    out->body = push_encrypt((struct text){json.bytes, json.length}, &keys, arena);
    buffer_free(&json);
    out->headers[0] = authorize(out->url, sender, arena);
    out->headers[1] = "Content-Encoding: aes128gcm";
    out->headers[2] = "Content-Type: application/octet-stream";
    out->headers[3] = "TTL: " PUSH_SECONDS;
    out->headers[4] = "Urgency: high";
    return out->body.bytes && out->headers[0];
}

static void build_web(const struct alert_delivery *delivery, const struct template_values *values,
                      struct arena *arena, struct transfer *out)
{
    static const struct {
        const char *type;
        enum template_place place;
    } formats[] = {
        [ALERT_TEXT] = {"Content-Type: text/plain; charset=utf-8", TEMPLATE_PLAIN},
        [ALERT_JSON] = {"Content-Type: application/json", TEMPLATE_JSON},
        [ALERT_FORM] = {"Content-Type: application/x-www-form-urlencoded", TEMPLATE_URL}};
    const struct alert_way *way = &delivery->way;
    struct text rest = way->headers;
    int count = 0;
    out->is_put = way->is_put;
    out->body = template_fill(way->body, values, formats[way->format].place, arena);
    out->headers[count++] = formats[way->format].type;
    while (rest.bytes && count < TRANSFER_HEADERS_MAX)
        out->headers[count++] =
            template_fill(text_split_next(&rest, '\n'), values, TEMPLATE_HEADER, arena).bytes;
}

/* Returns whether the request is short enough. A template that repeats a value can become long. */
static bool is_sendable(const struct transfer *transfer)
{
    size_t headers = 0;
    for (int i = 0; transfer->headers[i]; i++)
        headers += strlen(transfer->headers[i]);
    return strlen(transfer->url) <= URL_MAX && headers <= PART_MAX &&
           transfer->body.length <= PART_MAX;
}

bool request_build(const struct alert_delivery *delivery, const struct alert_sender *sender,
                   struct arena *arena, struct transfer *out)
{
    const struct template_values values = request_values(delivery, sender->address, arena);
    *out = (struct transfer){
        .url = template_fill(delivery->way.address, &values, TEMPLATE_URL, arena).bytes};
    if (delivery->way.kind == ALERT_PUSH)
        return build_push(delivery, sender, &values, arena, out);
    build_web(delivery, &values, arena, out);
    return is_sendable(out);
}
