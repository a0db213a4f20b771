/* All checks of a service at its address, as a client sees it, in their order: does it answer, by
 * TLS, with the headers that browsers need, at the right time, with a key, for who signs in, within
 * its limit. After a failure of the service itself nothing is concluded about the web server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/machine.h"
#include "doctor/probe.h"

#ifdef QSOSYNC_PORTABLE
#define FIX_FOR_CURL NULL
#else
#define FIX_FOR_CURL "apt-get install libcurl4"
#endif

#define API "/api/v1"
#define CERTIFICATE_DAYS_LEAST 14
#define CLOCK_WARNING_MS 5000
#define CLOCK_PROBLEM_MS 60000
#define ORIGIN "https://doctor.example"
#define WAIT_S_MAX 90 /* all requests of an address count for a minute */

/* -- Does it answer ---------------------------------------------------------------------------- */

/* An answer that is not the description of the API. Web servers may answer with 500 where they
 * reach no worker, but give no id to the request. */
static void report_stranger(struct probe *probe, const struct http_response *response)
{
    const char *location = probe_header(probe, response, "Location");
    const char *what = "something else than QSOsync answers";
    const char *fix = probe_fix_for_site(probe);
    if (response->status >= 300 && response->status < 400 && location &&
        strncasecmp(location, "http", 4) == 0) {
        what = arena_print(probe->arena, "the address leads to %s", location);
        fix = arena_print(probe->arena, "qsosync-admin doctor %s",
                          shell_quote(probe->arena, location));
    } else if (memcmp(response->body.bytes, "\177ELF", 4) == 0) {
        what = "the web server hands out the worker's program instead of running it";
    } else if (response->status >= 500) {
        bool by_worker = probe_header(probe, response, "X-Request-Id") != NULL;
        what = by_worker ? "the service fails" : "no worker answers";
        fix = by_worker ? check_workers_fix_for_logbook(probe->doctor) : PROBE_RESTART;
    } else if (response->status == 401) {
        what = "the site asks for a login before the API does";
    } else if (response->status == 403) {
        what = "the web server refuses the address";
    } else if (response->status == 429) {
        what = "this address has made too many requests";
        fix = probe_fix_by_waiting(probe);
    }
    findings_add(probe->findings, FINDING_PROBLEM, "address", fix, "%s: %s (status %ld)",
                 probe->base, what, response->status);
}

/* This address may have used up its requests, by the doctor's last visit for instance: the answers
 * to further ones would be taken for faults of the service. */
