/* Checks of the request limit, as a client meets it: whether answers tell it, whether a client can
 * evade it, whether a proxy hides the client's address, and how too many requests are refused. The
 * service reports what it sees of a request (/healthz?request), which shows what is in between. The
 * limit is src/worker/rate_limit.c. */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "doctor/probe.h"

#define LIMIT_TRIED_MAX 1000
/* By all checks but the last one, which wants a refusal. */
#define REQUESTS_NEEDED (8 + SIGN_IN_REQUESTS)
#define LOOK_AGAIN_S 10

int64_t limit_wait_s(struct probe *probe, const struct http_response *response)
{
    if (response->status == 429)
        return probe_number(probe, response, "Retry-After", 0);
    int64_t limit = probe_number(probe, response, "RateLimit-Limit", 0);
    int64_t left = probe_number(probe, response, "RateLimit-Remaining", REQUESTS_NEEDED);
    if (limit <= REQUESTS_NEEDED || left >= REQUESTS_NEEDED)
        return 0;
    int64_t reset = probe_number(probe, response, "RateLimit-Reset", 0);
    return reset > 0 ? reset : LOOK_AGAIN_S;
}

/* -- What is between --------------------------------------------------------------------------- */

/* A text of the object that the service makes; NULL: it is not there. */
static const char *find_text(struct probe *probe, const struct http_response *response,
                             const char *name)
{
    const char *mark = arena_print(probe->arena, "\"%s\":\"", name);
    const char *found = strstr(response->body, mark);
    if (!found)
        return NULL;
    found += strlen(mark);
    return arena_copy(probe->arena, found, strcspn(found, "\"\\"));
}

void limit_learn_way(struct probe *probe)
{
    struct way *way = &probe->way;
    const struct http_response response = probe_ask(probe, "GET", "/healthz?request", NULL);
    const char *protocol = find_text(probe, &response, "protocol");
    way->address = find_text(probe, &response, "address");
    way->client = find_text(probe, &response, "client");
    way->is_local = response.peer && response.local &&
                    (strcmp(response.peer, response.local) == 0 ||
                     strncmp(response.peer, "127.", 4) == 0 || strcmp(response.peer, "::1") == 0);
    way->names_client = probe_contains(&response, "\"X-Forwarded-For\"");
    way->is_there = probe_contains(&response, "\"X-Forwarded-") ||
                    probe_contains(&response, "\"Via\"") ||
                    (protocol && strcmp(protocol, "HTTP/1.0") == 0) ||
                    (way->client && way->is_local && strcmp(way->client, response.local) != 0);
}

/* What is left after one more request from an address of this machine (NULL: any), which may name
 * another one as its own; -1: no answer. */
static int64_t ask_from(struct probe *probe, const char *source, int family, const char *first,
                        const char *second)
{
    struct http_request request = {.method = "HEAD",
                                   .url = arena_print(probe->arena, "%s/openapi.json", probe->base),
                                   .headers = {first, second},
                                   .family = family,
                                   .source = source};
    const struct http_response response = http_client_send(&request, probe->arena);
    return probe_number(probe, &response, "RateLimit-Remaining", -1);
}

static const char *fix_for_shared(struct probe *probe)
{
    unsigned char bytes[16];
    const char *client = probe->way.client, *fix = NULL;
    bool is_address = client && (inet_pton(AF_INET, client, bytes) == 1 ||
                                 inet_pton(AF_INET6, client, bytes) == 1);
    if (is_address && probe->way.names_client)
        fix =
            probe_fix_by_putting(probe, "", arena_print(probe->arena, " --also-proxy %s", client));
    return fix ? fix
               : "let the proxy tell who the client is; in another nginx: proxy_set_header "
                 "X-Forwarded-For $proxy_add_x_forwarded_for;";
}

/* Two addresses of this machine share one limit where the service takes the proxy's address for
 * that of each client. IPv6 addresses are counted by networks, so that two of one family are
 * IPv4's, which only a service on this machine sees. */
