/* All checks of a service at its address, as a client sees it, in their order: does it answer, by
 * TLS, with the headers that browsers need, at the right time, with a key, for members who sign in,
 * within its limit. If no answer comes, the likeliest cause is named; on this machine the web
 * server is asked for it. A failure of the service says nothing about the web server. */
#include <netdb.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/probe.h"

#ifdef QSOSYNC_PORTABLE
#define FIX_FOR_CURL NULL
#else
#define FIX_FOR_CURL "apt-get install libcurl4"
#endif

#define FIX_FOR_IPV6 "add a DNS record of type A with the IPv4 address"
#define LETSENCRYPT "/etc/letsencrypt/"
#define CERTIFICATE_DAYS_LEAST 14
#define CLOCK_WARNING_MS 5000
#define CLOCK_PROBLEM_MS 60000
#define ORIGIN "https://doctor.example"
#define NOT_YET_VALID 9 /* and the others: X509_V_ERR_... of openssl/x509_vfy.h */
#define HAS_EXPIRED 10
#define NO_ISSUER_HERE 20
#define NO_ISSUER_SENT 21
#define WAIT_S_MAX 90 /* all requests of an address count for a minute */

/* -- Certificates ------------------------------------------------------------------------------ */

/* Renewing helps only where the certificate has expired. One that is not of certbot stays what it
 * is. */
static const char *fix_certificate(struct probe *probe, bool has_expired)
{
    struct arena *arena = probe->arena;
    if (probe->certificate && strncmp(probe->certificate, LETSENCRYPT, strlen(LETSENCRYPT)) != 0)
        return arena_print(arena,
                           "let whoever has made %s make one that is valid for %s, and reload the "
                           "web server",
                           probe->certificate, probe->host);
    if (has_expired)
        return probe_fix(probe, "certbot renew && systemctl reload nginx",
                         "certbot renew && systemctl reload apache2");
    const char *line = probe_fix_by_putting(
        probe,
        arena_print(arena, "certbot certonly --webroot -w /var/www/html -d %s && ",
                    shell_quote(arena, probe->host)),
        " --new-certificate");
    return line ? line : "let the provider make a certificate";
}

static void report_certificate(struct probe *probe, const struct http_response *response)
{
    struct http_request request = {.method = "HEAD", .url = probe->base, .unverified = true};
    char now[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), now);
    const struct http_response seen = http_client_send(&request, probe->arena);
    bool lacks_issuer =
        response->verified == NO_ISSUER_HERE || response->verified == NO_ISSUER_SENT;
    if (response->verified == NOT_YET_VALID)
        findings_trouble(probe->doctor, "clock", "timedatectl set-ntp true",
                         "this machine says it is %.16sZ, by which the certificate of %s is not "
                         "valid (%s): the clock is wrong",
                         now, probe->base, response->reason);
    else if (lacks_issuer && seen.lone_issuer)
        findings_trouble(
            probe->doctor, "tls",
            "let the site name the fullchain.pem of certbot instead of cert.pem, and reload the "
            "web server",
            "%s: the certificate is not trusted: it comes without that of its issuer, %s (of an "
            "authority of your own CURL_CA_BUNDLE may name the file)",
            probe->base, seen.lone_issuer);
    else
        findings_trouble(
            probe->doctor, "tls", fix_certificate(probe, response->verified == HAS_EXPIRED),
            "%s: the certificate is not trusted; where CURL_CA_BUNDLE names a file with an "
            "authority of your own, that one is (%s)",
            probe->base, response->reason);
}

/* The address by TLS, if it answers there; NULL: it does not. */
static const char *find_tls(struct probe *probe)
{
    size_t length = strcspn(probe->site + strlen("http://"), ":/");
    struct http_request request = {.method = "GET",
                                   .url =
                                       arena_print(probe->arena, "https://%.*s" API "/openapi.json",
                                                   (int)length, probe->site + strlen("http://"))};
    if (strncasecmp(probe->base, "http:", 5) != 0 || probe_asks_this_machine(probe))
        return NULL;
    const struct http_response response = http_client_send(&request, probe->arena);
    return response.failure == HTTP_ANSWERED && probe_contains(&response, "\"openapi\"")
               ? arena_print(probe->arena, "%.*s",
                             (int)(strlen(request.url) - strlen("/openapi.json")), request.url)
               : NULL;
}

