/* The member's browsers that are signed in: GET /profile/data/devices lists them, DELETE signs one
 * out, or all others, and POST /profile/data/devices/link makes a link that signs in another
 * device, once and soon. A session's secret is never shown; it is known by a number. */
#include <string.h>

#include "base/api_key.h"
#include "json/write.h"
#include "site/address.h"
#include "site/profile.h"
#include "site/qr.h"
#include "site/session.h"
#include "store/sessions.h"

static const struct error *answer_list(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    buffer_append(body, "{", 1);
    enum store_result result = session_write_items(exchange, exchange->member.id);
    json_write_integer(body, "max", SESSION_MAX);
    buffer_append(body, "}", 1);
    return profile_store_error(result);
}

static const struct error *answer_end_one(struct exchange *exchange)
{
    int64_t number;
    const struct error *error = profile_read_number(exchange, &number);
    if (error)
        return error;
    error = profile_store_error(store_end_session(exchange->store, exchange->member.id, number));
    if (!error && number == exchange->identity.key_number)
        session_end_cookie(exchange);
    return error;
}

static const struct error *answer_end_others(struct exchange *exchange)
{
    return profile_store_error(
        store_end_sessions(exchange->store, exchange->member.id, exchange->identity.key_number));
}

/* -- Another device ---------------------------------------------------------------------------- */

static void write_link(struct exchange *exchange, const char *secret)
{
    struct buffer *body = &exchange->response->body;
    const char *link =
        arena_print(exchange->arena, "%s/welcome/#%s", address_of_service(exchange), secret);
    buffer_append(body, "{", 1);
    json_write_text(body, "link", text_of(link));
    json_write_integer(body, "validSeconds", DEVICE_LINK_MS / 1000);
    qr_write(body, "qr", link);
    buffer_append(body, "}", 1);
}

static const struct error *answer_link(struct exchange *exchange)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    char secret[API_KEY_LINK_LENGTH + 1];
    const struct json_fields *body;
    const struct error *error = profile_read_body(exchange, &body);
    if (!error && !api_key_make_link(secret))
        error = &error_internal;
    if (error)
        return error;
    api_key_fingerprint(text_of(secret), fingerprint);
    error = profile_store_error(store_add_link(exchange->store, exchange->member.id, LINK_DEVICE,
                                               fingerprint, DEVICE_LINK_MS));
    if (!error)
        write_link(exchange, secret);
    explicit_bzero(secret, sizeof secret);
    return error;
}

PROFILE_ROUTE(profile_devices, METHOD_GET, "devices", USES_SNAPSHOT, 200, answer_list);
PROFILE_ROUTE(profile_end_device, METHOD_DELETE, "devices/{number}", USES_STORE, 204,
              answer_end_one);
PROFILE_ROUTE(profile_end_devices, METHOD_DELETE, "devices", USES_STORE, 204, answer_end_others);
PROFILE_ROUTE(profile_link_device, METHOD_POST, "devices/link", USES_STORE, 200, answer_link);
