/* Decides who may use a route of the site: everybody, the member whose login the front server
 * reports, or anybody while uploads are on. This program knows no API key; an upload token is
 * looked up where the request carries it, by the route. */
#include "site/access.h"

#include "base/datetime.h"
#include "site/login.h"
#include "store/keys.h"
#include "store/logbook.h"

/* Browsers send the login with requests of any page: what changes something has to come from one of
 * ours. */
static const struct error *identify_member(struct exchange *exchange)
{
    struct member *member = &exchange->member;
    const struct error *error = NULL;
    if (exchange->route->method != METHOD_GET)
        error = login_check_origin(exchange->request);
    if (!error)
        error = login_identify(exchange->request, exchange->store, member);
    if (!error)
        exchange->identity = (struct identity){.credential = CREDENTIAL_LOGIN,
                                               .member_id = member->id,
                                               .callsign = member->callsign,
                                               .locator = member->locator,
                                               .login = member->login};
    return error;
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
    return exchange->route->access == ACCESS_UPLOADS ? check_uploads(exchange)
                                                     : identify_member(exchange);
}

void access_finish(const struct exchange *exchange, const struct error *error)
{
    const struct identity *identity = &exchange->identity;
    int64_t day = exchange->request->arrived_ms / DATETIME_DAY_MS;
    (void)error;
    if (identity->credential == CREDENTIAL_TOKEN && identity->last_used_day < day)
        store_note_token_use(exchange->store, identity->key_number, day);
}
