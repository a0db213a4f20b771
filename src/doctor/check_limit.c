/* Checks of the request limit, as a client meets it: whether answers tell it, whether a client can
 * evade it, and how too many requests are refused. The last one uses up the requests of this
 * address, which --gentle avoids. The limit itself is src/worker/rate_limit.c. */
#include "doctor/check_limit.h"

#include <string.h>

#include "base/clock.h"
#include "doctor/check_sign_in.h"
#include "doctor/units.h"

#define LIMIT_TRIED_MAX 1000
/* By all checks but the last one, which wants a refusal. */
#define REQUESTS_NEEDED (8 + CHECK_SIGN_IN_REQUESTS)
#define LOOK_AGAIN_S 10

int64_t check_limit_wait_s(struct probe *probe, const struct http_response *response)
{
    if (response->status == 429)
        return probe_number(probe_header(probe, response, "Retry-After"), 0);
    int64_t limit = probe_number(probe_header(probe, response, "RateLimit-Limit"), 0);
    int64_t remaining =
        probe_number(probe_header(probe, response, "RateLimit-Remaining"), REQUESTS_NEEDED);
    if (limit <= REQUESTS_NEEDED || remaining >= REQUESTS_NEEDED)
        return 0;
    int64_t reset = probe_number(probe_header(probe, response, "RateLimit-Reset"), 0);
    return reset > 0 ? reset : LOOK_AGAIN_S;
}

/* The operator's own lines: which ones is for people to see. nginx trusts the networks that its
 * configuration names; Apache trusts everybody unless some are named. */
static const char *advice_for_forwarded(struct probe *probe)
{
    return probe_fix(probe,
                     "take out the lines with set_real_ip_from that name everybody, which "
                     "grep -rn set_real_ip_from /etc/nginx shows",
                     "name your proxy with RemoteIPInternalProxy, or take out the lines which "
                     "grep -rni RemoteIPHeader /etc/apache2 shows");
}

/* The limit is switched off, or the site removes the headers: the first can be seen here. */
static const char *advice_for_limit(struct probe *probe)
{
    struct unit unit;
    units_read(probe->arena, "qsosync.service", &unit);
    const char *set = units_variable(&unit, "QSOSYNC_RATE_LIMIT");
    return set && strcmp(set, "0") == 0
               ? "take QSOSYNC_RATE_LIMIT=0 out of qsosync.service and restart it"
           : unit.path ? probe_fix_for_site(probe)
                       : "see whether QSOSYNC_RATE_LIMIT is 0 where the workers are started";
}

/* A client must not get a new count by naming another address as its own. On the machine of a proxy
 * it asks from an address that is none of the proxy's: what that one says is believed. */
static void check_forwarded(struct probe *asked, int64_t limit)
{
    struct http_response plain, forged;
    struct probe from = *asked, *probe = &from;
    from.source = asked->way.is_there && asked->way.is_local ? "127.0.0.2" : NULL;
    probe_request(probe, "HEAD", "/openapi.json", NULL, NULL, NULL, &plain);
    probe_request(probe, "HEAD", "/openapi.json",
                  arena_print(probe->arena, "X-Forwarded-For: 203.0.113.%d",
                              (int)(clock_wall_ms() / 1000 % 250) + 1),
                  arena_print(probe->arena, "X-Real-IP: 198.51.100.%d",
                              (int)(clock_wall_ms() / 1000 % 250) + 1),
                  NULL, &forged);
    int64_t before = probe_number(probe_header(probe, &plain, "RateLimit-Remaining"), -1);
    int64_t after = probe_number(probe_header(probe, &forged, "RateLimit-Remaining"), -1);
    if (probe_has_failed(asked, "forwarded", &forged))
        ;
    else if (before >= 0 && after > before && after >= limit - 1)
        findings_add(probe->findings, FINDING_PROBLEM, "forwarded", advice_for_forwarded(probe),
                     "any client's X-Forwarded-For is trusted, which evades the request limit");
    else
        findings_add(probe->findings, FINDING_OK, "forwarded", NULL,
                     "a client's X-Forwarded-For is ignored");
    http_client_free(&plain);
    http_client_free(&forged);
}

void check_limit_headers(struct probe *probe, const struct http_response *response)
{
    int64_t limit = probe_number(probe_header(probe, response, "RateLimit-Limit"), -1);
    bool whole = limit > 0 && probe_header(probe, response, "RateLimit-Remaining") &&
                 probe_header(probe, response, "RateLimit-Reset");
    if (!whole) {
        findings_add(
            probe->findings, FINDING_WARNING, "limit", advice_for_limit(probe),
            "answers lack RateLimit-Limit, -Remaining or -Reset: there is no request limit, "
            "or the headers are removed");
        return;
    }
    findings_add(probe->findings, FINDING_OK, "limit", NULL, "%lld requests a minute",
                 (long long)limit);
    check_forwarded(probe, limit);
}

static void judge_refusal(struct probe *probe, const struct http_response *response)
{
    const char *wait = probe_header(probe, response, "Retry-After");
    const char *fix = probe_fix_for_site(probe);
    if (probe_number(wait, -1) < 0)
        findings_add(probe->findings, FINDING_PROBLEM, "retry-after", fix,
                     "the answer to too many requests lacks Retry-After in seconds");
    else if (!probe_header(probe, response, "Access-Control-Allow-Origin"))
        findings_add(probe->findings, FINDING_PROBLEM, "retry-after", fix,
                     "browser pages cannot read the answer to too many requests");
    else
        findings_add(probe->findings, FINDING_OK, "retry-after", NULL,
                     "too many requests are refused, and this address has none left for %s s",
                     wait);
}

void check_limit_retry_after(struct probe *probe)
{
    struct http_response response;
    probe_request(probe, "HEAD", "/openapi.json", NULL, NULL, NULL, &response);
    int64_t remaining = probe_number(probe_header(probe, &response, "RateLimit-Remaining"), -1);
    bool tried = remaining >= 0 && remaining <= LIMIT_TRIED_MAX;
    /* The minute goes on, and frees some requests meanwhile. */
    int64_t most = remaining + remaining / 10 + 5;
    for (int64_t i = 0; tried && i < most && response.status != 429; i++) {
        http_client_free(&response);
        probe->doctor->show_progress("using up the request limit", i, most);
        probe_request(probe, "HEAD", "/openapi.json", NULL, NULL, NULL, &response);
    }
    if (probe_has_failed(probe, "retry-after", &response))
        ;
    else if (tried && response.status == 429)
        judge_refusal(probe, &response);
    else if (tried)
        findings_add(probe->findings, FINDING_PROBLEM, "retry-after",
                     "let all workers of the service share one folder of the logbook",
                     "more requests pass than RateLimit-Remaining says");
    http_client_free(&response);
}
