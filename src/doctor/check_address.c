/* Checks of the way to a service: its name, its addresses of both families, its certificate. Where
 * no answer comes, the likeliest cause is named, which may be this machine's own clock. What the
 * answers say is looked at in check_service.c. */
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/machine.h"
#include "doctor/probe.h"

#define CLOCK_WRONG_MS (60 * 60 * 1000)

/* -- Certificates ------------------------------------------------------------------------------ */

/* Renewing helps only where the certificate has expired. */
const char *check_address_fix_certificate(struct probe *probe, const char *reason)
{
    if (strstr(reason, "expired"))
        return probe_fix(probe, "certbot renew && systemctl reload nginx",
                         "certbot renew && systemctl reload apache2");
    const char *host = shell_quote(probe->arena, probe_host(probe));
    return arena_print(
        probe->arena, "certbot certonly --webroot -w /var/www/html -d %s && %s", host,
        probe_fix(probe,
                  arena_print(probe->arena, PROBE_PUT_SITE "nginx %s --new-certificate", host),
                  arena_print(probe->arena, PROBE_PUT_SITE "apache %s --new-certificate", host)));
}

/* Without a key, and believing whoever answers: only for what explains the refusal. */
static void look_without_trust(struct probe *probe, struct http_response *out)
{
    struct http_request request = {
        .method = "HEAD", .url = probe->base, .headers = {NULL}, .unverified = true};
    http_client_send(&request, probe->arena, out);
}

static bool is_clock_wrong(struct probe *probe, const struct http_response *seen)
{
    struct tm time = {0};
    const char *date = probe_header(probe, seen, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return false;
    return llabs((int64_t)timegm(&time) * 1000 - clock_wall_ms()) > CLOCK_WRONG_MS;
}

static void report_clock(struct probe *probe, const struct http_response *response)
{
    char now[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), now);
    findings_add(
        probe->findings, FINDING_PROBLEM, "clock", "timedatectl set-ntp true",
        "this machine says it is %.16sZ, by which the certificate of %s is not valid (%s): "
        "the clock is wrong",
        now, probe->base, response->reason);
}

/* A certificate is made for now: one whose time is yet to come shows a clock that is slow. */
static void report_certificate(struct probe *probe, const struct http_response *response)
{
    struct http_response seen;
    look_without_trust(probe, &seen);
    if (strstr(response->reason, "not yet valid") ||
        (strstr(response->reason, "expired") && is_clock_wrong(probe, &seen)))
        report_clock(probe, response);
    else if (strstr(response->reason, "local issuer") && seen.lone_issuer)
        findings_add(
            probe->findings, FINDING_PROBLEM, "tls",
            "let the site name the fullchain.pem of certbot instead of cert.pem, and reload "
            "the web server",
            "%s: the certificate is not trusted: it comes without that of its issuer, %s (of an "
            "authority of your own CURL_CA_BUNDLE may name the file)",
            probe->base, seen.lone_issuer);
    else
        findings_add(
            probe->findings, FINDING_PROBLEM, "tls",
            check_address_fix_certificate(probe, response->reason),
            "%s: the certificate is not trusted; where CURL_CA_BUNDLE names a file with an "
            "authority of your own, that one is (%s)",
            probe->base, response->reason);
    http_client_free(&seen);
}

/* -- Addresses --------------------------------------------------------------------------------- */

struct families {
    bool has_4, has_6;
};

static struct families find_families(struct probe *probe)
{
    struct families families = {false, false};
    struct addrinfo *found = NULL, wanted = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo(probe_host(probe), NULL, &wanted, &found) != 0)
        return families;
    for (const struct addrinfo *one = found; one; one = one->ai_next) {
        families.has_4 = families.has_4 || one->ai_family == AF_INET;
        families.has_6 = families.has_6 || one->ai_family == AF_INET6;
    }
    freeaddrinfo(found);
    return families;
}

static bool is_reached_by(struct probe *probe, int family, const char **reason)
{
    struct http_response response;
    struct http_request request = {
        .method = "HEAD", .url = probe->base, .headers = {NULL}, .family = family};
    http_client_send(&request, probe->arena, &response);
    *reason = response.reason;
    bool reached = response.failure == HTTP_ANSWERED;
    http_client_free(&response);
    return reached;
}

/* Where this machine itself has no IPv6, nothing can be said of it. */
void check_address_families(struct probe *probe)
{
    const char *reason = "";
    struct families families = find_families(probe);
    if (families.has_6 && !families.has_4)
        findings_add(probe->findings, FINDING_WARNING, "address",
                     "add a DNS record of type A with the IPv4 address",
                     "%s answers, but its name has only an IPv6 address: members whose network has "
                     "no IPv6 cannot reach it",
                     probe->base);
    else if (families.has_6 && families.has_4 && !is_reached_by(probe, AF_INET, &reason))
        findings_add(probe->findings, FINDING_PROBLEM, "address",
                     "let the site listen at IPv4 addresses as the shipped one does",
                     "%s answers by IPv6 only; by IPv4: %s", probe->base, reason);
    else
        findings_add(probe->findings, FINDING_OK, "address", NULL, "%s answers", probe->base);
}

static void report_no_connection(struct probe *probe, const struct http_response *response)
{
    struct families families = find_families(probe);
    if (families.has_6 && !families.has_4)
        findings_add(probe->findings, FINDING_PROBLEM, "address",
                     "add a DNS record of type A with the IPv4 address, or ask from a machine that "
                     "has IPv6",
                     "%s: the name has only an IPv6 address, and nobody is reached there (%s)",
                     probe->base, response->reason);
    else
        findings_add(probe->findings, FINDING_PROBLEM, "address",
                     probe_fix(probe, "systemctl restart nginx", "systemctl restart apache2"),
                     "%s: nobody listens (%s)", probe->base, response->reason);
}

void check_address_report_no_answer(struct probe *probe, const struct http_response *response)
{
    static const struct {
        const char *check, *what, *fix;
    } failures[] = {
        [HTTP_NO_NAME] = {"address", "the name has no address",
                          "correct the name, or its DNS record"},
        [HTTP_TIMEOUT] = {"address", "no answer in time", PROBE_RESTART},
        [HTTP_NO_TLS] = {"tls", "no TLS connection", NULL},
        [HTTP_CUT_OFF] = {"address", "no valid HTTP answer", PROBE_RESTART},
    };
    if (response->failure == HTTP_CERTIFICATE) {
        report_certificate(probe, response);
        return;
    }
    if (response->failure == HTTP_NO_CONNECTION) {
        report_no_connection(probe, response);
        return;
    }
    const char *fix = failures[response->failure].fix;
    findings_add(probe->findings, FINDING_PROBLEM, failures[response->failure].check,
                 fix ? fix : probe_fix_for_site(probe), "%s: %s (%s)", probe->base,
                 failures[response->failure].what, response->reason);
}
