/* Helpers for the operator's routes: they find the member in the path, and choose the error if the
 * store refuses a change. shared/access.c decides who may use the routes; profile/profile.c reads
 * the bodies. */
#include "site/operator/operator.h"

#include <string.h>

#include "site/profile/profile.h"
#include "site/shared/access.h"
#include "site/shared/site_error.h"
#include "store/people/members.h"
#include "worker/input.h"

const struct error *operator_prepare(struct exchange *exchange)
{
    const char *path = exchange->route->path;
    const struct error *error = profile_prepare(exchange);
    if (error || !(strstr(path, "/members/{number}") || strstr(path, "/stations/{number}")))
        return error;
    return profile_store_error(store_find_member_by_number(exchange->store, exchange->arena,
                                                           exchange->number, &exchange->subject));
}

const struct error *operator_check_other(const struct exchange *exchange)
{
    return exchange->number == exchange->identity.member_id ? &site_error_own_membership : NULL;
}

const struct error *operator_read_callsign(struct exchange *exchange, struct text *callsign)
{
    return member_read_callsign(exchange->arena, json_read_text(exchange->sent, "callsign"),
                                callsign)
               ? NULL
               : input_refuse(exchange, "callsign", "must be 1 to 20 characters long");
}

const struct error *operator_store_error(struct exchange *exchange, enum store_result result,
                                         const struct error *refusal)
{
    const struct error *ended = result == STORE_DENIED ? access_check_again(exchange) : NULL;
    if (ended)
        return ended;
    return result == STORE_REFUSED ? refusal : profile_store_error(result);
}
