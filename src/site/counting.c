/* Chooses what a request is counted with. Behind one address stands a whole club, or a provider's
 * customers: nobody may use up what others look at. A cookie that is no session's counts for
 * nothing, or it would be a way around the limit. The counting is left to rate_limit.c. */
#include "site/counting.h"

#include "site/session.h"

#define SPOTS_TIMES 10 /* a page asks every second or so: 50 people at one address */

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
    } else if (exchange->store && session_recall(exchange, &identity) == STORE_DONE) {
        count->group = RATE_LIMIT_SESSIONS;
        count->session = (uint64_t)identity.member_id << 32 | (uint32_t)identity.key_number;
    }
}
