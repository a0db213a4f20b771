/* Checks of the way on which members sign in: what the front server has to let through for that is
 * a form, a cookie in both directions, and answers that nobody keeps. Nobody signs in for it. A
 * cookie of nobody shows both directions at once: the program answers it by ending it, so that the
 * answer tells what arrived. Before it, the service's own address is looked at. */
#include <string.h>
#include <strings.h>

#include "doctor/probe.h"

#define RESTART_PAGES "systemctl restart qsosync-site.socket qsosync-site.service"
#define COOKIE "qsosync"
#define COOKIE_WITH_TLS "__Host-" COOKIE
#define COOKIE_OF_NOBODY "=doctor-doctor-doctor-doctor-doctor-doctor-"

/* Adds the only finding of the check that is not ok. Always false. */
static bool report(struct probe *probe, const char *fix, const char *what, long status)
{
    if (status == 429) {
        fix = probe_fix_by_waiting(probe);
        what = "this address has made too many requests";
    }
    return findings_trouble(probe->doctor, "sign-in", fix, "%s (status %ld)", what, status);
}

/* -- The pages --------------------------------------------------------------------------------- */

/* Whether the pages' program is behind the address: without it there is the API alone. */
static bool has_pages(struct probe *probe)
{
    const struct http_response response = probe_request_site(probe, "GET", "/healthz", NULL);
    long status = response.failure == HTTP_ANSWERED ? response.status : 500;
    bool is_ours = probe_contains(&response, "\"status\"");
    if (is_ours && status == 503)
        return report(probe, workers_fix_for_logbook(probe->doctor),
                      "the pages cannot read the logbook", status);
    if (status >= 500 || status == 429)
        return report(probe, RESTART_PAGES, "no worker of the pages answers", status);
    if (!is_ours)
        findings_fine(probe->doctor, "sign-in", "the address has the API alone, and no pages");
    return is_ours;
}

/* Two requests get two ids, unless somebody answers the second one from what the first one got. */
static bool is_from_cache(struct probe *probe, const struct http_response *first)
{
    const struct http_response second = probe_request_site(probe, "GET", "/profile/", NULL);
    const char *id = probe_header(probe, first, "X-Request-Id");
    const char *other = probe_header(probe, &second, "X-Request-Id");
    return (id && other && strcmp(id, other) == 0) || probe_number(probe, &second, "Age", 0) > 0;
}

static bool judge_profile(struct probe *probe, const struct http_response *response)
{
    const char *location = probe_header(probe, response, "Location");
    const char *rule = probe_header(probe, response, "Cache-Control");
    const char *fix = probe_fix_for_site(probe);
    if (response->status == 401 && probe_header(probe, response, "WWW-Authenticate"))
        return report(probe, fix,
                      "the site asks for a login before the pages do, as it had to for former "
                      "versions, so that nobody can sign in",
                      response->status);
    if (response->status != 303 || !location || !strstr(location, "sign-in"))
        return report(probe, fix, "the profile does not lead to the page for signing in",
                      response->status);
    if (!rule || !strcasestr(rule, "no-store"))
        return report(probe, fix,
                      "what depends on who is signed in may be stored: the answer lacks "
                      "Cache-Control: no-store",
                      response->status);
    return !is_from_cache(probe, response) ||
           report(probe,
                  arena_print(probe->arena,
                              "let no cache in front of %s keep answers that say Cache-Control: "
                              "no-store",
                              shell_quote(probe->arena, probe->site)),
                  "two requests got one answer: a cache keeps what depends on who is signed in",
                  response->status);
}

static bool profile_leads_to_sign_in(struct probe *probe)
{
    const struct http_response response = probe_request_site(probe, "GET", "/profile/", NULL);
    return judge_profile(probe, &response);
}

static bool page_is_there(struct probe *probe)
{
    const struct http_response response = probe_request_site(probe, "GET", "/sign-in", NULL);
    return (response.status == 200 && probe_contains(&response, "name=\"password\"")) ||
           report(probe, probe_fix_for_site(probe), "the page for signing in is not there",
                  response.status);
}

/* -- The form ---------------------------------------------------------------------------------- */

/* An empty one. `origin` may be NULL; *cookie: whether a cookie came back. */
static long post(struct probe *probe, const char *path, const char *origin, bool *cookie)
{
    struct http_request request = {
        .method = "POST",
        .url = arena_print(probe->arena, "%s%s", probe->site, path),
        .headers = {"Content-Type: application/x-www-form-urlencoded", origin},
        .body = "next=",
        .body_length = strlen("next=")};
    const struct http_response response = http_client_send(&request, probe->arena);
    *cookie = probe_header(probe, &response, "Set-Cookie") != NULL;
    return response.status;
}

/* The header that a page of the address sends with a form. Who asks on the machine itself may do so
 * by another address than the service knows. */
static const char *own_origin(struct probe *probe)
{
    size_t scheme = strcspn(probe->site, ":") + 3;
    size_t origin = scheme + strcspn(probe->site + scheme, "/");
    return probe_asks_this_machine(probe)
               ? "Sec-Fetch-Site: same-origin"
               : arena_print(probe->arena, "Origin: %.*s", (int)origin, probe->site);
}

/* A form without the origin that browsers add is refused, and an empty one of the service's own
 * pages is refused for what it lacks. */