static void ask_for_description(struct probe *probe, struct http_response *response)
{
    for (int64_t waited = 0;;) {
        probe_request(probe, "GET", "/openapi.json", "Origin: " ORIGIN, NULL, NULL, response);
        int64_t wait_s = check_limit_wait_s(probe, response);
        if (wait_s == 0 || waited + wait_s > WAIT_S_MAX)
            return;
        http_client_free(response);
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
    if (response->failure != HTTP_ANSWERED) {
        check_address_report_no_answer(probe, response);
        return false;
    }
    const char *server = probe_header(probe, response, "Server");
    probe->nginx = server && strncasecmp(server, "nginx", 5) == 0;
    probe->apache = server && strncasecmp(server, "apache", 6) == 0;
    if (response->status != 200 || !probe_contains(response, "\"openapi\"")) {
        report_stranger(probe, response);
        return false;
    }
    check_address_families(probe);
    return true;
}

/* False where a key would travel in the clear. */
static bool check_tls(struct probe *probe, const struct http_response *response)
{
    if (strncasecmp(probe->base, "https:", 6) != 0) {
        bool here = probe_asks_this_machine(probe);
        findings_add(probe->findings, here ? FINDING_OK : FINDING_PROBLEM, "tls",
                     here ? NULL : check_address_fix_certificate(probe, ""),
                     here ? "not used on this machine itself"
                          : "the address is http: keys can be read on their way");
        return here;
    }
    int64_t days = (response->certificate_end_ms - clock_wall_ms()) / DATETIME_DAY_MS;
    if (!response->certificate_end_ms)
        findings_add(probe->findings, FINDING_OK, "tls", NULL, "the certificate is trusted");
    else
        findings_add(
            probe->findings, days < CERTIFICATE_DAYS_LEAST ? FINDING_WARNING : FINDING_OK, "tls",
            days < CERTIFICATE_DAYS_LEAST ? check_address_fix_certificate(probe, "expired") : NULL,
            "the certificate is trusted, and ends in %lld days", (long long)days);
    return true;
}

/* -- What the web server lets through ---------------------------------------------------------- */

static void check_cors(struct probe *probe, const struct http_response *plain)
{
    struct http_response preflight;
    int count;
    const char *origin =
        http_client_header(plain, probe->arena, "Access-Control-Allow-Origin", &count);
    const char *fix = probe_fix_for_site(probe);
    probe_request(probe, "OPTIONS", "/logs/batch", "Origin: " ORIGIN,
                  "Access-Control-Request-Method: POST",
                  "Access-Control-Request-Headers: authorization, content-type", &preflight);
    const char *headers = probe_header(probe, &preflight, "Access-Control-Allow-Headers");
    const char *methods = probe_header(probe, &preflight, "Access-Control-Allow-Methods");
    const char *allowed = probe_header(probe, &preflight, "Access-Control-Allow-Origin");
    if (probe_has_failed(probe, "cors", &preflight))
        ;
    else if (!origin || strcmp(origin, "*") != 0)
        findings_add(
            probe->findings, FINDING_PROBLEM, "cors", fix,
            "answers lack Access-Control-Allow-Origin: *, so that browser pages cannot read "
            "them");
    else if (count > 1)
        findings_add(probe->findings, FINDING_PROBLEM, "cors", fix,
                     "answers have Access-Control-Allow-Origin twice, which browsers refuse");
    else if (preflight.status / 100 != 2 || !allowed || !methods || !strstr(methods, "POST") ||
             !headers || !strcasestr(headers, "authorization") ||
             !strcasestr(headers, "content-type"))
        findings_add(probe->findings, FINDING_PROBLEM, "cors", fix,
                     "a preflight request of a browser (OPTIONS), whether it may send a key, is "
                     "not answered "
                     "(status %ld)",
                     preflight.status);
    else
        findings_add(probe->findings, FINDING_OK, "cors", NULL, "browser pages may use the API");
    http_client_free(&preflight);
}

/* -- The clock --------------------------------------------------------------------------------- */

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
    enum finding_level level = apart_ms > CLOCK_PROBLEM_MS   ? FINDING_PROBLEM
                               : apart_ms > CLOCK_WARNING_MS ? FINDING_WARNING
                                                             : FINDING_OK;
    findings_add(probe->findings, level, "clock",
                 level == FINDING_OK ? NULL : "timedatectl set-ntp true", "%s",
                 level == FINDING_OK
                     ? "the service's clock agrees with this one"
                     : arena_print(probe->arena,
                                   "the service's clock and this one are %lld s apart",
                                   (long long)(apart_ms / 1000)));
}

/* -- All of it --------------------------------------------------------------------------------- */

static const char *base_of(struct arena *arena, const char *url)
{
    size_t length = strlen(url), api = strlen(API);
    while (length > 0 && url[length - 1] == '/')
        length--;
    bool whole = length >= api && strncmp(url + length - api, API, api) == 0;
    return arena_print(arena, "%.*s%s", (int)length, url, whole ? "" : API);
}

void check_service(struct doctor *doctor, const char *url, struct text key, bool gentle,
                   struct findings *findings)
{
    struct http_response response;
    struct probe probe = {.doctor = doctor,
                          .arena = doctor->arena,
                          .findings = findings,
                          .base = base_of(doctor->arena, url)};
    const char *missing = http_client_load();
    if (missing) {
        findings_add(findings, FINDING_PROBLEM, "curl", FIX_FOR_CURL,
                     "the service cannot be asked: %s", missing);
        return;
    }
    int64_t sent_ms = clock_wall_ms();
    if (check_address(&probe, &response)) {
        bool safe = check_tls(&probe, &response);
        check_proxy_learn(&probe);
        check_cors(&probe, &response);
        check_clock(&probe, sent_ms, &response);
        if (safe && !probe.failed)
            check_key(&probe, key);
        if (safe && !probe.failed && check_sign_in_scheme(&probe) && check_sign_in(&probe))
            check_sign_in_address(&probe);
        if (!probe.failed)
            check_proxy(&probe);
        if (!probe.failed)
            check_limit_headers(&probe, &response);
        if (!probe.failed && probe_header(&probe, &response, "RateLimit-Limit"))
            check_proxy_clients(&probe);
        if (!gentle && !probe.failed && probe_header(&probe, &response, "RateLimit-Limit"))
            check_limit_retry_after(&probe);
    }
    http_client_free(&response);
}