/* False where a key would travel in the clear. */
static bool check_tls(struct probe *probe, const struct http_response *response)
{
    long long days = (response->certificate_end_ms - clock_wall_ms()) / DATETIME_DAY_MS;
    if (strncasecmp(probe->base, "http:", 5) == 0) {
        const char *encrypted = find_tls(probe);
        if (probe_asks_this_machine(probe))
            return findings_fine(probe->doctor, "tls", "not used on this machine itself");
        return findings_trouble(probe->doctor, "tls",
                                encrypted ? probe_fix_by_asking(probe, encrypted)
                                          : fix_certificate(probe, false),
                                "the address is http: keys can be read on their way%s",
                                encrypted ? "; the service answers by https, too" : "");
    }
    if (!response->certificate_end_ms)
        return findings_fine(probe->doctor, "tls", "the certificate is trusted");
    findings_add(probe->doctor, days < CERTIFICATE_DAYS_LEAST ? FINDING_WARNING : FINDING_OK, "tls",
                 days < CERTIFICATE_DAYS_LEAST ? fix_certificate(probe, true) : NULL,
                 "the certificate is trusted, and ends in %lld days", days);
    return true;
}

/* -- Does it answer ---------------------------------------------------------------------------- */

static bool has_only_ipv6(struct probe *probe)
{
    struct addrinfo *found = NULL, wanted = {.ai_socktype = SOCK_STREAM};
    bool only = false;
    if (getaddrinfo(probe->host, NULL, &wanted, &found) != 0)
        return false;
    for (const struct addrinfo *one = found; one; one = one->ai_next)
        only = (one == found || only) && one->ai_family == AF_INET6;
    freeaddrinfo(found);
    return only;
}

/* From elsewhere nothing can be started. */
static void report_no_connection(struct probe *probe, const struct http_response *response)
{
    const char *encrypted = find_tls(probe);
    if (encrypted)
        findings_trouble(probe->doctor, "tls", probe_fix_by_asking(probe, encrypted),
                         "%s: nobody listens, and the service answers by https", probe->base);
    else
        findings_trouble(
            probe->doctor, "address",
            has_only_ipv6(probe)
                ? FIX_FOR_IPV6 ", or ask from a machine that has IPv6"
                : "look whether the web server runs there, which qsosync-admin doctor says on its "
                  "machine",
            "%s: %s (%s)", probe->base,
            has_only_ipv6(probe) ? "the name has only an IPv6 address, and nobody is reached there"
                                 : "nobody listens",
            response->reason);
}

/* Best as root, who sees most of the machine. */
static const char *fix_by_doctor(struct probe *probe)
{
    return arena_print(probe->arena, "qsosync-admin %sdoctor", shell_database(probe->doctor));
}

static void report_no_answer(struct probe *probe, const struct http_response *response)
{
    static const char *const whats[] = {
        [HTTP_NO_NAME] = "the name has no address",
        [HTTP_TIMEOUT] = "no answer in time",
        [HTTP_NO_TLS] = "no TLS connection",
        [HTTP_CUT_OFF] = "no valid HTTP answer",
    };
    if (response->failure == HTTP_CERTIFICATE)
        report_certificate(probe, response);
    else if (response->failure == HTTP_NO_CONNECTION)
        report_no_connection(probe, response);
    else
        findings_trouble(probe->doctor, response->failure == HTTP_NO_TLS ? "tls" : "address",
                         response->failure == HTTP_NO_NAME  ? "correct the name, or its DNS record"
                         : response->failure == HTTP_NO_TLS ? probe_fix_for_site(probe)
                                                            : fix_by_doctor(probe),
                         "%s: %s (%s)", probe->base, whats[response->failure], response->reason);
}

