/* All checks of a service at its address, as a client sees it, in their order: does it answer, by
 * TLS, with the headers that browsers need, at the right time, with a key, for members who sign in,
 * within its limit. If no answer comes, the likeliest cause is named; on this machine the web
 * server is asked for it. A failure of the service says nothing about the web server. */
#include <netdb.h>
#include <string.h>
#include <strings.h>
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
static const char *fix_certificate(struct examination *seen, bool has_expired)
{
    const char *certificate;
    fronts_have_site(seen, &certificate);
    if (certificate && strncmp(certificate, LETSENCRYPT, strlen(LETSENCRYPT)) != 0)
        return print(
            seen,
            "let whoever has made %s make one that is valid for %s, and reload the web server",
            certificate, seen->host);
    if (has_expired)
        return probe_fix(seen, "certbot renew && systemctl reload nginx",
                         "certbot renew && systemctl reload apache2");
    const char *line =
        probe_fix_by_putting(seen,
                             print(seen, "certbot certonly --webroot -w /var/www/html -d %s && ",
                                   quote(seen, seen->host)),
                             " --new-certificate");
    return line ? line : "let the provider make a certificate";
}

static void report_certificate(struct examination *seen, const struct http_response *response)
{
    char now[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), now);
    const struct http_response unverified =
        probe_ask(seen, .method = "HEAD", .url = seen->base, .unverified = true);
    bool lacks_issuer =
        response->verified == NO_ISSUER_HERE || response->verified == NO_ISSUER_SENT;
    if (response->verified == NOT_YET_VALID)
        trouble(seen, "clock", "timedatectl set-ntp true",
                "this machine says it is %.16sZ, by which the certificate of %s is not valid (%s): "
                "the clock is wrong",
                now, seen->base, response->reason);
    else if (lacks_issuer && unverified.lone_issuer)
        trouble(seen, "tls",
                "let the site name the fullchain.pem of certbot instead of cert.pem, and reload "
                "the web server",
                "%s: the certificate is not trusted: it comes without that of its issuer, %s (of "
                "an authority of your own CURL_CA_BUNDLE may name the file)",
                seen->base, unverified.lone_issuer);
    else
        trouble(seen, "tls", fix_certificate(seen, response->verified == HAS_EXPIRED),
                "%s: the certificate is not trusted; where CURL_CA_BUNDLE names a file with an "
                "authority of your own, that one is (%s)",
                seen->base, response->reason);
}

/* The address by TLS, if it answers there; NULL: it does not. */
static const char *find_tls(struct examination *seen)
{
    if (seen->is_encrypted || probe_asks_this_machine(seen))
        return NULL;
    const char *address = print(seen, "https://%s" API, seen->host);
    const struct http_response response =
        probe_ask(seen, .url = print(seen, "%s/openapi.json", address));
    return http_contains(&response, "\"openapi\"") ? address : NULL;
}

/* False where a key would travel in the clear. */
static bool check_tls(struct examination *seen, const struct http_response *response)
{
    long long days = (response->certificate_end_ms - clock_wall_ms()) / DATETIME_DAY_MS;
    const char *encrypted = find_tls(seen);
    if (!seen->is_encrypted && probe_asks_this_machine(seen))
        return fine(seen, "tls", "not used on this machine itself");
    if (!seen->is_encrypted)
        return trouble(seen, "tls",
                       encrypted ? probe_fix_by_asking(seen, encrypted)
                                 : fix_certificate(seen, false),
                       "the address is http: keys can be read on their way%s",
                       encrypted ? "; the service answers by https, too" : "");
    if (!response->certificate_end_ms)
        return fine(seen, "tls", "the certificate is trusted");
    findings_add(seen, days < CERTIFICATE_DAYS_LEAST ? FINDING_WARNING : FINDING_OK, "tls",
                 fix_certificate(seen, true), "the certificate is trusted, and ends in %lld days",
                 days);
    return true;
}

/* -- Does it answer ---------------------------------------------------------------------------- */

static bool has_only_ipv6(struct examination *seen)
{
    struct addrinfo *found = NULL;
    if (getaddrinfo(seen->host, NULL, NULL, &found) != 0)
        return false;
    const struct addrinfo *one = found;
    while (one && one->ai_family == AF_INET6)
        one = one->ai_next;
    bool only = !one;
    freeaddrinfo(found);
    return only;
}

