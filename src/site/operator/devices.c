/* Lists a member's browsers and apps, and signs them out for an operator. */
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/profile/devices.h"
#include "store/people/devices.h"

#define DEVICE_SEGMENT 5 /* /operator/data/members/{number}/devices/{device}/sign-out */

static const struct error *answer_devices(struct exchange *exchange)
{
    TRY(profile_store_error(devices_write_items(exchange, exchange->number)));
    return NULL;
}

static const struct error *answer_sign_out(struct exchange *exchange)
{
    const bool is_app = exchange->route == &route_operator_sign_out_app;
    const struct text *segment = &exchange->request->segments[DEVICE_SEGMENT];
    int64_t number;
    if (!text_parse_integer(segment[is_app], 1, INT64_MAX, &number))
        return &error_not_found;
    enum store_result result =
        is_app ? store_revoke_app_key(exchange->store, exchange->number, number)
               : store_sign_out_device(exchange->store, exchange->number, number);
    return operator_store_error(exchange, result, &error_internal);
}

static const struct error *answer_sign_out_all(struct exchange *exchange)
{
    const struct identity *own = &exchange->identity;
    const int64_t kept = exchange->number == own->member_id ? own->key_number : 0;
    return operator_store_error(
        exchange, store_sign_out_devices(exchange->store, exchange->number, kept), &error_internal);
}

OPERATOR_ROUTE(operator_devices, METHOD_GET, "members/{number}/devices", 200, answer_devices);
OPERATOR_ROUTE(operator_sign_out, METHOD_POST, "members/{number}/devices/{device}/sign-out", 204,
               answer_sign_out, .body = &body_small_object);
OPERATOR_ROUTE(operator_sign_out_app, METHOD_POST, "members/{number}/devices/apps/{app}/sign-out",
               204, answer_sign_out, .body = &body_small_object);
OPERATOR_ROUTE(operator_sign_out_all, METHOD_POST, "members/{number}/sign-out", 204,
               answer_sign_out_all, .body = &body_small_object);