static void report_redirect(struct probe *probe, long status, const char *location)
{
    const char *api = strstr(location, API);
    findings_trouble(
        probe->doctor, "address",
        probe_fix_by_asking(
            probe, api ? arena_copy(probe->arena, location, (size_t)(api - location) + strlen(API))
                       : location),
        "%s: the address leads to %s (status %ld)", probe->base, location, status);
}

/* An answer that is not the description of the API. Web servers may answer with 500 where they
 * reach no worker, but give no id to the request. */
static void report_stranger(struct probe *probe, const struct http_response *response)
{
    const long status = response->status;
    const char *location = probe_header(probe, response, "Location");
    const char *fix = probe_fix_for_site(probe);
    bool by_worker = probe_header(probe, response, "X-Request-Id") != NULL;
    if (status >= 300 && status < 400 && location && strncasecmp(location, "http", 4) == 0) {
        report_redirect(probe, status, location);
        return;
    }
    if (status >= 500)
        fix = by_worker                          ? workers_fix_for_logbook(probe->doctor)
              : units_are_reached(probe->doctor) ? fix
                                                 : fix_by_doctor(probe);
    findings_trouble(probe->doctor, "address", status == 429 ? probe_fix_by_waiting(probe) : fix,
                     "%s: %s (status %ld)", probe->base,
                     status >= 500   ? by_worker ? "the service fails" : "no worker answers"
                     : status == 429 ? "this address has made too many requests"
                     : status == 403 ? "the web server refuses the address"
                     : status == 401 ? "the site asks for a login before the API does"
                     : strncmp(response->body, "\177ELF", 4) == 0
                         ? "the web server hands out the worker's program instead of running it"
                         : "something else than QSOsync answers",
                     status);
}

/* This address may have used up its requests, by the doctor's last visit for instance: the answers
 * to further ones would be taken for faults of the service. */
static void ask_for_description(struct probe *probe, struct http_response *response)
{
    for (int64_t waited = 0;;) {
        *response = probe_ask(probe, "GET", API "/openapi.json", "Origin: " ORIGIN, NULL);
        int64_t wait_s = limit_wait_s(probe, response);
        if (wait_s == 0 || waited + wait_s > WAIT_S_MAX)
            return;
        for (int64_t i = 0; i < wait_s; i++) {
            probe->doctor->show_progress("waiting for the request limit", i, wait_s);
            sleep(1);
        }
        waited += wait_s;
    }
}

static bool check_address(struct probe *probe, struct http_response *response)
{
    ask_for_description(probe, response);
    const char *server =
        response->failure == HTTP_ANSWERED ? probe_header(probe, response, "Server") : NULL;
    probe->is_nginx = server && strncasecmp(server, "nginx", 5) == 0;
    probe->is_apache = server && strncasecmp(server, "apache", 6) == 0;
    bool is_right = response->failure == HTTP_ANSWERED && response->status == 200 &&
                    probe_contains(response, "\"openapi\"");
    if (!is_right && probe->is_here && !fronts_check(probe->doctor))
        return false;
    if (response->failure != HTTP_ANSWERED)
        report_no_answer(probe, response);
    else if (!is_right)
        report_stranger(probe, response);
    else if (has_only_ipv6(probe))
        findings_warn(
            probe->doctor, "address", FIX_FOR_IPV6,
            "%s answers, but its name has only an IPv6 address: members whose network has "
            "no IPv6 cannot reach it",
            probe->base);
    else
        findings_fine(probe->doctor, "address", "%s answers", probe->base);
    return is_right;
}

/* -- What the web server lets through ---------------------------------------------------------- */

static bool allows(struct probe *probe, const struct http_response *preflight, const char *header,
                   const char *word)
{
    const char *value = probe_header(probe, preflight, header);
    return value && strcasestr(value, word);
}

