/* The checks of a service at its address, as a client sees it. */
#include "admin/doctor_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "admin/doctor_address.h"
#include "admin/doctor_key.h"
#include "admin/doctor_limit.h"
#include "admin/doctor_workers.h"
#include "admin/progress.h"
#include "base/clock.h"
#include "base/datetime.h"

#define API "/api/v1"
#define CERTIFICATE_DAYS_LEAST 14
#define CLOCK_WARNING_MS 5000
#define CLOCK_TROUBLE_MS 60000
#define ORIGIN "https://doctor.example"
#define WAIT_S_MAX 90 /* all requests of an address count for a minute */

/* -- Does it answer ---------------------------------------------------------------------------- */

/* An answer that is not the description of the API. Web servers may answer with 500 where they
 * reach no worker, but give no id to the request. */
static void report_stranger(struct conversation *with, const struct http_response *response)
{
    const char *location = conversation_header(with, response, "Location");
    const char *what = "something else than QSOsync answers";
    const char *fix = conversation_fix_for_site(with);
    if (response->status >= 300 && response->status < 400 && location &&
        strncasecmp(location, "http", 4) == 0) {
        what = arena_print(with->arena, "the address leads to %s", location);
        fix = arena_print(with->arena, "qsosync-admin doctor %s",
                          command_quote(with->arena, location));
    } else if (memcmp(response->body.bytes, "\177ELF", 4) == 0) {
        what = "the web server hands out the worker's program instead of running it";
    } else if (response->status >= 500) {
        bool by_worker = conversation_header(with, response, "X-Request-Id") != NULL;
        what = by_worker ? "the service fails" : "no worker answers";
        fix = by_worker ? doctor_workers_fix_for_logbook(with->invocation) : CONVERSATION_RESTART;
    } else if (response->status == 401) {
        what = "the site asks for a login before the API does";
    } else if (response->status == 403) {
        what = "the web server refuses the address";
    } else if (response->status == 429) {
        what = "this address has made too many requests";
        fix = conversation_fix_by_waiting(with);
    }
    findings_add(with->findings, FINDING_TROUBLE, "address", fix, "%s: %s (status %ld)", with->base,
                 what, response->status);
}

/* This address may have used up its requests, by the doctor's last visit for instance: the answers
 * to further ones would be taken for faults of the service. */
static void ask_for_description(struct conversation *with, struct http_response *response)
{
    for (int64_t waited = 0;;) {
        conversation_ask(with, "GET", "/openapi.json", "Origin: " ORIGIN, NULL, NULL, response);
        int64_t wait_s = doctor_limit_wait_s(with, response);
        if (wait_s == 0 || waited + wait_s > WAIT_S_MAX)
            return;
        http_client_free(response);
        for (int64_t i = 0; i < wait_s; i++) {
            progress_line_show("waiting for the request limit", i, wait_s);
            sleep(1);
        }
        waited += wait_s;
    }
}

static bool check_address(struct conversation *with, struct http_response *response)
{
    ask_for_description(with, response);
    if (response->failure != HTTP_ANSWERED) {
        doctor_report_no_answer(with, response);
        return false;
    }
    const char *server = conversation_header(with, response, "Server");
    with->nginx = server && strncasecmp(server, "nginx", 5) == 0;
    with->apache = server && strncasecmp(server, "apache", 6) == 0;
    if (response->status != 200 || !conversation_holds(response, "\"openapi\"")) {
        report_stranger(with, response);
        return false;
    }
    doctor_check_addresses(with);
    return true;
}

