/* Checks a service at its address, as a client sees it: whether it answers over TLS, with the
 * headers that browsers need and the right time, to a key and to members who sign in. If no answer
 * comes, the likeliest cause is named; on this machine the web server is checked for it. A failure
 * of the service does not show anything about the web server. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/checks.h"
#include "doctor/probe.h"
#include "store/club/club.h"

#ifdef QSOSYNC_PORTABLE
#define FIX_FOR_CURL NULL
#else
#define FIX_FOR_CURL "apt-get install libcurl4"
#endif

#define LETSENCRYPT "/etc/letsencrypt"
#define CERTIFICATES LETSENCRYPT "/live/"
#define CERTIFICATE_DAYS_LEAST 14
#define CLOCK_WARNING_MS 5000
#define CLOCK_PROBLEM_MS 60000
#define ORIGIN "https://doctor.example"
#define WAY "/healthz?request" /* the service tells what it sees of a request */
#define ADDRESS_LETTERS "0123456789abcdefABCDEF.:"
#define NOT_YET_VALID 9 /* and the others: X509_V_ERR_... of openssl/x509_vfy.h */
#define HAS_EXPIRED 10
#define NO_ISSUER_HERE 20
#define NO_ISSUER_SENT 21

/* -- Certificates ------------------------------------------------------------------------------ */

/* Other programs and people put certificates there, too: certbot renews those that it has noted. */
static bool is_of_certbot(struct examination *seen, const char *certificate)
{
    const char *name = certificate + strlen(CERTIFICATES);
    return strncmp(certificate, CERTIFICATES, strlen(CERTIFICATES)) == 0 &&
           access(print(seen, LETSENCRYPT "/renewal/%.*s.conf", (int)strcspn(name, "/"), name),
                  F_OK) == 0;
}

/* Renewing helps only if the certificate has expired. A certificate that certbot did not make stays
 * unchanged. */
static const char *fix_certificate(struct examination *seen, bool has_expired)
{
    const char *certificate;
    fronts_have_site(seen, &certificate);
    if (certificate && !is_of_certbot(seen, certificate))
        return print(seen, TLS_NOT_TRUSTED_FIX, certificate, seen->host);
    if (has_expired)
        return print(seen, "certbot renew && systemctl reload %s",
                     seen->is_apache ? "apache2" : "nginx");
    const char *line =
        probe_fix_by_putting(seen,
                             print(seen, "certbot certonly --webroot -w /var/www/html -d %s && ",
                                   quote(seen, seen->host)),
                             " --new-certificate");
    return line ? line : "ask the hosting provider for a certificate";
}

static void report_certificate(struct examination *seen, const struct client_response *response)
{
    char now[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), now);
    const char *lone = NULL;
    if (response->verified == NO_ISSUER_HERE || response->verified == NO_ISSUER_SENT)
        lone = probe_ask(seen, .url = seen->base, .unverified = true).lone_issuer;
    if (response->verified == NOT_YET_VALID)
        found(seen, CLOCK_WRONG, now, seen->base, response->reason);
    else if (lone)
        found(seen, TLS_WITHOUT_ISSUER, seen->base, lone);
    else
        found_with(seen, TLS_NOT_TRUSTED, fix_certificate(seen, response->verified == HAS_EXPIRED),
                   seen->base, response->reason);
}

/* False where a key would travel in the clear. */
static bool check_tls(struct examination *seen, const struct client_response *response)
{
    long long days = (response->certificate_end_ms - clock_wall_ms()) / DATETIME_DAY_MS;
    if (!seen->is_encrypted && probe_asks_this_machine(seen))
        return found(seen, TLS_NOT_NEEDED);
    if (!seen->is_encrypted)
        return found_with(seen, TLS_MISSING, fix_certificate(seen, false));
    if (!response->certificate_end_ms)
        return found(seen, TLS_TRUSTED);
    found_at(seen, days < CERTIFICATE_DAYS_LEAST ? FINDING_WARNING : FINDING_OK, TLS_ENDS,
             fix_certificate(seen, true), days);
    return true;
}

/* -- Does it answer ---------------------------------------------------------------------------- */

/* Best as root, who sees most of the machine. */
static const char *fix_by_doctor(struct examination *seen)
{
    return print(seen, "qsosync-admin %sdoctor", examination_option(seen));
}

/* From elsewhere nothing can be started. */
static void report_no_answer(struct examination *seen, const struct client_response *response)
{
    if (response->failure == CLIENT_CERTIFICATE)
        report_certificate(seen, response);
    else if (response->failure == CLIENT_NO_TLS)
        found_with(seen, TLS_FAILS, probe_fix_for_site(seen), seen->base, response->reason);
    else if (response->failure == CLIENT_NO_NAME)
        found(seen, SERVICE_UNNAMED, seen->base, response->reason);
    else if (response->failure == CLIENT_NO_CONNECTION)
        found(seen, SERVICE_DOWN, seen->base, response->reason);
    else
        found_with(seen, SERVICE_SILENT, fix_by_doctor(seen), seen->base,
                   response->failure == CLIENT_TIMEOUT ? "no answer in time"
                                                       : "no valid HTTP answer",
                   response->reason);
}