/* From elsewhere nothing can be started. */
static void report_no_connection(struct examination *seen, const struct http_response *response)
{
    const char *encrypted = find_tls(seen);
    if (encrypted)
        trouble(seen, "tls", probe_fix_by_asking(seen, encrypted),
                "%s: nobody listens, and the service answers by https", seen->base);
    else if (has_only_ipv6(seen))
        trouble(seen, "address", FIX_FOR_IPV6 ", or ask from a machine that has IPv6",
                "%s: the name has only an IPv6 address, and nobody is reached there (%s)",
                seen->base, response->reason);
    else
        trouble(seen, "address",
                "look whether the web server runs there, which qsosync-admin doctor says on its "
                "machine",
                "%s: nobody listens (%s)", seen->base, response->reason);
}

/* Best as root, who sees most of the machine. */
static const char *fix_by_doctor(struct examination *seen)
{
    return print(seen, "qsosync-admin %sdoctor", shell_database(seen));
}

static void report_no_answer(struct examination *seen, const struct http_response *response)
{
    static const char *const whats[] = {
        [HTTP_NO_NAME] = "the name has no address",
        [HTTP_TIMEOUT] = "no answer in time",
        [HTTP_NO_TLS] = "no TLS connection",
        [HTTP_CUT_OFF] = "no valid HTTP answer",
    };
    const enum http_failure failure = response->failure;
    if (failure == HTTP_CERTIFICATE)
        report_certificate(seen, response);
    else if (failure == HTTP_NO_CONNECTION)
        report_no_connection(seen, response);
    else
        trouble(seen, failure == HTTP_NO_TLS ? "tls" : "address",
                failure == HTTP_NO_NAME  ? "correct the name, or its DNS record"
                : failure == HTTP_NO_TLS ? probe_fix_for_site(seen)
                                         : fix_by_doctor(seen),
                "%s: %s (%s)", seen->base, whats[failure], response->reason);
}

/* An answer that is not the description of the API. Web servers may answer with 500 where they
 * reach no worker, but give no id to the request. */
static void report_stranger(struct examination *seen, const struct http_response *response)
{
    const long status = response->status;
    const char *location = http_header(response, "Location"), *fix = probe_fix_for_site(seen);
    const char *what = "something else than QSOsync answers";
    if (status / 100 == 3 && location && strncasecmp(location, "http", 4) == 0) {
        const char *api = strstr(location, API);
        size_t length = api ? (size_t)(api - location) + strlen(API) : strlen(location);
        fix = probe_fix_by_asking(seen, arena_copy(seen->arena, location, length));
        what = print(seen, "the address leads to %s", location);
    } else if (status >= 500 && http_header(response, "X-Request-Id")) {
        fix = workers_fix_for_logbook(seen);
        what = "the service fails";
    } else if (status >= 500) {
        fix = units_are_reached(seen) ? fix : fix_by_doctor(seen);
        what = "no worker answers";
    } else if (status == 429) {
        fix = probe_fix_by_waiting(seen);
        what = "this address has made too many requests";
    } else if (status == 403) {
        what = "the web server refuses the address";
    } else if (status == 401) {
        what = "the site asks for a login before the API does";
    } else if (strncmp(response->body, "\177ELF", 4) == 0) {
        what = "the web server hands out the worker's program instead of running it";
    }
    trouble(seen, "address", fix, "%s: %s (status %ld)", seen->base, what, status);
}

/* This address may have used up its requests, by the doctor's last visit for instance: the answers
 * to further ones would be taken for faults of the service. */
static struct http_response ask_for_description(struct examination *seen)
{
    for (int64_t waited = 0;;) {
        const struct http_response response =
            probe_ask(seen, .url = API "/openapi.json", .headers = {"Origin: " ORIGIN});
        int64_t wait_s = limit_wait_s(&response);
        if (wait_s == 0 || waited + wait_s > WAIT_S_MAX)
            return response;
        for (int64_t i = 0; i < wait_s; i++) {
            seen->doctor->show_progress("waiting for the request limit", i, wait_s);
            sleep(1);
        }
        waited += wait_s;
    }
}

static bool check_address(struct examination *seen, const struct http_response *response)
{
    const char *server = http_header(response, "Server");
    seen->is_nginx = server && strncasecmp(server, "nginx", 5) == 0;
    seen->is_apache = server && strncasecmp(server, "apache", 6) == 0;
    const char *certificate;
    bool is_right = response->failure == HTTP_ANSWERED && response->status == 200 &&
                    http_contains(response, "\"openapi\"");
    if (response->failure == HTTP_NO_CLIENT)
        return trouble(seen, "curl", FIX_FOR_CURL, "the service cannot be asked: %s",
                       response->reason);
    if (!is_right && fronts_have_site(seen, &certificate) && !fronts_check(seen))
        return false;
    if (response->failure != HTTP_ANSWERED && response->failure != HTTP_TOO_LARGE)
        report_no_answer(seen, response);
    else if (!is_right)
        report_stranger(seen, response);
    else if (has_only_ipv6(seen))
        warn(seen, "address", FIX_FOR_IPV6,
             "%s answers, but its name has only an IPv6 address: members whose network has no IPv6 "
             "cannot reach it",
             seen->base);
    else
        fine(seen, "address", "%s answers", seen->base);
    return is_right;
}

