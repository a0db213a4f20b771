/* Checks the request limit, and that clients behind a proxy do not share a limit. */
#include <string.h>

#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"

#define ADDRESS_LETTERS "0123456789abcdefABCDEF.:"

/* Checks that two client addresses have separate limits. Two addresses share a limit if the service
 * mistakes the proxy's address for the client's. The two addresses are loopback addresses if the
 * service is on this machine, and otherwise an IPv4 and an IPv6 address. */
static void check_clients(struct examination *seen)
{
    struct client_response one = probe_ask(seen, .url = PROBE_SELF, .source = "127.0.0.1");
    struct client_response other = probe_ask(seen, .url = PROBE_SELF, .source = "127.0.0.2");
    if (one.failure != CLIENT_ANSWERED) {
        one = probe_ask(seen, .url = PROBE_SELF, .family = CLIENT_IPV4);
        other = probe_ask(seen, .url = PROBE_SELF, .family = CLIENT_IPV6);
    }
    const char *client = probe_find_text(&one, "client"),
               *second = probe_find_text(&other, "client");
    const char *fix = NULL;
    if (!client || !second)
        return;
    if (strcmp(client, second) != 0) {
        found(seen, CLIENTS_APART);
        return;
    }
    if (strstr(one.body, "\"X-Forwarded-For\"") && !client[strspn(client, ADDRESS_LETTERS)])
        fix = fixes_put_site_with(seen, "", print(seen, " --also-proxy %s", client));
    found_with(seen, CLIENTS_SHARE, fix ? fix : CLIENTS_SHARE_FIX, client);
}

/* Checks the headers about the limit, which src/worker/worker.c sets. */
void limit_check(struct examination *seen, const struct client_response *response)
{
    const char *limit = client_find_header(response, "RateLimit-Limit");
    if (limit && client_find_header(response, "RateLimit-Remaining") &&
        client_find_header(response, "RateLimit-Reset")) {
        found(seen, LIMIT_SET, limit);
        if (seen->is_proxied)
            check_clients(seen);
    } else
        found(seen, LIMIT_MISSING);
}