/* An answer that is not the description of the API. Web servers may answer with 500 where they
 * reach no worker, but give no id to the request. */
static void report_stranger(struct examination *seen, const struct client_response *response)
{
    const long status = response->status;
    const char *location = client_find_header(response, "Location");
    const char *site = probe_fix_for_site(seen), *base = seen->base;
    if (status == 429 && probe_has_failed(seen, "address", status))
        return;
    if (status / 100 == 3 && location && strncasecmp(location, "http", 4) == 0) {
        const char *api = strstr(location, API);
        size_t length = api ? (size_t)(api - location) + strlen(API) : strlen(location);
        const char *there = arena_copy(seen->arena, location, length);
        found_with(seen, SERVICE_MOVED, probe_fix_by_asking(seen, there), base, location, status);
    } else if (status >= 500 && client_find_header(response, "X-Request-Id"))
        found_with(seen, SERVICE_FAILS, workers_command(seen, "doctor"), base, status);
    else if (status >= 500)
        found_with(seen, SERVICE_WITHOUT_WORKER,
                   workers_are_reached(seen) ? site : fix_by_doctor(seen), base, status);
    else if (status == 403)
        found_with(seen, SERVICE_FORBIDDEN, site, base, status);
    else if (status == 401)
        found_with(seen, SERVICE_BEHIND_LOGIN, site, base, status);
    else if (strncmp(response->body, "\177ELF", 4) == 0)
        found_with(seen, SERVICE_HANDED_OUT, site, base, status);
    else
        found_with(seen, SERVICE_STRANGE, site, base, status);
}

/* The headers show which web server answers. Without them and behind a proxy, the servers that run
 * here count. */
static bool check_address(struct examination *seen, const struct client_response *response)
{
    const char *server = client_find_header(response, "Server");
    const char *certificate;
    bool is_right = response->failure == CLIENT_ANSWERED && response->status == 200 &&
                    strstr(response->body, "\"openapi\"");
    bool is_nginx = server && strncasecmp(server, "nginx", 5) == 0;
    seen->is_apache = (server && strncasecmp(server, "apache", 6) == 0) ||
                      (!is_nginx && access("/run/apache2/apache2.pid", F_OK) == 0);
    if (response->failure == CLIENT_NO_CLIENT)
        return found_with(seen, CURL_MISSING, FIX_FOR_CURL, response->reason);
    if (!is_right && fronts_have_site(seen, &certificate) && !fronts_check(seen))
        return false;
    if (response->failure != CLIENT_ANSWERED && response->failure != CLIENT_TOO_LARGE)
        report_no_answer(seen, response);
    else if (!is_right)
        report_stranger(seen, response);
    else
        found(seen, SERVICE_ANSWERS, seen->base);
    return is_right;
}

/* -- What the web server lets through ---------------------------------------------------------- */

static bool allows(const struct client_response *preflight, const char *what, const char *word)
{
    const char *value =
        client_find_header(preflight, print(preflight, "Access-Control-Allow-%s", what));
    return value && strcasestr(value, word);
}

static void check_cors(struct examination *seen, const struct client_response *plain)
{
    const char *fix = probe_fix_for_site(seen);
    const char *origin = client_find_header(plain, "Access-Control-Allow-Origin");
    const struct client_response preflight =
        probe_ask(seen, .method = "OPTIONS", .url = API "/logs/batch",
                  .headers = {"Origin: " ORIGIN, "Access-Control-Request-Method: POST",
                              "Access-Control-Request-Headers: authorization, content-type"});
    if (probe_has_failed(seen, "cors", preflight.status))
        return;
    if (!origin || strcmp(origin, "*") != 0)
        found_with(seen, CORS_ORIGIN_WRONG, fix,
                   origin && strchr(origin, ',') ? "have Access-Control-Allow-Origin twice"
                                                 : "lack Access-Control-Allow-Origin: *");
    else if (preflight.status / 100 != 2 || !allows(&preflight, "Origin", "*") ||
             !allows(&preflight, "Methods", "POST") ||
             !allows(&preflight, "Headers", "authorization") ||
             !allows(&preflight, "Headers", "content-type"))
        found_with(seen, CORS_PREFLIGHT_FAILS, fix, preflight.status);
    else
        found(seen, CORS_RIGHT);
}

