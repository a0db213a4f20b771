/* The request limit, as a client meets it. */
#include "admin/doctor_limit.h"

#include <string.h>

#include "admin/progress.h"
#include "admin/units.h"
#include "base/clock.h"

#define LIMIT_TRIED_MAX 1000
#define REQUESTS_NEEDED 8 /* by all checks but the last one, which wants a refusal */
#define LOOK_AGAIN_S 10

int64_t doctor_limit_wait_s(struct conversation *with, const struct http_response *response)
{
    if (response->status == 429)
        return conversation_number(conversation_header(with, response, "Retry-After"), 0);
    int64_t limit = conversation_number(conversation_header(with, response, "RateLimit-Limit"), 0);
    int64_t remaining = conversation_number(
        conversation_header(with, response, "RateLimit-Remaining"), REQUESTS_NEEDED);
    if (limit <= REQUESTS_NEEDED || remaining >= REQUESTS_NEEDED)
        return 0;
    int64_t reset = conversation_number(conversation_header(with, response, "RateLimit-Reset"), 0);
    return reset > 0 ? reset : LOOK_AGAIN_S;
}

/* The operator's own lines: which ones is for people to see. nginx trusts the networks that its
 * configuration names; Apache trusts everybody unless some are named. */
static const char *advice_for_forwarded(struct conversation *with)
{
    return conversation_fix(
        with,
        "take out the lines with set_real_ip_from that name everybody, which "
        "grep -rn set_real_ip_from /etc/nginx shows",
        "name your proxy with RemoteIPInternalProxy, or take out the lines which "
        "grep -rni RemoteIPHeader /etc/apache2 shows");
}

/* The limit is switched off, or the site removes the headers: the first can be seen here. */
static const char *advice_for_limit(struct conversation *with)
{
    struct unit unit;
    units_read(with->arena, "qsosync.service", &unit);
    const char *set = units_variable(&unit, "QSOSYNC_RATE_LIMIT");
    return set && strcmp(set, "0") == 0
               ? "take QSOSYNC_RATE_LIMIT=0 out of qsosync.service and restart it"
           : unit.path ? conversation_fix_for_site(with)
                       : "see whether QSOSYNC_RATE_LIMIT is 0 where the workers are started";
}

/* A client must not get a new count by naming another address as its own. */
static void check_forwarded(struct conversation *with, int64_t limit)
{
    struct http_response plain, forged;
    conversation_ask(with, "HEAD", "/openapi.json", NULL, NULL, NULL, &plain);
    conversation_ask(with, "HEAD", "/openapi.json",
                     arena_print(with->arena, "X-Forwarded-For: 203.0.113.%d",
                                 (int)(clock_wall_ms() / 1000 % 250) + 1),
                     arena_print(with->arena, "X-Real-IP: 198.51.100.%d",
                                 (int)(clock_wall_ms() / 1000 % 250) + 1),
                     NULL, &forged);
    int64_t before =
        conversation_number(conversation_header(with, &plain, "RateLimit-Remaining"), -1);
    int64_t after =
        conversation_number(conversation_header(with, &forged, "RateLimit-Remaining"), -1);
    if (conversation_has_failed(with, "forwarded", &forged))
        ;
    else if (before >= 0 && after > before && after >= limit - 1)
        findings_add(with->findings, FINDING_TROUBLE, "forwarded", advice_for_forwarded(with),
                     "any client's X-Forwarded-For is trusted, which evades the request limit");
    else
        findings_add(with->findings, FINDING_OK, "forwarded", NULL,
                     "a client's X-Forwarded-For is ignored");
    http_client_free(&plain);
    http_client_free(&forged);
}

void doctor_check_limit(struct conversation *with, const struct http_response *response)
{
    int64_t limit = conversation_number(conversation_header(with, response, "RateLimit-Limit"), -1);
    bool whole = limit > 0 && conversation_header(with, response, "RateLimit-Remaining") &&
                 conversation_header(with, response, "RateLimit-Reset");
    if (!whole) {
        findings_add(
            with->findings, FINDING_WARNING, "limit", advice_for_limit(with),
            "answers lack RateLimit-Limit, -Remaining or -Reset: there is no request limit, "
            "or the headers are removed");
        return;
    }
    findings_add(with->findings, FINDING_OK, "limit", NULL, "%lld requests a minute",
                 (long long)limit);
    check_forwarded(with, limit);
}

static void judge_refusal(struct conversation *with, const struct http_response *response)
{
    const char *wait = conversation_header(with, response, "Retry-After");
    const char *fix = conversation_fix_for_site(with);
    if (conversation_number(wait, -1) < 0)
        findings_add(with->findings, FINDING_TROUBLE, "retry-after", fix,
                     "the answer to too many requests lacks Retry-After in seconds");
    else if (!conversation_header(with, response, "Access-Control-Allow-Origin"))
        findings_add(with->findings, FINDING_TROUBLE, "retry-after", fix,
                     "browser pages cannot read the answer to too many requests");
    else
        findings_add(with->findings, FINDING_OK, "retry-after", NULL,
                     "too many requests are refused, and this address has none left for %s s",
                     wait);
}

void doctor_check_retry_after(struct conversation *with)
{
    struct http_response response;
    conversation_ask(with, "HEAD", "/openapi.json", NULL, NULL, NULL, &response);
    int64_t remaining =
        conversation_number(conversation_header(with, &response, "RateLimit-Remaining"), -1);
    bool tried = remaining >= 0 && remaining <= LIMIT_TRIED_MAX;
    /* The minute goes on, and frees some requests meanwhile. */
    int64_t most = remaining + remaining / 10 + 5;
    for (int64_t i = 0; tried && i < most && response.status != 429; i++) {
        http_client_free(&response);
        progress_line_show("using up the request limit", i, most);
        conversation_ask(with, "HEAD", "/openapi.json", NULL, NULL, NULL, &response);
    }
    if (conversation_has_failed(with, "retry-after", &response))
        ;
    else if (tried && response.status == 429)
        judge_refusal(with, &response);
    else if (tried)
        findings_add(with->findings, FINDING_TROUBLE, "retry-after",
                     "let all workers of the service share one folder of the logbook",
                     "more requests pass than RateLimit-Remaining says");
    http_client_free(&response);
}
