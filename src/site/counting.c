/* Chooses how a request is counted for the rate limit. A whole club, or a provider's customers, can
 * share one address, and nobody must be able to use up the other people's requests. A cookie
 * without a session does not count as a session, because it would bypass the limit.
 * src/worker/rate_limit.c counts the requests. */
#include "site/counting.h"

#include "peers/answer.h"
#include "site/operator/routes.h"
#include "site/profile/routes.h"
#include "site/public/routes.h"
#include "site/shared/session.h"
#include "site/sign_in/routes.h"
#include "site/uploads/routes.h"
#include "worker/rate_limit.h"
#include "worker/route.h"

#define SPOTS_TIMES 10 /* enough for 50 people at one address; a page polls about once a second */

static bool wants_spots(const struct request *request)
{
    const struct text *segments = request->segments;
    return (request->method == METHOD_GET || request->method == METHOD_HEAD) &&
           request->segment_count >= 2 && text_equals(segments[0], text_of("cluster")) &&
           (text_equals(segments[1], text_of("spots")) ||
            text_equals(segments[1], text_of("spot")) ||
            text_equals(segments[1], text_of("stats")));
}

void counting_choose(struct exchange *exchange, struct rate_count *count)
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
