/* The program qsosync-site.fcgi: a worker that serves what browsers and upload clients ask for. */
#include "site/router.h"

int main(int argument_count, char **arguments)
{
    /* The empty name is the front page's, which ends with a slash. */
    static const char *const names[] = {"", "healthz", "cloudlog", "cluster", "profile", NULL};
    static const struct request_root root = {.at = names};
    static const struct worker_program program = {
        .name = "qsosync-site.fcgi",
        .purpose = "qsosync-site.fcgi serves the front page, the spots, the members' profiles and "
                   "the\nupload door of QSOsync.\n",
        .root = &root,
        .limit_group = RATE_LIMIT_SITE,
        .serve = router_serve,
    };
    return worker_main(&program, argument_count, arguments);
}
