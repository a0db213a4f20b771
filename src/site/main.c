/* The program qsosync-site.fcgi: a worker that serves browsers and upload clients. Each folder is a
 * family of routes, which its routes.h lists with their guard. src/worker/worker.c starts and ends
 * the program, and src/worker/router.c routes requests. */
#include "peers/answer.h"
#include "site/operator/routes.h"
#include "site/profile/routes.h"
#include "site/public/log_page.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/own_host.h"
#include "site/shared/session.h"
#include "site/sign_in/outcome.h"
#include "site/sign_in/routes.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "worker/rate_limit.h"
#include "worker/route.h"
#include "worker/worker.h"

/* -- What a request is counted with ------------------------------------------------------------ */

/* A whole club, or a provider's customers, may share one address, and nobody may use up the
 * requests of the others. Cookies without a session do not count, or they would bypass the limit.
 * rate_limit.c counts the requests. */

#define SPOTS_TIMES 10 /* a page polls about once a second: 50 people at one address */

static bool wants_spots(const struct request *request)
{
    const struct text *segments = request->segments;
    return (request->method == METHOD_GET || request->method == METHOD_HEAD) &&
           request->segment_count >= 2 && text_equals(segments[0], text_of("cluster")) &&
           (text_equals(segments[1], text_of("spots")) ||
            text_equals(segments[1], text_of("spot")) ||
            text_equals(segments[1], text_of("stats")));
}

/* Requests of a signed-in browser or of another club's service are counted separately. Spots, which
 * pages poll, are counted by address in a group of their own with ten times the limit. All other
 * requests are counted by address. */
static void counting_choose(struct exchange *exchange, struct rate_count *count)
{
    struct identity identity = {0};
    count->group = RATE_LIMIT_SITE;
    if (wants_spots(exchange->request)) {
        count->group = RATE_LIMIT_SPOTS;
        count->times = SPOTS_TIMES;
    } else if (exchange->store && answer_identify(exchange, &identity) == STORE_DONE) {
        count->group = RATE_LIMIT_PEERS;
        count->session = (uint64_t)identity.key_number;
    } else if (exchange->store && session_find(exchange, &identity) == STORE_DONE) {
        count->group = RATE_LIMIT_SESSIONS;
        count->session = (uint64_t)identity.member_id << 32 | (uint32_t)identity.key_number;
    }
}

static void simplify_path(struct request *request)
{
    uploads_simplify_path(request);
    log_page_simplify_path(request);
}

int main(int argument_count, char **arguments)
{
    /* The empty name is the front page, whose address ends with a slash. */
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
        .lead = own_host_redirect,
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
