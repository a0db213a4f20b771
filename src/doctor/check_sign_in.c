/* Checks that members can sign in. The front server must let through a form, cookies in both
 * directions, and answers that are not cached. The checks save nothing, and sign nobody in. A
 * cookie without a session tests both directions at once, because the service's answer clears the
 * cookie. */
#include <string.h>
#include <strings.h>

#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"
#include "doctor/workers.h"

#define NOBODY "doctor-doctor-doctor-doctor-doctor-doctor-"
/* the cookie's names without TLS and with TLS */
#define COOKIES "Cookie: qsosync=" NOBODY "; __Host-qsosync=" NOBODY

/* Adds the finding with which this check ends, and returns false. */
#define report(seen, name, fix, status)                                                            \
    ((status) == 429 ? !probe_has_failed(seen, "sign-in", status)                                  \
                     : found_with(seen, name, fix, status))

/* Returns whether the pages are served at this address, and work. If only the API is served, adds a
 * finding that is ok. */
static bool has_pages(struct examination *seen, const struct client_response *health)
{
    long status = health->failure == CLIENT_ANSWERED ? health->status : 500;
    bool is_ours = strstr(health->body, "\"status\"") != NULL;
    if (is_ours && status == 503)
        return found_with(seen, PAGES_BLIND, workers_command(seen, "doctor"), status);
    if (status >= 500 || status == 429)
        return report(seen, PAGES_SILENT, PAGES_SILENT_FIX, status);
    if (!is_ours)
        found(seen, SIGN_IN_ABSENT);
    return is_ours;
}

static bool profile_redirects(struct examination *seen)
{
    const struct client_response response = probe_ask(seen, .url = "/profile/");
    const char *location = client_find_header(&response, "Location"), *fix = fixes_put_site(seen);
    const char *rule = client_find_header(&response, "Cache-Control");
    if (response.status == 401)
        return found_with(seen, SIGN_IN_BEHIND_LOGIN, fix, response.status);
    if (response.status != 303 || !location || !strstr(location, "sign-in"))
        return report(seen, SIGN_IN_NOT_LED_TO, fix, response.status);
    return (rule && strcasestr(rule, "no-store")) ||
           found_with(seen, SIGN_IN_STORED, fix, response.status);
}

/* Sends a form without a callsign and a password, so that the service rejects the form. If the
 * service is on this machine, Sec-Fetch-Site replaces Origin, because the service's own address can
 * differ from the examined address. */
static bool form_arrives(struct examination *seen)
{
    size_t scheme = strcspn(seen->site, ":") + 3;
    size_t origin = scheme + strcspn(seen->site + scheme, "/");
    const char *own = probe_asks_this_machine(seen)
                          ? "Sec-Fetch-Site: same-origin"
                          : print(seen, "Origin: %.*s", (int)origin, seen->site);
    const char *type = "Content-Type: application/x-www-form-urlencoded";
    const char *fix = fixes_put_site(seen);
    const long status =
        probe_ask(seen, .url = "/sign-in", .body = text_of("next="), .headers = {type, own}).status;
    if (status == 403 || status == 303)
        return found_with(seen, SIGN_IN_FORM_REFUSED, fix, status);
    return status == 400 || status == 401 || report(seen, SIGN_IN_FORM_LOST, fix, status);
}

static bool cookie_passes(struct examination *seen)
{
    const struct client_response response =
        probe_ask(seen, .url = "/profile/data/me", .headers = {COOKIES});
    const char *fix = fixes_put_site(seen);
    if (response.status != 401)
        return report(seen, SIGN_IN_COOKIE_TAKEN, fix, response.status);
    return client_find_header(&response, "Set-Cookie") ||
           found_with(seen, SIGN_IN_COOKIE_LOST, fix, response.status);
}

void sign_in_check(struct examination *seen, const struct client_response *health)
{
    if (has_pages(seen, health) && address_check(seen) && profile_redirects(seen) &&
        form_arrives(seen) && cookie_passes(seen))
        found(seen, SIGN_IN_WORKS);
}