static bool form_arrives(struct probe *probe)
{
    bool cookie;
    const char *fix = probe_fix_for_site(probe);
    long stranger = post(probe, "/sign-in", NULL, &cookie);
    if (stranger == 400 || stranger == 401)
        return report(probe, fix,
                      "a form of no page of the service is not refused: something in front of it "
                      "adds Origin or Sec-Fetch-Site",
                      stranger);
    long own = post(probe, "/sign-in", own_origin(probe), &cookie);
    if (stranger == 403 && (own == 403 || own == 303))
        return report(probe, fix,
                      "the service takes its own form for that of another site: the web server "
                      "changes the header Host, Origin or Sec-Fetch-Site",
                      own);
    return (stranger == 403 && (own == 400 || own == 401)) ||
           report(probe, fix, "the form for signing in does not arrive",
                  stranger == 403 ? own : stranger);
}

/* -- The cookie -------------------------------------------------------------------------------- */

/* No cookie was ended: what is lost is told by signing out, which ends one in any case. */
static bool report_no_cookie(struct probe *probe, long status)
{
    bool leaves;
    post(probe, "/sign-out", own_origin(probe), &leaves);
    return report(probe, probe_fix_for_site(probe),
                  leaves
                      ? "the web server removes the header Cookie, so that nobody stays signed in"
                      : "the web server removes the header Set-Cookie, so that nobody can sign in",
                  status);
}

static bool is_unchanged(const char *cookie, bool is_encrypted)
{
    const char *name = is_encrypted ? COOKIE_WITH_TLS "=" : COOKIE "=";
    return strncmp(cookie, name, strlen(name)) == 0 && strcasestr(cookie, "HttpOnly") &&
           strcasestr(cookie, "SameSite=Strict") && strcasestr(cookie, "Path=/") &&
           (!is_encrypted || strcasestr(cookie, "Secure")) && !strcasestr(cookie, "Domain=");
}

static bool cookie_passes(struct probe *probe)
{
    /* The other name is for a service that does not know of its TLS. */
    const struct http_response response = probe_request_site(probe, "GET", "/profile/data/me",
                                                             "Cookie: " COOKIE COOKIE_OF_NOBODY
                                                             "; " COOKIE_WITH_TLS COOKIE_OF_NOBODY);
    const char *set = probe_header(probe, &response, "Set-Cookie");
    long status = response.status;
    if (status == 401 && !set)
        return report_no_cookie(probe, status);
    if (status != 401)
        return report(probe, probe_fix_for_site(probe), "an unknown cookie is not refused", status);
    return is_unchanged(set, strncasecmp(probe->site, "https:", 6) == 0) ||
           report(probe, probe_fix_for_site(probe),
                  arena_print(probe->arena,
                              "the web server changes the cookie, and browsers do not keep it: %s",
                              set),
                  status);
}

/* -- The service's own address ----------------------------------------------------------------- */

static const char *fix_address(struct probe *probe)
{
    return arena_print(probe->arena, "qsosync-admin %sclub set --address %s",
                       shell_database(probe->doctor), shell_quote(probe->arena, probe->site));
}

/* Whether the service answers at its own address, too: then the pages of this one lead there. */
static bool is_there(struct probe *probe, const char *address)
{
    struct http_request request = {.method = "GET",
                                   .url = arena_print(probe->arena, "%s/healthz?request", address)};
    const struct http_response response = http_client_send(&request, probe->arena);
    return response.failure == HTTP_ANSWERED && response.status == 200 &&
           probe_contains(&response, arena_print(probe->arena, "\"address\":\"%s\"", address));
}

/* False where signing in cannot work for what is wrong with it. An address that was set is not
 * changed to another one, by which the service may only be known, too. */
static bool check_own_address(struct probe *probe, bool *is_unset)
{
    struct text own = {0};
    const char *site = strstr(probe->site, "://"), *said = probe->way.address;
    bool is_read = own_address_read(probe->doctor, &own);
    const char *address =
        own.length > 0 ? arena_print(probe->arena, "%.*s", (int)own.length, own.bytes) : said;
    *is_unset = is_read && own.length == 0;
    if (!address || !strstr(address, "://"))
        return true;
    bool is_same = strcasecmp(strstr(address, "://"), site) == 0;
    if (said && strncasecmp(said, "http:", 5) == 0 && strncasecmp(probe->site, "https:", 6) == 0 &&
        (is_same || *is_unset))
        return findings_trouble(probe->doctor, "own address", fix_address(probe),
                                "the service takes itself for %s: by its links and QR codes a "
                                "phone would send its key in the clear",
                                said);
    if (is_same || *is_unset || probe_asks_this_machine(probe))
        return true;
    if (is_there(probe, address)) {
        findings_fine(probe->doctor, "own address",
                      "the service's own address is %s; the pages of this one lead there", address);
        return false;
    }
    return findings_warn(probe->doctor, "own address", probe_fix_by_asking(probe, address),
                         "the service knows itself as %s, and links, QR codes and signing in lead "
                         "there",
                         address);
}

void sign_in_check(struct probe *probe)
{
    bool is_unset;
    if (!has_pages(probe) || !check_own_address(probe, &is_unset) ||
        !profile_leads_to_sign_in(probe) || !page_is_there(probe) || !form_arrives(probe) ||
        !cookie_passes(probe))
        return;
    findings_fine(probe->doctor, "sign-in",
                  "form and cookie arrive, and nobody keeps what is private");
    if (probe_asks_this_machine(probe))
        return;
    if (is_unset)
        findings_warn(probe->doctor, "own address", fix_address(probe),
                      "the service does not know its own address, which links and QR codes need");
    else
        findings_fine(probe->doctor, "own address", "%s", probe->site);
}
