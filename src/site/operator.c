/* Helps the routes of the operator's page: finds the member whom a path names, and chooses the
 * error where the store refuses. Who may use them is decided in access.c; bodies are read as those
 * of the profile (profile.c). */
#include "site/operator.h"

#include "site/access.h"
#include "site/site_error.h"
#include "store/member_pages.h"

const struct error *operator_find_member(struct exchange *exchange, struct member *member)
{
    int64_t number;
    const struct error *error = profile_read_number(exchange, &number);
    return error ? error
                 : profile_store_error(store_find_member_by_number(exchange->store, exchange->arena,
                                                                   number, member));
}

const struct error *operator_check_other(const struct exchange *exchange,
                                         const struct member *member)
{
    return member->id == exchange->identity.member_id ? &site_error_own_membership : NULL;
}

const struct error *operator_store_error(struct exchange *exchange, enum store_result result,
                                         const struct error *refusal)
{
    const struct error *ended = result == STORE_DENIED ? access_check_again(exchange) : NULL;
    if (ended)
        return ended;
    return result == STORE_REFUSED ? refusal : profile_store_error(result);
}

const struct error *operator_read_switch(struct exchange *exchange, const struct json_fields *body,
                                         bool *on)
{
    *on = json_read_flag(body, "on");
    return json_has_flag(body, "on") ? NULL
                                     : profile_refuse(exchange, "on", "must be true or false");
}