/* -- What the web server lets through ---------------------------------------------------------- */

static bool allows(const struct http_response *preflight, const char *what, const char *word)
{
    const char *value = http_header(preflight, print(preflight, "Access-Control-Allow-%s", what));
    return value && strcasestr(value, word);
}

static void check_cors(struct examination *seen, const struct http_response *plain)
{
    const char *fix = probe_fix_for_site(seen);
    const char *origin = http_header(plain, "Access-Control-Allow-Origin");
    const struct http_response preflight =
        probe_ask(seen, .method = "OPTIONS", .url = API "/logs/batch",
                  .headers = {"Origin: " ORIGIN, "Access-Control-Request-Method: POST",
                              "Access-Control-Request-Headers: authorization, content-type"});
    if (probe_has_failed(seen, "cors", &preflight))
        return;
    if (!origin || strcmp(origin, "*") != 0)
        trouble(seen, "cors", fix, "answers %s, so that browser pages cannot read them",
                origin && strchr(origin, ',') ? "have Access-Control-Allow-Origin twice"
                                              : "lack Access-Control-Allow-Origin: *");
    else if (preflight.status / 100 != 2 || !allows(&preflight, "Origin", "*") ||
             !allows(&preflight, "Methods", "POST") ||
             !allows(&preflight, "Headers", "authorization") ||
             !allows(&preflight, "Headers", "content-type"))
        trouble(seen, "cors", fix,
                "a preflight request of a browser (OPTIONS), whether it may send a key, is not "
                "answered (status %ld)",
                preflight.status);
    else
        fine(seen, "cors", "browser pages may use the API");
}

static void check_clock(struct examination *seen, int64_t sent_ms,
                        const struct http_response *response)
{
    struct tm time = {0};
    const char *date = http_header(response, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return;
    int64_t server_ms = (int64_t)timegm(&time) * 1000, now_ms = clock_wall_ms();
    int64_t apart_ms = server_ms > now_ms           ? server_ms - now_ms
                       : server_ms + 1000 < sent_ms ? sent_ms - server_ms - 1000
                                                    : 0;
    if (apart_ms <= CLOCK_WARNING_MS)
        fine(seen, "clock", "the service's clock agrees with this one");
    else
        findings_add(seen, apart_ms > CLOCK_PROBLEM_MS ? FINDING_PROBLEM : FINDING_WARNING, "clock",
                     "timedatectl set-ntp true",
                     "the service's clock and this one are %lld s apart",
                     (long long)(apart_ms / 1000));
}

/* -- All of it --------------------------------------------------------------------------------- */

static void take_address(struct examination *seen, const char *url)
{
    size_t length = strlen(url), api = strlen(API);
    while (length > 0 && url[length - 1] == '/')
        length--;
    if (length >= api && strncmp(url + length - api, API, api) == 0)
        length -= api;
    seen->site = print(seen, "%.*s", (int)length, url);
    seen->base = print(seen, "%s" API, seen->site);
    seen->is_encrypted = strncasecmp(url, "https:", 6) == 0;
    const char *host = strstr(seen->base, "://") + 3;
    size_t end = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    seen->host = print(seen, "%.*s", (int)end, host);
}

static void examine(struct examination *seen, struct text key, bool gentle)
{
    int64_t sent_ms = clock_wall_ms();
    const struct http_response response = ask_for_description(seen);
    if (!check_address(seen, &response))
        return;
    bool safe = check_tls(seen, &response);
    limit_learn_way(seen);
    check_cors(seen, &response);
    check_clock(seen, sent_ms, &response);
    if (safe && !seen->failed)
        key_check(seen, key);
    if (safe && !seen->failed)
        sign_in_check(seen);
    if (!seen->failed)
        limit_check(seen, &response, gentle);
}

void doctor_examine_service(struct doctor *doctor, const char *url, struct text key, bool gentle)
{
    struct examination seen;
    examination_begin(&seen, doctor);
    take_address(&seen, url);
    examine(&seen, key, gentle);
    examination_end();
}
