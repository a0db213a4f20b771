/* The program qsosync-site.fcgi: a worker that serves browsers and upload clients. Each folder
 * except shared contains a family of routes, and its routes.h lists the routes and their guard.
 * src/worker/worker.c starts and ends the program, and src/worker/router.c routes requests. */
#include "site/counting.h"
#include "site/operator/routes.h"
#include "site/profile/routes.h"
#include "site/public/log_page.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/own_host.h"
#include "site/sign_in/outcome.h"
#include "site/sign_in/routes.h"
#include "site/uploads/cloudlog.h"
#include "site/uploads/routes.h"
#include "worker/route.h"
#include "worker/worker.h"

static void simplify_path(struct request *request)
{
    cloudlog_simplify_path(request);
    log_page_simplify_path(request);
}

int main(int argument_count, char **arguments)
{
    /* The empty name is the front page, because its address ends with a slash. */
    static const char *const names[] = {"",        "healthz",  "cloudlog", "api",
                                        "cluster", "sign-in",  "sign-out", "welcome",
                                        "profile", "operator", "docs",     ".well-known",
                                        "peers",   "lofi",     "log",      NULL};
    static const struct request_root root = {.at = names};
    static const struct route *const routes[] = {
        PUBLIC_ROUTES(ROUTE_ADDRESS) SIGN_IN_ROUTES(ROUTE_ADDRESS) PROFILE_ROUTES(ROUTE_ADDRESS)
            OPERATOR_ROUTES(ROUTE_ADDRESS) UPLOADS_ROUTES(ROUTE_ADDRESS) NULL};
    static const struct router router = {
        .routes = routes,
        .simplify_path = simplify_path,
        .redirect = own_host_redirect,
        .identify = access_check,
        .finish = access_finish,
        .show_error = outcome_show_error,
    };
    static const struct worker_program program = {
        .number = 1,
        .name = "qsosync-site.fcgi",
        .purpose = "qsosync-site.fcgi signs members in, and serves the front page, the spots, the "
                   "members'\nprofiles and the uploads of QSOsync.\n",
        .root = &root,
        .choose_count = counting_choose,
        .router = &router,
        .has_secret_bodies = true,
    };
    return worker_main(&program, argument_count, arguments);
}
