/* A member's devices: signed-in browsers, each with the keys of its app, then apps in browsers that
 * are not signed in. The routes below /profile/data/devices list devices, sign out one device or
 * all others, and create a link that signs in another device. The link works once, for a short
 * time. A session's secret is never shown; the page identifies a session by a number. */
#include "site/profile/devices.h"

#include "base/api_key.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "site/shared/address.h"
#include "site/shared/device_cookie.h"
#include "site/shared/qr.h"
#include "store/people/devices.h"
#include "store/people/links.h"

#define APP_SEGMENT 4 /* /profile/data/devices/apps/{app} */

static void write_device(void *context, const struct device *device)
{
    const struct exchange *exchange = context;
    const struct session *browser = &device->browser;
    struct buffer *body = exchange->body;
    json_begin_item(body);
    json_write_fields(body, json_number_or_null("number", browser->number),
                      json_text("device", browser->device),
                      json_time("createdAt", browser->created_at_ms),
                      json_day("lastUsedOn", browser->last_used_day),
                      json_flag("isThis", browser->number == exchange->identity.key_number));
    json_begin_array(body, "apps");
    for (size_t i = 0; i < device->app_count; i++) {
        const struct app_key *app = &device->apps[i];
        json_write_item(body, json_number("number", app->number), json_text("name", app->name),
                        json_text("log", app->log), json_time("createdAt", app->created_at_ms),
                        json_day("lastUsedOn", app->last_used_day));
    }
    buffer_append_string(body, "]}");
}

enum store_result devices_write_items(struct exchange *exchange, int64_t member_id)
{
    json_begin_array(exchange->body, "items");
    enum store_result result =
        store_list_devices(exchange->store, exchange->arena, member_id,
                           exchange->request->arrived_ms, write_device, exchange);
    buffer_append(exchange->body, "]", 1);
    return result;
}

static const struct error *answer_list(struct exchange *exchange)
{
    enum store_result result = devices_write_items(exchange, exchange->member.id);
    json_write_integer(exchange->body, "max", SESSION_MAX);
    return profile_store_error(result);
}

static const struct error *answer_end_one(struct exchange *exchange)
{
    const struct error *error = profile_store_error(
        store_sign_out_device(exchange->store, exchange->member.id, exchange->number));
    if (!error && exchange->number == exchange->identity.key_number)
        device_cookie_end_session(exchange, exchange->member.id);
    return error;
}

static const struct error *answer_end_others(struct exchange *exchange)
{
    return profile_store_error(store_sign_out_devices(exchange->store, exchange->member.id,
                                                      exchange->identity.key_number));
}

/* DELETE revokes a key of the app in a browser that is not signed in. POST reports that the app in
 * this browser has the key from an earlier session. */
static const struct error *answer_app(struct exchange *exchange)
{
    const int64_t member_id = exchange->member.id;
    int64_t number;
    if (!text_parse_integer(exchange->request->segments[APP_SEGMENT], 1, INT64_MAX, &number))
        return &error_not_found;
    return profile_store_error(
        exchange->route == &route_profile_adopt_app
            ? store_adopt_app_key(exchange->store, member_id, exchange->identity.key_number, number)
            : store_revoke_app_key(exchange->store, member_id, number));
}

static const struct error *answer_link(struct exchange *exchange)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    const char *link = address_make_link(exchange, fingerprint);
    TRY(profile_store_error(store_add_link(exchange->store, exchange->member.id, LINK_DEVICE,
                                           fingerprint, DEVICE_LINK_MS)));
    json_write_fields(exchange->body, json_text("link", text_of(link)),
                      json_integer("validSeconds", DEVICE_LINK_MS / 1000));
    qr_write(exchange->body, "qr", link);
    return NULL;
}

PROFILE_ROUTE(profile_devices, METHOD_GET, "devices", 200, answer_list);
PROFILE_ROUTE(profile_end_device, METHOD_DELETE, "devices/{number}", 204, answer_end_one);
PROFILE_ROUTE(profile_end_devices, METHOD_DELETE, "devices", 204, answer_end_others);
PROFILE_ROUTE(profile_adopt_app, METHOD_POST, "devices/apps/{app}", 204, answer_app,
              .body = &body_small_object);
PROFILE_ROUTE(profile_revoke_app, METHOD_DELETE, "devices/apps/{app}", 204, answer_app);
PROFILE_ROUTE(profile_link_device, METHOD_POST, "devices/link", 200, answer_link,
              .body = &body_small_object);
