/* Names, addresses and certificates. */
#include "admin/doctor_address.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "base/datetime.h"

#define CLOCK_WRONG_MS (60 * 60 * 1000)

/* -- Certificates ------------------------------------------------------------------------------ */

/* Renewing helps only where the certificate has expired. */
const char *doctor_fix_for_certificate(struct conversation *with, const char *reason)
{
    if (strstr(reason, "expired"))
        return conversation_fix(with, "certbot renew && systemctl reload nginx",
                                "certbot renew && systemctl reload apache2");
    const char *host = command_quote(with->arena, conversation_host(with));
    return arena_print(
        with->arena, "certbot certonly --webroot -w /var/www/html -d %s && %s", host,
        conversation_fix(
            with,
            arena_print(with->arena, CONVERSATION_PUT_SITE "nginx %s --new-certificate", host),
            arena_print(with->arena, CONVERSATION_PUT_SITE "apache %s --new-certificate", host)));
}

/* Without a key, and believing whoever answers: only for what explains the refusal. */
static void look_without_trust(struct conversation *with, struct http_response *out)
{
    struct http_request request = {
        .method = "HEAD", .url = with->base, .headers = {NULL}, .unverified = true};
    http_client_send(&request, with->arena, out);
}

static bool is_clock_wrong(struct conversation *with, const struct http_response *seen)
{
    struct tm time = {0};
    const char *date = conversation_header(with, seen, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return false;
    return llabs((int64_t)timegm(&time) * 1000 - clock_wall_ms()) > CLOCK_WRONG_MS;
}

static void report_clock(struct conversation *with, const struct http_response *response)
{
    char now[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), now);
    findings_add(
        with->findings, FINDING_TROUBLE, "clock", "timedatectl set-ntp true",
        "this machine says it is %.16sZ, by which the certificate of %s is not valid (%s): "
        "the clock is wrong",
        now, with->base, response->reason);
}

/* A certificate is made for now: one whose time is yet to come shows a clock that is slow. */
static void report_certificate(struct conversation *with, const struct http_response *response)
{
    struct http_response seen;
    look_without_trust(with, &seen);
    if (strstr(response->reason, "not yet valid") ||
        (strstr(response->reason, "expired") && is_clock_wrong(with, &seen)))
        report_clock(with, response);
    else if (strstr(response->reason, "local issuer") && seen.lone_issuer)
        findings_add(
            with->findings, FINDING_TROUBLE, "tls",
            "let the site name the fullchain.pem of certbot instead of cert.pem, and reload "
            "the web server",
            "%s: the certificate is not trusted: it comes without that of its issuer, %s (of an "
            "authority of your own CURL_CA_BUNDLE may name the file)",
            with->base, seen.lone_issuer);
    else
        findings_add(
            with->findings, FINDING_TROUBLE, "tls",
            doctor_fix_for_certificate(with, response->reason),
            "%s: the certificate is not trusted; where CURL_CA_BUNDLE names a file with an "
            "authority of your own, that one is (%s)",
            with->base, response->reason);
    http_client_free(&seen);
}

/* -- Addresses --------------------------------------------------------------------------------- */

struct families {
    bool has_4, has_6;
};

static struct families find_families(struct conversation *with)
{
    struct families families = {false, false};
    struct addrinfo *found = NULL, wanted = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo(conversation_host(with), NULL, &wanted, &found) != 0)
        return families;
    for (const struct addrinfo *one = found; one; one = one->ai_next) {
        families.has_4 = families.has_4 || one->ai_family == AF_INET;
        families.has_6 = families.has_6 || one->ai_family == AF_INET6;
    }
    freeaddrinfo(found);
    return families;
}

static bool is_reached_by(struct conversation *with, int family, const char **reason)
{
    struct http_response response;
    struct http_request request = {
        .method = "HEAD", .url = with->base, .headers = {NULL}, .family = family};
    http_client_send(&request, with->arena, &response);
    *reason = response.reason;
    bool reached = response.failure == HTTP_ANSWERED;
    http_client_free(&response);
    return reached;
}

/* Where this machine itself has no IPv6, nothing can be said of it. */
void doctor_check_addresses(struct conversation *with)
{
    const char *reason = "";
    struct families families = find_families(with);
    if (families.has_6 && !families.has_4)
        findings_add(with->findings, FINDING_WARNING, "address",
                     "add a DNS record of type A with the IPv4 address",
                     "%s answers, but its name has only an IPv6 address: members whose network has "
                     "no IPv6 cannot reach it",
                     with->base);
    else if (families.has_6 && families.has_4 && !is_reached_by(with, AF_INET, &reason))
        findings_add(with->findings, FINDING_TROUBLE, "address",
                     "let the site listen at IPv4 addresses as the shipped one does",
                     "%s answers by IPv6 only; by IPv4: %s", with->base, reason);
    else
        findings_add(with->findings, FINDING_OK, "address", NULL, "%s answers", with->base);
}

static void report_no_connection(struct conversation *with, const struct http_response *response)
{
    struct families families = find_families(with);
    if (families.has_6 && !families.has_4)
        findings_add(with->findings, FINDING_TROUBLE, "address",
                     "add a DNS record of type A with the IPv4 address, or ask from a machine that "
                     "has IPv6",
                     "%s: the name has only an IPv6 address, and nobody is reached there (%s)",
                     with->base, response->reason);
    else
        findings_add(with->findings, FINDING_TROUBLE, "address",
                     conversation_fix(with, "systemctl restart nginx", "systemctl restart apache2"),
                     "%s: nobody listens (%s)", with->base, response->reason);
}

void doctor_report_no_answer(struct conversation *with, const struct http_response *response)
{
    static const struct {
        const char *check, *what, *fix;
    } failures[] = {
        [HTTP_NO_NAME] = {"address", "the name has no address",
                          "correct the name, or its DNS record"},
        [HTTP_TIMEOUT] = {"address", "no answer in time", CONVERSATION_RESTART},
        [HTTP_NO_TLS] = {"tls", "no TLS connection", NULL},
        [HTTP_CUT_OFF] = {"address", "no valid HTTP answer", CONVERSATION_RESTART},
    };
    if (response->failure == HTTP_CERTIFICATE) {
        report_certificate(with, response);
        return;
    }
    if (response->failure == HTTP_NO_CONNECTION) {
        report_no_connection(with, response);
        return;
    }
    const char *fix = failures[response->failure].fix;
    findings_add(with->findings, FINDING_TROUBLE, failures[response->failure].check,
                 fix ? fix : conversation_fix_for_site(with), "%s: %s (%s)", with->base,
                 failures[response->failure].what, response->reason);
}