static void check_clients(struct probe *probe)
{
    const bool local = probe->way.is_local;
    const char *one = local ? "127.0.0.1" : NULL, *other = local ? "127.0.0.2" : NULL;
    if (!probe->way.is_there)
        return;
    int64_t before = ask_from(probe, one, AF_INET, NULL, NULL);
    int64_t between = ask_from(probe, other, local ? AF_INET : AF_INET6, NULL, NULL);
    int64_t after = ask_from(probe, one, AF_INET, NULL, NULL);
    if (before < 0 || between < 0 || after < 0)
        return;
    if (between == before - 1 && after == before - 2)
        findings_trouble(probe->doctor, "clients", fix_for_shared(probe),
                         "two addresses share one request limit: the service takes %s for "
                         "everybody's",
                         probe->way.client ? probe->way.client : "the proxy's address");
    else
        findings_fine(probe->doctor, "clients", "each address has a request limit of its own");
}

/* -- The limit itself -------------------------------------------------------------------------- */

/* A client must not get a new count by naming another address as its own. On the machine of a proxy
 * it asks from an address that is none of the proxy's: what that one says is believed. */
static void check_forwarded(struct probe *probe, int64_t limit)
{
    int number = (int)(clock_wall_ms() / 1000 % 250) + 1;
    const char *source = probe->way.is_there && probe->way.is_local ? "127.0.0.2" : NULL;
    int64_t before = ask_from(probe, source, 0, NULL, NULL);
    int64_t after = ask_from(probe, source, 0,
                             arena_print(probe->arena, "X-Forwarded-For: 203.0.113.%d", number),
                             arena_print(probe->arena, "X-Real-IP: 198.51.100.%d", number));
    if (before < 0 || after < 0)
        return;
    if (after <= before || after < limit - 1)
        findings_fine(probe->doctor, "forwarded", "a client's X-Forwarded-For is ignored");
    else
        /* The operator's own lines: which ones is for people to see. nginx trusts the networks that
         * its configuration names; Apache trusts everybody unless some are named. */
        findings_trouble(
            probe->doctor, "forwarded",
            probe_fix(
                probe,
                "take out the lines with set_real_ip_from that name everybody, which grep -rn "
                "set_real_ip_from /etc/nginx shows",
                "name your proxy with RemoteIPInternalProxy, or take out the lines which grep "
                "-rni RemoteIPHeader /etc/apache2 shows"),
            "any client's X-Forwarded-For is trusted, which evades the request limit");
}

/* Uses up what this address may ask in a minute. */
static void check_refusal(struct probe *probe)
{
    struct http_response response = probe_ask(probe, "HEAD", API "/openapi.json", NULL);
    int64_t left = probe_number(probe, &response, "RateLimit-Remaining", -1);
    /* The minute goes on, and frees some requests meanwhile. */
    int64_t most = left < 0 || left > LIMIT_TRIED_MAX ? 0 : left + left / 10 + 5;
    for (int64_t i = 0; i < most && response.status != 429; i++) {
        probe->doctor->show_progress("using up the request limit", i, most);
        response = probe_ask(probe, "HEAD", API "/openapi.json", NULL);
    }
    int64_t wait_s = probe_number(probe, &response, "Retry-After", -1);
    if (probe_has_failed(probe, "retry-after", &response) || response.status != 429)
        return;
    if (wait_s < 0 || !probe_header(probe, &response, "Access-Control-Allow-Origin"))
        findings_trouble(probe->doctor, "retry-after", probe_fix_for_site(probe),
                         wait_s < 0 ? "the answer to too many requests lacks Retry-After in seconds"
                                    : "browser pages cannot read the answer to too many requests");
    else
        findings_fine(probe->doctor, "retry-after",
                      "too many requests are refused, and this address has none left for %lld s",
                      (long long)wait_s);
}

void limit_check(struct probe *probe, const struct http_response *response, bool gentle)
{
    int64_t limit = probe_number(probe, response, "RateLimit-Limit", -1);
    if (limit <= 0 || !probe_header(probe, response, "RateLimit-Remaining") ||
        !probe_header(probe, response, "RateLimit-Reset")) {
        findings_warn(
            probe->doctor, "limit",
            "see if QSOSYNC_RATE_LIMIT is 0 in the settings of the workers; otherwise put "
            "the site as it is shipped",
            "answers lack RateLimit-Limit, -Remaining or -Reset: there is no request "
            "limit, or the headers are removed");
        return;
    }
    findings_fine(probe->doctor, "limit", "%lld requests a minute", (long long)limit);
    check_forwarded(probe, limit);
    check_clients(probe);
    if (!gentle && !probe->failed)
        check_refusal(probe);
}