static bool is_this_machine(const char *url)
{
    static const char *const names[] = {"localhost", "127.", "[::1]"};
    const char *host = strstr(url, "://") + 3;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(host, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* False where a key would travel in the clear. */
static bool check_tls(struct conversation *with, const struct http_response *response)
{
    if (strncasecmp(with->base, "https:", 6) != 0) {
        bool here = is_this_machine(with->base);
        findings_add(with->findings, here ? FINDING_OK : FINDING_TROUBLE, "tls",
                     here ? NULL : doctor_fix_for_certificate(with, ""),
                     here ? "not used on this machine itself"
                          : "the address is http: keys can be read on their way");
        return here;
    }
    int64_t days = (response->certificate_end_ms - clock_wall_ms()) / DATETIME_DAY_MS;
    if (!response->certificate_end_ms)
        findings_add(with->findings, FINDING_OK, "tls", NULL, "the certificate is trusted");
    else
        findings_add(
            with->findings, days < CERTIFICATE_DAYS_LEAST ? FINDING_WARNING : FINDING_OK, "tls",
            days < CERTIFICATE_DAYS_LEAST ? doctor_fix_for_certificate(with, "expired") : NULL,
            "the certificate is trusted, and ends in %lld days", (long long)days);
    return true;
}

/* -- What the web server lets through ---------------------------------------------------------- */

static void check_cors(struct conversation *with, const struct http_response *plain)
{
    struct http_response preflight;
    int count;
    const char *origin =
        http_client_header(plain, with->arena, "Access-Control-Allow-Origin", &count);
    const char *fix = conversation_fix_for_site(with);
    conversation_ask(with, "OPTIONS", "/logs/batch", "Origin: " ORIGIN,
                     "Access-Control-Request-Method: POST",
                     "Access-Control-Request-Headers: authorization, content-type", &preflight);
    const char *headers = conversation_header(with, &preflight, "Access-Control-Allow-Headers");
    const char *methods = conversation_header(with, &preflight, "Access-Control-Allow-Methods");
    const char *allowed = conversation_header(with, &preflight, "Access-Control-Allow-Origin");
    if (conversation_has_failed(with, "cors", &preflight))
        ;
    else if (!origin || strcmp(origin, "*") != 0)
        findings_add(
            with->findings, FINDING_TROUBLE, "cors", fix,
            "answers lack Access-Control-Allow-Origin: *, so that browser pages cannot read "
            "them");
    else if (count > 1)
        findings_add(with->findings, FINDING_TROUBLE, "cors", fix,
                     "answers have Access-Control-Allow-Origin twice, which browsers refuse");
    else if (preflight.status / 100 != 2 || !allowed || !methods || !strstr(methods, "POST") ||
             !headers || !strcasestr(headers, "authorization") ||
             !strcasestr(headers, "content-type"))
        findings_add(with->findings, FINDING_TROUBLE, "cors", fix,
                     "a preflight request of a browser (OPTIONS), whether it may send a key, is "
                     "not answered "
                     "(status %ld)",
                     preflight.status);
    else
        findings_add(with->findings, FINDING_OK, "cors", NULL, "browser pages may use the API");
    http_client_free(&preflight);
}

/* -- The clock --------------------------------------------------------------------------------- */

static void check_clock(struct conversation *with, int64_t sent_ms,
                        const struct http_response *response)
{
    struct tm time = {0};
    const char *date = conversation_header(with, response, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return;
    int64_t server_ms = (int64_t)timegm(&time) * 1000, now_ms = clock_wall_ms();
    int64_t apart_ms = server_ms > now_ms           ? server_ms - now_ms
                       : server_ms + 1000 < sent_ms ? sent_ms - server_ms - 1000
                                                    : 0;
    enum finding_level level = apart_ms > CLOCK_TROUBLE_MS   ? FINDING_TROUBLE
                               : apart_ms > CLOCK_WARNING_MS ? FINDING_WARNING
                                                             : FINDING_OK;
    findings_add(with->findings, level, "clock",
                 level == FINDING_OK ? NULL : "timedatectl set-ntp true", "%s",
                 level == FINDING_OK
                     ? "the service's clock agrees with this one"
                     : arena_print(with->arena, "the service's clock and this one are %lld s apart",
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

void doctor_ask_service(struct invocation *invocation, const char *url, struct text key,
                        bool gentle, struct findings *findings)
{
    struct http_response response;
    struct conversation with = {.invocation = invocation,
                                .arena = invocation->arena,
                                .findings = findings,
                                .base = base_of(invocation->arena, url)};
    const char *missing = http_client_load();
    if (missing) {
        findings_add(findings, FINDING_TROUBLE, "curl", "apt-get install libcurl4",
                     "the service cannot be asked: %s", missing);
        return;
    }
    int64_t sent_ms = clock_wall_ms();
    if (check_address(&with, &response)) {
        bool safe = check_tls(&with, &response);
        check_cors(&with, &response);
        check_clock(&with, sent_ms, &response);
        if (safe && !with.failed)
            doctor_ask_with_key(&with, key);
        if (!with.failed)
            doctor_check_limit(&with, &response);
        if (!gentle && !with.failed && conversation_header(&with, &response, "RateLimit-Limit"))
            doctor_check_retry_after(&with);
    }
    http_client_free(&response);
}