static void check_clock(struct examination *seen, int64_t sent_ms,
                        const struct client_response *response)
{
    struct tm time = {0};
    const char *date = client_find_header(response, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return;
    int64_t server_ms = (int64_t)timegm(&time) * 1000, now_ms = clock_wall_ms();
    /* The header has whole seconds. */
    int64_t apart_ms = server_ms > now_ms ? server_ms - now_ms : sent_ms - server_ms - 1000;
    if (apart_ms <= CLOCK_WARNING_MS)
        found(seen, CLOCK_RIGHT);
    else
        found_at(seen, apart_ms > CLOCK_PROBLEM_MS ? FINDING_PROBLEM : FINDING_WARNING, CLOCK_APART,
                 CLOCK_APART_FIX, (long long)(apart_ms / 1000));
}

/* -- Proxy and request limit ------------------------------------------------------------------- */

/* A text of the object that the service makes; NULL: it is not there. */
static const char *find_text(const struct client_response *response, const char *name)
{
    const char *mark = print(response, "\"%s\":\"", name);
    const char *found = strstr(response->body, mark);
    return found ? print(response, "%.*s", (int)strcspn(found + strlen(mark), "\"\\"),
                         found + strlen(mark))
                 : NULL;
}

/* Two addresses share one limit if the service mistakes the proxy's address for the client's. The
 * addresses are two of this machine if the service is on it, otherwise those of IPv4 and IPv6. */
static void check_clients(struct examination *seen)
{
    struct client_response one = probe_ask(seen, .url = WAY, .source = "127.0.0.1");
    struct client_response other = probe_ask(seen, .url = WAY, .source = "127.0.0.2");
    if (one.failure != CLIENT_ANSWERED) {
        one = probe_ask(seen, .url = WAY, .family = CLIENT_IPV4);
        other = probe_ask(seen, .url = WAY, .family = CLIENT_IPV6);
    }
    const char *client = find_text(&one, "client"), *second = find_text(&other, "client");
    const char *fix = NULL;
    if (!client || !second)
        return;
    if (strcmp(client, second) != 0) {
        found(seen, CLIENTS_APART);
        return;
    }
    if (strstr(one.body, "\"X-Forwarded-For\"") && !client[strspn(client, ADDRESS_LETTERS)])
        fix = probe_fix_by_putting(seen, "", print(seen, " --also-proxy %s", client));
    found_with(seen, CLIENTS_SHARE, fix ? fix : CLIENTS_SHARE_FIX, client);
}

/* The limit is src/worker/rate_limit.c. */
static void check_limit(struct examination *seen, const struct client_response *response)
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

/* -- All of it --------------------------------------------------------------------------------- */

static void examine(struct examination *seen, struct text key)
{
    int64_t sent_ms = clock_wall_ms();
    const struct client_response response =
        probe_ask(seen, .url = API "/openapi.json", .headers = {"Origin: " ORIGIN});
    if (!check_address(seen, &response))
        return;
    bool safe = check_tls(seen, &response);
    const struct client_response health = probe_ask(seen, .url = WAY);
    const char *protocol = find_text(&health, "protocol");
    seen->said_address = find_text(&health, "address");
    seen->is_proxied = strstr(health.body, "\"X-Forwarded-") || strstr(health.body, "\"Via\"") ||
                       (protocol && strcmp(protocol, "HTTP/1.0") == 0);
    check_cors(seen, &response);
    check_clock(seen, sent_ms, &response);
    if (safe && !seen->failed)
        key_check(seen, key);
    if (safe && !seen->failed)
        sign_in_check(seen, &health);
    if (!seen->failed)
        check_limit(seen, &response);
}

/* Answers of others are read as the logbook's owner, unless only root can read the certificate of
 * the authority. */
static struct folder_ids give_up_rights(struct examination *seen)
{
    const char *authority = getenv("CURL_CA_BUNDLE");
    const struct folder_ids before = {geteuid(), getegid()};
    folder_act_as_owner(seen->path, NULL);
    if (authority && eaccess(authority, R_OK) != 0)
        folder_act_as(before);
    return before;
}

void doctor_examine_service(struct doctor *doctor, const char *url, struct text key)
{
    struct examination seen;
    struct text site = text_of(url);
    examination_begin(&seen, doctor);
    const struct folder_ids before = give_up_rights(&seen);
    club_judge(CLUB_ADDRESS, &site); /* takes off its end */
    seen.site = print(&seen, "%.*s", (int)site.length, site.bytes);
    seen.base = print(&seen, "%s" API, seen.site);
    seen.is_encrypted = strncasecmp(url, "https:", 6) == 0;
    const char *host = strstr(seen.base, "://") + 3;
    size_t end = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    seen.host = print(&seen, "%.*s", (int)end, host);
    examine(&seen, key);
    folder_act_as(before);
    log_keep_first(NULL);
}