static void check_cors(struct probe *probe, const struct http_response *plain)
{
    int count;
    const char *fix = probe_fix_for_site(probe);
    const char *origin =
        http_client_header(plain, probe->arena, "Access-Control-Allow-Origin", &count);
    const struct http_response preflight =
        probe_ask(probe, "OPTIONS", API "/logs/batch", "Origin: " ORIGIN,
                  "Access-Control-Request-Method: POST",
                  "Access-Control-Request-Headers: authorization, content-type", NULL);
    if (probe_has_failed(probe, "cors", &preflight))
        return;
    if (!origin || strcmp(origin, "*") != 0 || count > 1)
        findings_trouble(probe->doctor, "cors", fix,
                         "answers %s, so that browser pages cannot read them",
                         count > 1 ? "have Access-Control-Allow-Origin twice"
                                   : "lack Access-Control-Allow-Origin: *");
    else if (preflight.status / 100 != 2 ||
             !allows(probe, &preflight, "Access-Control-Allow-Origin", "*") ||
             !allows(probe, &preflight, "Access-Control-Allow-Methods", "POST") ||
             !allows(probe, &preflight, "Access-Control-Allow-Headers", "authorization") ||
             !allows(probe, &preflight, "Access-Control-Allow-Headers", "content-type"))
        findings_trouble(probe->doctor, "cors", fix,
                         "a preflight request of a browser (OPTIONS), whether it may send a key, "
                         "is not answered (status %ld)",
                         preflight.status);
    else
        findings_fine(probe->doctor, "cors", "browser pages may use the API");
}

static void check_clock(struct probe *probe, int64_t sent_ms, const struct http_response *response)
{
    struct tm time = {0};
    const char *date = probe_header(probe, response, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return;
    int64_t server_ms = (int64_t)timegm(&time) * 1000, now_ms = clock_wall_ms();
    int64_t apart_ms = server_ms > now_ms           ? server_ms - now_ms
                       : server_ms + 1000 < sent_ms ? sent_ms - server_ms - 1000
                                                    : 0;
    if (apart_ms <= CLOCK_WARNING_MS)
        findings_fine(probe->doctor, "clock", "the service's clock agrees with this one");
    else
        findings_add(probe->doctor, apart_ms > CLOCK_PROBLEM_MS ? FINDING_PROBLEM : FINDING_WARNING,
                     "clock", "timedatectl set-ntp true",
                     "the service's clock and this one are %lld s apart",
                     (long long)(apart_ms / 1000));
}

/* -- All of it --------------------------------------------------------------------------------- */

static struct probe begin(struct doctor *doctor, const char *url)
{
    struct probe probe = {.doctor = doctor, .arena = doctor->arena};
    size_t length = strlen(url), api = strlen(API);
    while (length > 0 && url[length - 1] == '/')
        length--;
    if (length >= api && strncmp(url + length - api, API, api) == 0)
        length -= api;
    probe.site = arena_print(doctor->arena, "%.*s", (int)length, url);
    probe.base = arena_print(doctor->arena, "%s" API, probe.site);
    const char *host = strstr(probe.base, "://") + 3;
    size_t end = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    probe.host = arena_print(doctor->arena, "%.*s", (int)end, host);
    probe.is_here = fronts_have_site(doctor, probe.host, &probe.certificate);
    return probe;
}

void doctor_examine_service(struct doctor *doctor, const char *url, struct text key, bool gentle)
{
    struct http_response response;
    struct probe probe = begin(doctor, url);
    const char *missing = http_client_load();
    if (missing) {
        findings_trouble(doctor, "curl", FIX_FOR_CURL, "the service cannot be asked: %s", missing);
        return;
    }
    int64_t sent_ms = clock_wall_ms();
    if (check_address(&probe, &response)) {
        bool safe = check_tls(&probe, &response);
        limit_learn_way(&probe);
        check_cors(&probe, &response);
        check_clock(&probe, sent_ms, &response);
        if (safe && !probe.failed)
            key_check(&probe, key);
        if (safe && !probe.failed)
            sign_in_check(&probe);
        if (!probe.failed)
            limit_check(&probe, &response, gentle);
    }
}
