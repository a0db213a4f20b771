/* The program qsosync-site.fcgi: a worker that serves browsers and upload clients. Its routes are
 * listed in routes.h, each is in a file of its own or of its family. Starting, waiting and ending
 * is left to src/worker/worker.c, the way of a request to src/worker/router.c. */
#include "site/access.h"
#include "site/counting.h"
#include "site/letting_in.h"
#include "site/routes.h"
#include "site/session.h"
#include "site/uploads.h"
#include "worker/worker.h"

int main(int argument_count, char **arguments)
{
    /* The empty name is the front page's, which ends with a slash. */
    static const char *const names[] = {"",         "healthz",  "cloudlog", "cluster",
                                        "sign-in",  "sign-out", "welcome",  "profile",
                                        "operator", "docs",     NULL};
    static const struct request_root root = {.at = names};
    static const struct route *const routes[] = {SITE_ROUTES(ROUTE_ADDRESS) NULL};
    static const struct router router = {
        .routes = routes,
        .simplify_path = uploads_simplify_path,
        .lead = session_lead_to_own_name,
        .identify = access_check,
        .finish = access_finish,
        .show_error = letting_in_show_error,
    };
    static const struct worker_program program = {
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
