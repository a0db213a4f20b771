/* Changes one member for an operator: locator, callsign, role, disabling and QSL card. The
 * operator's command calls the same functions of the store. The store records which operator made
 * each change. */
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/shared/site_error.h"
#include "store/log/cards.h"
#include "store/people/members.h"

static const struct error *answer_locator(struct exchange *exchange)
{
    struct text locator;
    TRY(profile_read_locator(exchange, &locator));
    return operator_store_error(
        exchange, store_set_member(exchange->store, exchange->number, locator, (struct text){0}),
        &error_internal);
}

static const struct error *answer_rename(struct exchange *exchange)
{
    struct text callsign;
    TRY(operator_read_callsign(exchange, &callsign));
    return operator_store_error(exchange,
                                store_rename_member(exchange->store, exchange->number, callsign),
                                &site_error_callsign_taken);
}

static const struct error *answer_active(struct exchange *exchange)
{
    bool active = exchange->route == &route_operator_enable;
    TRY(active ? NULL : operator_check_other(exchange));
    return operator_store_error(exchange,
                                store_set_member_active(exchange->store, exchange->number, active),
                                &site_error_last_operator);
}

static const struct error *answer_operator(struct exchange *exchange)
{
    bool on;
    TRY(profile_read_flag(exchange, "on", &on));
    if (exchange->subject.is_station)
        return &site_error_station;
    return operator_store_error(exchange, store_set_operator(exchange->store, exchange->number, on),
                                &site_error_last_operator);
}

static const struct error *answer_remove_card(struct exchange *exchange)
{
    enum store_result result = store_remove_card(exchange->store, exchange->number, true);
    return result == STORE_NONE ? &site_error_no_card
                                : operator_store_error(exchange, result, &error_internal);
}

OPERATOR_ROUTE(operator_locator, METHOD_POST, "members/{number}/locator", 204, answer_locator,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_rename, METHOD_POST, "members/{number}/rename", 204, answer_rename,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_disable, METHOD_POST, "members/{number}/disable", 204, answer_active,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_enable, METHOD_POST, "members/{number}/enable", 204, answer_active,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_role, METHOD_POST, "members/{number}/operator", 204, answer_operator,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_remove_card, METHOD_POST, "members/{number}/remove-card", 204,
               answer_remove_card, .body = &body_small_object);
