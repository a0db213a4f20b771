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

int64_t limit_wait_s(const struct http_response *response)
{
    if (response->status == 429)
        return http_number(response, "Retry-After", 0);
    int64_t limit = http_number(response, "RateLimit-Limit", 0);
    int64_t left = http_number(response, "RateLimit-Remaining", REQUESTS_NEEDED);
    if (limit <= REQUESTS_NEEDED || left >= REQUESTS_NEEDED)
        return 0;
    int64_t reset = http_number(response, "RateLimit-Reset", 0);
    return reset > 0 ? reset : LOOK_AGAIN_S;
}

/* -- What is between --------------------------------------------------------------------------- */

/* A text of the object that the service makes; NULL: it is not there. */
static const char *find_text(const struct http_response *response, const char *name)
{
    const char *mark = print(response, "\"%s\":\"", name);
    const char *found = strstr(response->body, mark);
    return found ? arena_copy(response->arena, found + strlen(mark),
                              strcspn(found + strlen(mark), "\"\\"))
                 : NULL;
}

void limit_learn_way(struct examination *seen)
{
    struct way *way = &seen->way;
    const struct http_response response = probe_ask(seen, .url = "/healthz?request");
    const char *protocol = find_text(&response, "protocol");
    way->address = find_text(&response, "address");
    way->client = find_text(&response, "client");
    way->is_local = response.peer && response.local &&
                    (strcmp(response.peer, response.local) == 0 ||
                     strncmp(response.peer, "127.", 4) == 0 || strcmp(response.peer, "::1") == 0);
    way->names_client = http_contains(&response, "\"X-Forwarded-For\"");
    way->is_there = http_contains(&response, "\"X-Forwarded-") ||
                    http_contains(&response, "\"Via\"") ||
                    (protocol && strcmp(protocol, "HTTP/1.0") == 0) ||
                    (way->client && way->is_local && strcmp(way->client, response.local) != 0);
}

/* What is left after one more request from an address of this machine (NULL: any), which may name
 * another one as its own; -1: no answer. */
static int64_t ask_from(struct examination *seen, const char *source, int family, const char *first,
                        const char *second)
{
    const struct http_response response =
        probe_ask(seen, .method = "HEAD", .url = API "/openapi.json", .source = source,
                  .family = family, .headers = {first, second});
    return http_number(&response, "RateLimit-Remaining", -1);
}

static const char *fix_for_shared(struct examination *seen)
{
    unsigned char bytes[16];
    const char *client = seen->way.client;
    bool is_address = client && (inet_pton(AF_INET, client, bytes) == 1 ||
                                 inet_pton(AF_INET6, client, bytes) == 1);
    const char *fix = is_address && seen->way.names_client
                          ? probe_fix_by_putting(seen, "", print(seen, " --also-proxy %s", client))
                          : NULL;
    return fix ? fix
               : "let the proxy tell who the client is; in another nginx: proxy_set_header "
                 "X-Forwarded-For $proxy_add_x_forwarded_for;";
}

/* Two addresses of this machine share one limit where the service takes the proxy's address for
 * that of each client. IPv6 addresses are counted by networks, so that two of one family are
 * IPv4's, which only a service on this machine sees. */
static void check_clients(struct examination *seen)
{
    const bool local = seen->way.is_local;
    const char *one = local ? "127.0.0.1" : NULL, *other = local ? "127.0.0.2" : NULL;
    if (!seen->way.is_there)
        return;
    int64_t before = ask_from(seen, one, AF_INET, NULL, NULL);
    int64_t between = ask_from(seen, other, local ? AF_INET : AF_INET6, NULL, NULL);
    int64_t after = ask_from(seen, one, AF_INET, NULL, NULL);
    if (before < 0 || between < 0 || after < 0)
        return;
    if (between == before - 1 && after == before - 2)
        trouble(seen, "clients", fix_for_shared(seen),
                "two addresses share one request limit: the service takes %s for everybody's",
                seen->way.client ? seen->way.client : "the proxy's address");
    else
        fine(seen, "clients", "each address has a request limit of its own");
}

/* -- The limit itself -------------------------------------------------------------------------- */

/* A client must not get a new count by naming another address as its own. On the machine of a proxy
 * it asks from an address that is none of the proxy's: what that one says is believed. */
static void check_forwarded(struct examination *seen, int64_t limit)
{
    int number = (int)(clock_wall_ms() / 1000 % 250) + 1;
    const char *source = seen->way.is_there && seen->way.is_local ? "127.0.0.2" : NULL;
    int64_t before = ask_from(seen, source, 0, NULL, NULL);
    int64_t after = ask_from(seen, source, 0, print(seen, "X-Forwarded-For: 203.0.113.%d", number),
                             print(seen, "X-Real-IP: 198.51.100.%d", number));
    if (before < 0 || after < 0)
        return;
    if (after <= before || after < limit - 1)
        fine(seen, "forwarded", "a client's X-Forwarded-For is ignored");
    else
        /* The operator's own lines: which ones is for people to see. nginx trusts the networks that
         * its configuration names; Apache trusts everybody unless some are named. */
        trouble(seen, "forwarded",
                probe_fix(seen,
                          "take out the lines with set_real_ip_from that name everybody, which "
                          "grep -rn set_real_ip_from /etc/nginx shows",
                          "name your proxy with RemoteIPInternalProxy, or take out the lines which "
                          "grep -rni RemoteIPHeader /etc/apache2 shows"),
                "any client's X-Forwarded-For is trusted, which evades the request limit");
}

/* Uses up what this address may ask in a minute. */
static void check_refusal(struct examination *seen)
{
    struct http_response response = probe_ask(seen, .method = "HEAD", .url = API "/openapi.json");
    int64_t left = http_number(&response, "RateLimit-Remaining", -1);
    /* The minute goes on, and frees some requests meanwhile. */
    int64_t most = left < 0 || left > LIMIT_TRIED_MAX ? 0 : left + left / 10 + 5;
    for (int64_t i = 0; i < most && response.status != 429; i++) {
        seen->doctor->show_progress("using up the request limit", i, most);
        response = probe_ask(seen, .method = "HEAD", .url = API "/openapi.json");
    }
    int64_t wait_s = http_number(&response, "Retry-After", -1);
    if (probe_has_failed(seen, "retry-after", &response) || response.status != 429)
        return;
    if (wait_s < 0 || !http_header(&response, "Access-Control-Allow-Origin"))
        trouble(seen, "retry-after", probe_fix_for_site(seen),
                wait_s < 0 ? "the answer to too many requests lacks Retry-After in seconds"
                           : "browser pages cannot read the answer to too many requests");
    else
        fine(seen, "retry-after",
             "too many requests are refused, and this address has none left for %lld s",
             (long long)wait_s);
}

void limit_check(struct examination *seen, const struct http_response *response, bool gentle)
{
    int64_t limit = http_number(response, "RateLimit-Limit", -1);
    if (limit <= 0 || !http_header(response, "RateLimit-Remaining") ||
        !http_header(response, "RateLimit-Reset")) {
        warn(seen, "limit",
             "see if QSOSYNC_RATE_LIMIT is 0 in the settings of the workers; otherwise put the "
             "site as it is shipped",
             "answers lack RateLimit-Limit, -Remaining or -Reset: there is no request limit, or "
             "the headers are removed");
        return;
    }
    fine(seen, "limit", "%lld requests a minute", (long long)limit);
    check_forwarded(seen, limit);
    check_clients(seen);
    if (!gentle && !seen->failed)
        check_refusal(seen);
}
