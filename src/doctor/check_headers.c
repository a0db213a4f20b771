/* Checks the headers in answers: the headers that browsers need, and the time. */
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"

#define CLOCK_WARNING_MS 5000
#define CLOCK_PROBLEM_MS 60000

static bool allows(const struct client_response *preflight, const char *what, const char *word)
{
    const char *value =
        client_find_header(preflight, print(preflight, "Access-Control-Allow-%s", what));
    return value && strcasestr(value, word);
}

void headers_check_cors(struct examination *seen, const struct client_response *plain)
{
    const char *fix = fixes_put_site(seen);
    const char *origin = client_find_header(plain, "Access-Control-Allow-Origin");
    const struct client_response preflight =
        probe_ask(seen, .method = "OPTIONS", .url = API "/logs/batch",
                  .headers = {"Origin: " PROBE_ORIGIN, "Access-Control-Request-Method: POST",
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

void headers_check_clock(struct examination *seen, int64_t sent_ms,
                         const struct client_response *response)
{
    struct tm time = {0};
    const char *date = client_find_header(response, "Date");
    if (!date || !strptime(date, "%a, %d %b %Y %H:%M:%S", &time))
        return;
    int64_t server_ms = (int64_t)timegm(&time) * 1000, now_ms = clock_wall_ms();
    /* The header contains only whole seconds. */
    int64_t apart_ms = server_ms > now_ms ? server_ms - now_ms : sent_ms - server_ms - 1000;
    if (apart_ms <= CLOCK_WARNING_MS)
        found(seen, CLOCK_RIGHT);
    else
        found_at(seen, apart_ms > CLOCK_PROBLEM_MS ? FINDING_PROBLEM : FINDING_WARNING, CLOCK_APART,
                 CLOCK_APART_FIX, (long long)(apart_ms / 1000));
}
