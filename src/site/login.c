/* Turns a login into a member. The front server checks logins; it reports one by a variable that
 * only its configuration can set, and no header of a client. Passwords are never seen here; the
 * file of their hashes is written by the store. */
#include "site/login.h"

#include <string.h>

#include "site/site_error.h"
#include "worker/worker.h"

static const char *variable(const struct request *request, const char *name)
{
    const char *value = gateway_variable(request->gateway, name);
    return value && *value ? value : NULL;
}

const struct error *login_identify(const struct request *request, struct store *store,
                                   struct member *member)
{
    const char *user = variable(request, "REMOTE_USER");
    if (!user)
        user = variable(request, "REDIRECT_REMOTE_USER"); /* Apache, after an internal redirect */
    if (!user || !worker_setting_number(request, SETTING_LOGIN))
        return &site_error_no_login;
    switch (store_find_login(store, request->arena, text_of(user), member)) {
    case STORE_DONE:
        return NULL;
    case STORE_NONE:
        return &site_error_no_member;
    default:
        return &error_internal;
    }
}

/* Is the origin, after its scheme, the host that the request was sent to? */
static bool is_own_origin(const char *origin, const char *host)
{
    const char *authority = strstr(origin, "://");
    return authority && host && strcmp(authority + 3, host) == 0;
}

const struct error *login_check_origin(const struct request *request)
{
    const char *site = variable(request, "HTTP_SEC_FETCH_SITE");
    const char *origin = variable(request, "HTTP_ORIGIN");
    if (site && strcmp(site, "same-origin") != 0)
        return &site_error_cross_site;
    if (origin && !is_own_origin(origin, variable(request, "HTTP_HOST")))
        return &site_error_cross_site;
    return site || origin ? NULL : &site_error_cross_site;
}
