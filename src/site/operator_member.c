/* Changes one member for an operator: locator, callsign, role, disabling, QSL card, and the end of
 * the membership with its export. Each is the same function of the store as the operator's command
 * uses, which notes who did it. */
#include "qso/locator.h"
#include "site/operator.h"
#include "site/site_error.h"
#include "store/cards.h"
#include "store/operator_log.h"
#include "transfer/everything.h"

static const struct error *answer_locator(struct exchange *exchange)
{
    char normal[LOCATOR_LENGTH_MAX];
    struct text locator = text_trim(json_read_text(exchange->sent, "locator"));
    if (!locator.bytes || !locator_normalise(locator, normal))
        return profile_refuse(exchange, "locator", "must be a locator of 4 or 6 characters");
    return operator_store_error(exchange,
                                store_set_member(exchange->store, exchange->number,
                                                 (struct text){normal, locator.length},
                                                 (struct text){0}),
                                &error_internal);
}

static const struct error *answer_rename(struct exchange *exchange)
{
    struct text callsign;
    if (!member_read_callsign(exchange->arena, json_read_text(exchange->sent, "callsign"),
                              &callsign))
        return profile_refuse(exchange, "callsign", "must have 1 to 20 characters");
    return operator_store_error(exchange,
                                store_rename_member(exchange->store, exchange->number, callsign),
                                &site_error_callsign_taken);
}

static const struct error *set_active(struct exchange *exchange, bool active)
{
    const struct error *error = active ? NULL : operator_check_other(exchange);
    return error ? error
                 : operator_store_error(
                       exchange, store_set_member_active(exchange->store, exchange->number, active),
                       &site_error_last_operator);
}

static const struct error *answer_disable(struct exchange *exchange)
{
    return set_active(exchange, false);
}

static const struct error *answer_enable(struct exchange *exchange)
{
    return set_active(exchange, true);
}

static const struct error *answer_operator(struct exchange *exchange)
{
    bool on;
    const struct error *error = profile_read_flag(exchange, "on", &on);
    if (!error && exchange->subject.is_station)
        error = &site_error_station;
    return error ? error
                 : operator_store_error(exchange,
                                        store_set_operator(exchange->store, exchange->number, on),
                                        &site_error_last_operator);
}

static const struct error *answer_remove_card(struct exchange *exchange)
{
    enum store_result result = store_remove_card(exchange->store, exchange->number);
    return result == STORE_NONE ? &site_error_no_card
                                : operator_store_error(exchange, result, &error_internal);
}

/* -- The end of a membership ------------------------------------------------------------------- */

/* Of a member who is disabled, nothing of a log changes any more, and nobody reads it in passing:
 * disabling is noted, and so is reading. */
static const struct error *check_disabled(const struct member *member)
{
    return member->active ? &site_error_still_active : NULL;
}

static bool write_piece(void *context, const char *bytes, size_t length)
{
    struct exchange *exchange = context;
    buffer_append(&exchange->response->body, bytes, length);
    return response_flush(exchange->response);
}

/* A POST, because it is noted. */
static const struct error *answer_export(struct exchange *exchange)
{
    const struct error *error = check_disabled(&exchange->subject);
    if (!error)
        error = profile_store_error(store_note_operator_act(
            exchange->store, "member export", exchange->subject.callsign, (struct text){0}));
    if (error)
        return error;
    exchange->file_name = "qsosync-everything.json";
    return profile_store_error(everything_export(
        exchange->store, &exchange->subject, exchange->request->arrived_ms, write_piece, exchange));
}

static const struct error *answer_delete(struct exchange *exchange)
{
    const struct error *error = operator_check_other(exchange);
    if (!error)
        error = check_disabled(&exchange->subject);
    if (error)
        return error;
    struct text typed = text_trim(json_read_text(exchange->sent, "callsign"));
    if (!typed.bytes || !text_equals_ignoring_case(typed, exchange->subject.callsign.bytes))
        return profile_refuse(exchange, "callsign", "must be the member's callsign");
    return operator_store_error(exchange, store_delete_member(exchange->store, exchange->number),
                                &site_error_last_operator);
}

OPERATOR_ROUTE(operator_locator, METHOD_POST, "members/{number}/locator", USES_STORE, 204,
               answer_locator);
OPERATOR_ROUTE(operator_rename, METHOD_POST, "members/{number}/rename", USES_STORE, 204,
               answer_rename);
OPERATOR_ROUTE(operator_disable, METHOD_POST, "members/{number}/disable", USES_STORE, 204,
               answer_disable);
OPERATOR_ROUTE(operator_enable, METHOD_POST, "members/{number}/enable", USES_STORE, 204,
               answer_enable);
OPERATOR_ROUTE(operator_role, METHOD_POST, "members/{number}/operator", USES_STORE, 204,
               answer_operator);
OPERATOR_ROUTE(operator_remove_card, METHOD_POST, "members/{number}/remove-card", USES_STORE, 204,
               answer_remove_card);
OPERATOR_ROUTE(operator_export, METHOD_POST, "members/{number}/export", USES_STORE, 200,
               answer_export);
OPERATOR_ROUTE(operator_delete, METHOD_POST, "members/{number}/delete", USES_STORE, 204,
               answer_delete);
