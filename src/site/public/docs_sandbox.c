/* POST /docs/sandbox: creates a sandbox for the author of a program, while the club allows it. The
 * answer contains the key, which appears nowhere else. A low limit per hour, and a limit for all
 * sandboxes together, bound the disk space that strangers can use. */
#include "json/write.h"
#include "json/write_object.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/address.h"
#include "site/shared/club.h"
#include "site/shared/origin.h"
#include "site/shared/site_error.h"
#include "worker/body.h"
#include "worker/trial.h"
#include "worker/worker.h"

#define SANDBOXES_AN_HOUR 5

/* Accepts requests from programs such as curl, which do not send a browser's headers about sites.
 */
static const struct error *check_origin(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    const bool is_browser = *request_variable(request, "HTTP_ORIGIN") ||
                            *request_variable(request, "HTTP_SEC_FETCH_SITE");
    return is_browser ? origin_check(exchange) : NULL;
}

static const struct error *answer(struct exchange *exchange)
{
    char key[API_KEY_LENGTH + 1];
    const int64_t now_ms = exchange->request->arrived_ms;
    if (!club_allows_trials(club_of(exchange)))
        return &error_not_found;
    TRY(check_origin(exchange));
    TRY(access_count_hourly(exchange, RATE_LIMIT_TRIALS, SANDBOXES_AN_HOUR));
    const enum store_result result =
        trial_create(worker_setting_text(exchange->request, SETTING_DB), exchange->limit, now_ms,
                     exchange->arena, key);
    if (result == STORE_REFUSED)
        return &site_error_sandboxes_used;
    TRY(route_store_error(result));
    json_write_fields(exchange->body, json_text("key", text_of(key)),
                      json_text("scope", text_of(store_scope_name(SCOPE_WRITE))),
                      json_text("callsign", text_of(TRIAL_CALLSIGN)),
                      json_text("locator", text_of(TRIAL_LOCATOR)),
                      json_text("baseUrl", text_of(address_below(exchange, "/api/v1"))),
                      json_time("deletedAt", now_ms + TRIAL_MS));
    explicit_bzero(key, sizeof key);
    return NULL;
}

PUBLIC_ROUTE(docs_sandbox, METHOD_POST, "/docs/sandbox", USES_STORE, 201, answer, .is_object = true,
             .body = &body_unread);
