/* GET /profile/data/statistics: what is in the log, or in the part of it that a filter wants, as
 * numbers, and when a program used it last. They are counted in statistics.c; the page draws them
 * (src/pages/log-statistics.js). */
#include "json/write.h"
#include "site/profile.h"
#include "site/summary.h"
#include "store/keys.h"

static void find_last_use(void *context, const struct key *key)
{
    int64_t *day = context;
    if (key->last_used_day > *day)
        *day = key->last_used_day;
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    int64_t last_day = -1;
    buffer_append(body, "{", 1);
    const struct error *error = summary_answer(exchange, KEPT_STATISTICS);
    if (error)
        return error;
    enum store_result result =
        store_list_keys(exchange->store, exchange->member.id, find_last_use, &last_day);
    json_write_day(body, "lastSyncOn", last_day);
    buffer_append(body, "}", 1);
    return profile_store_error(result);
}

PROFILE_ROUTE(profile_statistics, METHOD_GET, "statistics", USES_SNAPSHOT, 200, answer);
