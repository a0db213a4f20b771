/* Checks that the service answers at its address. If the service does not answer, the finding names
 * the likeliest cause. If the service is on this machine, the web server is also checked. */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"
#include "doctor/sites.h"
#include "doctor/workers.h"

#ifdef QSOSYNC_PORTABLE
#define FIX_FOR_CURL NULL
#else
#define FIX_FOR_CURL "apt-get install libcurl4"
#endif

/* Returns the command that examines the logbook on this machine. */
static const char *fix_by_doctor(struct examination *seen)
{
    return print(seen, "qsosync-admin %sdoctor", examination_option(seen));
}

/* Reports that the service did not answer. Most causes must be fixed on the server. */
static void report_no_answer(struct examination *seen, const struct client_response *response)
{
    if (response->failure == CLIENT_CERTIFICATE)
        certificate_report(seen, response);
    else if (response->failure == CLIENT_NO_TLS)
        found_with(seen, TLS_FAILS, fixes_put_site(seen), seen->base, response->reason);
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

/* Reports an answer other than the description of the API. A web server that does not reach a
 * worker can answer with status 500, but without the request's id. */
static void report_stranger(struct examination *seen, const struct client_response *response)
{
    const long status = response->status;
    const char *location = client_find_header(response, "Location");
    const char *site = fixes_put_site(seen), *base = seen->base;
    if (status == 429 && probe_has_failed(seen, "address", status))
        return;
    if (status / 100 == 3 && location && strncasecmp(location, "http", 4) == 0) {
        const char *api = strstr(location, API);
        size_t length = api ? (size_t)(api - location) + strlen(API) : strlen(location);
        const char *there = arena_copy(seen->arena, location, length);
        found_with(seen, SERVICE_MOVED, fixes_examine(seen, there), base, location, status);
    } else if (status >= 500 && client_find_header(response, "X-Request-Id"))
        found_with(seen, SERVICE_FAILS, workers_command(seen, "doctor"), base, status);
    else if (status >= 500)
        found_with(seen, SERVICE_WITHOUT_WORKER,
                   sockets_are_reached(seen) ? site : fix_by_doctor(seen), base, status);
    else if (status == 403)
        found_with(seen, SERVICE_FORBIDDEN, site, base, status);
    else if (status == 401)
        found_with(seen, SERVICE_BEHIND_LOGIN, site, base, status);
    else if (strncmp(response->body, "\177ELF", 4) == 0)
        found_with(seen, SERVICE_HANDED_OUT, site, base, status);
    else
        found_with(seen, SERVICE_STRANGE, site, base, status);
}

/* Checks the answer. Its headers show which web server has answered. Without such headers, or
 * behind a proxy, the fixes are for the web server that runs on this machine. */
bool answer_check(struct examination *seen, const struct client_response *response)
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
    if (!is_right && sites_have_name(seen, &certificate) && !fronts_check(seen))
        return false;
    if (response->failure != CLIENT_ANSWERED && response->failure != CLIENT_TOO_LARGE)
        report_no_answer(seen, response);
    else if (!is_right)
        report_stranger(seen, response);
    else
        found(seen, SERVICE_ANSWERS, seen->base);
    return is_right;
}
