/* Decides who may use a route of the site: everybody, a member whose browser is signed in, one of
 * them who runs the club, or anybody while uploads are on. This program knows no API key; an upload
 * token is looked up where the request carries it, by the route. */
#include "site/access.h"

#include "base/datetime.h"
#include "site/guesses.h"
#include "site/origin.h"
#include "site/session.h"
#include "site/site_error.h"
#include "store/keys.h"
#include "store/logbook.h"
#include "store/sessions.h"

static int64_t today(const struct exchange *exchange)
{
    return exchange->request->arrived_ms / DATETIME_DAY_MS;
}

/* Once a day the cookie is given its full time again. */
static void renew_cookie(struct exchange *exchange)
{
    if (exchange->identity.last_used_day < today(exchange))
        session_renew_cookie(exchange);
}

bool access_find_session(struct exchange *exchange)
{
    if (!exchange->store || session_recall(exchange, &exchange->identity) != STORE_DONE)
        return false;
    renew_cookie(exchange);
    return true;
}

/* Browsers send cookies with requests of any page: what changes something has to come from one of
 * ours. */
static const struct error *identify_member(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    const struct error *error = NULL;
    if (exchange->route->method != METHOD_GET)
        error = origin_check(exchange);
    if (error)
        return error;
    enum store_result result = session_find(exchange, &exchange->identity);
    if (result == STORE_NONE && session_has_cookie(exchange))
        session_end_cookie(exchange);
    if (result == STORE_DONE)
        renew_cookie(exchange);
    if (result == STORE_DONE)
        result = store_find_active_member(exchange->store, exchange->arena, identity->member_id,
                                          &exchange->member);
    return result == STORE_DONE   ? NULL
           : result == STORE_NONE ? &site_error_no_session
                                  : &error_internal;
}

static const struct error *identify_operator(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    const struct error *error = identify_member(exchange);
    if (error)
        return error;
    if (!identity->is_operator)
        return &site_error_no_operator;
    return store_session_is_proved(identity, exchange->request->arrived_ms)
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

const struct error *access_check(struct exchange *exchange)
{
    switch (exchange->route->access) {
    case ACCESS_UPLOADS:
        return check_uploads(exchange);
    case ACCESS_OPERATOR:
        return identify_operator(exchange);
    default:
        return identify_member(exchange);
    }
}

const struct error *access_check_again(struct exchange *exchange)
{
    struct identity identity;
    int64_t now_ms = exchange->request->arrived_ms;
    if (exchange->identity.credential != CREDENTIAL_SESSION)
        return NULL;
    if (store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return &error_internal;
    enum store_result result = session_find(exchange, &identity);
    store_end_read(exchange->store);
    if (result != STORE_DONE)
        return result == STORE_NONE ? &site_error_no_session : &error_internal;
    bool is_operator_still = exchange->route->access != ACCESS_OPERATOR || identity.is_operator;
    return is_operator_still ? NULL : &site_error_no_operator;
}

void access_finish(const struct exchange *exchange, const struct error *error)
{
    const struct identity *identity = &exchange->identity;
    int64_t day = today(exchange);
    (void)error;
    if (identity->last_used_day >= day)
        return;
    if (identity->credential == CREDENTIAL_TOKEN)
        store_note_token_use(exchange->store, identity->key_number, day);
    if (identity->credential == CREDENTIAL_SESSION) {
        store_note_session_use(exchange->store, identity->key_number, day);
        guess_note_use(exchange->request, identity->member_id);
    }
}
