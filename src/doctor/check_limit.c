/* Checks of the request limit, as a client meets it, and of a proxy before the web server, which
 * may hide who the client is. Which of the two servers is at fault is concluded from what the
 * service says of the request that reached it (/healthz?request), and from the inner server's own
 * answers where it is on this machine. Faults that either may have are judged where they are found.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "doctor/machine.h"
#include "doctor/probe.h"

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

#define INNER "http://127.0.0.1:8080/api/v1" /* as the sites behind a proxy are shipped */

/* -- What the service says --------------------------------------------------------------------- */

/* A text of the object that the service makes; NULL: it is not there. */
static const char *find_text(struct probe *probe, const struct http_response *response,
                             const char *name)
{
    const char *mark = arena_print(probe->arena, "\"%s\":\"", name);
    const char *found = strstr(response->body.bytes, mark);
    if (!found)
        return NULL;
    found += strlen(mark);
    return arena_copy(probe->arena, found, strcspn(found, "\"\\"));
}

static bool is_local(const struct http_response *response)
{
    return response->peer && response->local &&
           (strcmp(response->peer, response->local) == 0 ||
            strncmp(response->peer, "127.", 4) == 0 || strcmp(response->peer, "::1") == 0);
}

void check_proxy_learn(struct probe *probe)
{
    struct http_response response;
    struct way *way = &probe->way;
    probe_request_site(probe, "GET", "/healthz?request", &response);
    way->address = find_text(probe, &response, "address");
    way->client = find_text(probe, &response, "client");
    way->protocol = find_text(probe, &response, "protocol");
    way->is_local = is_local(&response);
    way->names_client = probe_contains(&response, "\"X-Forwarded-For\"");
    way->is_there = probe_contains(&response, "\"X-Forwarded-") ||
                    probe_contains(&response, "\"Via\"") ||
                    (way->protocol && strcmp(way->protocol, "HTTP/1.0") == 0) ||
                    (way->client && way->is_local && strcmp(way->client, response.local) != 0);
    http_client_free(&response);
}

bool check_proxy_find_inner(struct probe *probe, struct probe *inner)
{
    struct http_response response;
    *inner = *probe;
    inner->base = INNER;
    if (!probe->way.is_there)
        return false;
    probe_request(inner, "GET", "/openapi.json", NULL, NULL, NULL, &response);
    bool is_found = response.failure == HTTP_ANSWERED && probe_contains(&response, "\"openapi\"");
    http_client_free(&response);
    return is_found;
}

/* -- The proxy's own faults -------------------------------------------------------------------- */

static const char *id_of_live_answer(struct probe *probe)
{
    struct http_response response;
    probe_request_site(probe, "GET", "/cluster/spots", &response);
    const char *id = probe_header(probe, &response, "X-Request-Id");
    http_client_free(&response);
    return id;
}

void check_proxy(struct probe *probe)
{
    if (!probe->way.is_there)
        return;
    int problems = probe->findings->problems;
    const char *first = id_of_live_answer(probe), *second = id_of_live_answer(probe);
    if (first && second && strcmp(first, second) == 0)
        findings_add(probe->findings, FINDING_PROBLEM, "proxy",
                     "let the proxy keep no answers; in another nginx: proxy_cache off;",
                     "the proxy answers the live page of the spots from what it has kept");
    if (probe->way.protocol && strcmp(probe->way.protocol, "HTTP/1.0") == 0)
        findings_add(probe->findings, FINDING_WARNING, "proxy",
                     "let the proxy ask by HTTP/1.1; in another nginx: proxy_http_version 1.1;",
                     "the proxy asks by HTTP/1.0, so that no answer is compressed");
    else if (probe->findings->problems == problems)
        findings_add(probe->findings, FINDING_OK, "proxy", NULL, "requests pass a proxy");
}

/* -- Whose requests are counted together ------------------------------------------------------- */

struct source {
    const char *address; /* to ask from; NULL: any */
    int family;
};

/* Two addresses of this machine from which the service may be asked. IPv6 addresses are counted by
 * networks, so that two of one family are IPv4's, which only a service on this machine sees. */
static void find_sources(struct probe *probe, struct source sources[2])
{
    if (probe->way.is_local) {
        sources[0] = (struct source){"127.0.0.1", AF_INET};
        sources[1] = (struct source){"127.0.0.2", AF_INET};
    } else {
        sources[0] = (struct source){NULL, AF_INET};
        sources[1] = (struct source){NULL, AF_INET6};
    }
}

/* What is left after one more request; -1: no answer. */
static int64_t ask_from(struct probe *probe, const struct source *source)
{
    struct http_response response;
    struct http_request request = {.method = "HEAD",
                                   .url = arena_print(probe->arena, "%s/openapi.json", probe->base),
                                   .family = source->family,
                                   .source = source->address};
    http_client_send(&request, probe->arena, &response);
    int64_t left = probe_number(probe_header(probe, &response, "RateLimit-Remaining"), -1);
    http_client_free(&response);
    return left;
}

static const char *fix_for_shared(struct probe *probe)
{
    unsigned char bytes[16];
    const char *client = probe->way.client;
    bool is_address = client && (inet_pton(AF_INET, client, bytes) == 1 ||
                                 inet_pton(AF_INET6, client, bytes) == 1);
    if (is_address && probe->way.names_client)
        return arena_print(probe->arena, "%s --also-proxy %s", probe_fix_for_site(probe), client);
    return "let the proxy tell who the client is; in another nginx: proxy_set_header "
           "X-Forwarded-For $proxy_add_x_forwarded_for;";
}

void check_proxy_clients(struct probe *probe)
{
    struct source sources[2];
    if (!probe->way.is_there)
        return;
    find_sources(probe, sources);
    int64_t before = ask_from(probe, &sources[0]), other = ask_from(probe, &sources[1]);
    int64_t after = ask_from(probe, &sources[0]);
    if (before < 0 || other < 0 || after < 0)
        return;
    if (other == before - 1 && after == before - 2)
        findings_add(probe->findings, FINDING_PROBLEM, "clients", fix_for_shared(probe),
                     "two addresses share one request limit: the service takes %s for everybody's",
                     probe->way.client ? probe->way.client : "the proxy's address");
    else
        findings_add(probe->findings, FINDING_OK, "clients", NULL,
                     "each address has a request limit of its own");
}
