/* Decides who may use a route of the site: everybody, a signed-in member, a signed-in operator,
 * another club's service, or anybody while uploads are on. This program does not use API keys. A
 * route for uploads looks up the token in the part of the request that contains it. */
#include "site/shared/access.h"

#include "base/datetime.h"
#include "peers/answer.h"
#include "site/shared/device_cookie.h"
#include "site/shared/origin.h"
#include "site/shared/session.h"
#include "site/shared/site_error.h"
#include "store/log/logbook.h"
#include "store/log/uploads.h"
#include "store/people/sessions.h"
#include "worker/input.h"
#include "worker/last_use.h"

static int64_t today(const struct exchange *exchange)
{
    return exchange->request->arrived_ms / DATETIME_DAY_MS;
}

/* Renews the cookie once a day, so that its full lifetime begins again. */
static void renew_cookie(struct exchange *exchange)
{
    if (exchange->identity.last_used_day < today(exchange))
        session_set_cookie(exchange, session_cookie(exchange));
}

const struct error *access_count_hourly(struct exchange *exchange, enum rate_limit_group group,
                                        int64_t most)
{
    const struct rate_count count = {.group = group, .times = 1};
    struct rate_verdict verdict;
    rate_limit_count(exchange->limit, &count, exchange->request->remote_address, most,
                     exchange->request->arrived_monotonic_ms, &verdict);
    if (!verdict.counted)
        return &error_internal;
    return verdict.refused ? error_too_often(exchange->arena, verdict.reset_seconds) : NULL;
}

bool access_find_session(struct exchange *exchange)
{
    if (!exchange->store || session_find(exchange, &exchange->identity) != STORE_DONE)
        return false;
    renew_cookie(exchange);
    return true;
}

/* Selects the log that the request names. Only a route about a log may use a station's log.
 * Personal data is always the member's own. */
static const struct error *enter_log(struct exchange *exchange, struct identity *identity)
{
    struct text callsign;
    if (exchange->route->access == ACCESS_OPERATOR)
        return NULL;
    TRY(input_read_parameter(exchange, "log", &callsign));
    if (!callsign.bytes || match_same_callsign(callsign, identity->callsign))
        return NULL;
    if (exchange->route->access != ACCESS_LOG)
        return &site_error_log_not_granted;
    enum store_result result = store_enter_log(exchange->store, exchange->arena, callsign,
                                               exchange->request->arrived_ms, identity);
    return result == STORE_NO_GRANT ? &site_error_log_not_granted : route_store_error(result);
}

/* Finds the signed-in member. Browsers send cookies with requests from any page, so a request that
 * changes something must come from one of our pages. */
static const struct error *identify_member(struct exchange *exchange)
{
    TRY(exchange->route->method == METHOD_GET ? NULL : origin_check(exchange));
    enum store_result result = session_find(exchange, &exchange->identity);
    if (result == STORE_NONE && session_cookie(exchange).bytes)
        device_cookie_end_session(exchange, 0);
    TRY(route_find_error(result, &site_error_no_session));
    renew_cookie(exchange);
    TRY(enter_log(exchange, &exchange->identity));
    return route_find_error(store_find_active_member(exchange->store, exchange->arena,
                                                     exchange->identity.member_id,
                                                     &exchange->member),
                            &site_error_no_session);
}

const struct error *access_check_proof(const struct exchange *exchange)
{
    return store_session_is_proved(&exchange->identity, exchange->request->arrived_ms)
               ? NULL
               : &site_error_proof_too_old;
}

static const struct error *check_uploads(struct exchange *exchange)
{
    bool on = false;
    if (store_read_uploads(exchange->store, &on) != STORE_DONE)
        return &error_internal;
    return on ? NULL : &error_not_found;
}

/* Identifies another club's service. A browser, which sends a cookie, must not use these routes. */
static const struct error *check_peer(struct exchange *exchange)
{
    return session_cookie(exchange).bytes
               ? &error_key_invalid
               : route_find_error(answer_identify(exchange, &exchange->identity),
                                  &error_key_invalid);
}

const struct error *access_check(struct exchange *exchange)
{
    enum route_access access = exchange->route->access;
    if (access == ACCESS_UPLOADS)
        return check_uploads(exchange);
    if (access == ACCESS_PEER)
        return check_peer(exchange);
    TRY(identify_member(exchange));
    return access != ACCESS_OPERATOR         ? NULL
           : !exchange->identity.is_operator ? &site_error_no_operator
                                             : access_check_proof(exchange);
}

const struct error *access_check_again(struct exchange *exchange)
{
    struct identity identity;
    int64_t now_ms = exchange->request->arrived_ms;
    if (exchange->identity.credential != CREDENTIAL_SESSION)
        return NULL;
    if (store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return &error_internal;
    const struct error *error =
        route_find_error(session_find(exchange, &identity), &site_error_no_session);
    if (!error)
        error = enter_log(exchange, &identity);
    store_end_read(exchange->store);
    TRY(error);
    bool is_operator_still = exchange->route->access != ACCESS_OPERATOR || identity.is_operator;
    return is_operator_still ? NULL : &site_error_no_operator;
}

void access_finish(const struct exchange *exchange, const struct error *error)
{
    (void)error;
    last_use_note(exchange);
}
