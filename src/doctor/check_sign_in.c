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
    bool is_busy = status == 429;
    return findings_trouble(probe->doctor, "sign-in", is_busy ? probe_fix_by_waiting(probe) : fix,
                            "%s (status %ld)",
                            is_busy ? "this address has made too many requests" : what, status);
}

/* Whether the pages' program is behind the address: without it there is the API alone. */
static bool has_pages(struct probe *probe)
{
    const struct http_response response = probe_ask(probe, "GET", "/healthz", NULL);
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
    const struct http_response second = probe_ask(probe, "GET", "/profile/", NULL);
    const char *id = probe_header(probe, first, "X-Request-Id");
    const char *other = probe_header(probe, &second, "X-Request-Id");
    return (id && other && strcmp(id, other) == 0) || probe_number(probe, &second, "Age", 0) > 0;
}

static bool profile_leads_to_sign_in(struct probe *probe)
{
    const struct http_response response = probe_ask(probe, "GET", "/profile/", NULL);
    const char *location = probe_header(probe, &response, "Location");
    const char *rule = probe_header(probe, &response, "Cache-Control");
    const char *fix = probe_fix_for_site(probe);
    if (response.status == 401)
        return report(probe, fix,
                      "the site asks for a login before the pages do, as it had to for former "
                      "versions, so that nobody can sign in",
                      response.status);
    if (response.status != 303 || !location || !strstr(location, "sign-in"))
        return report(probe, fix, "the profile does not lead to the page for signing in",
                      response.status);
    if (!rule || !strcasestr(rule, "no-store"))
        return report(probe, fix,
                      "what depends on who is signed in may be stored: the answer lacks "
                      "Cache-Control: no-store",
                      response.status);
    return !is_from_cache(probe, &response) ||
           report(probe,
                  arena_print(probe->arena,
                              "let no cache in front of %s keep answers that say Cache-Control: "
                              "no-store",
                              shell_quote(probe->arena, probe->site)),
                  "two requests got one answer: a cache keeps what depends on who is signed in",
                  response.status);
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

/* An empty form of the service's own pages is refused for what it lacks. */
static bool form_arrives(struct probe *probe)
{
    struct http_request request = {
        .method = "POST",
        .url = arena_print(probe->arena, "%s/sign-in", probe->site),
        .headers = {"Content-Type: application/x-www-form-urlencoded", own_origin(probe)},
        .body = "next=",
        .body_length = strlen("next=")};
    const long status = http_client_send(&request, probe->arena).status;
    return status == 400 || status == 401 ||
           report(probe, probe_fix_for_site(probe),
                  status == 403 || status == 303
                      ? "the service takes its own form for that of another site: the web server "
                        "changes the header Host, Origin or Sec-Fetch-Site"
                      : "the form for signing in does not arrive",
                  status);
}

static bool is_unchanged(const char *cookie, bool is_encrypted)
{
    const char *name = is_encrypted ? COOKIE_WITH_TLS "=" : COOKIE "=";
    return strncmp(cookie, name, strlen(name)) == 0 && strcasestr(cookie, "HttpOnly") &&
           strcasestr(cookie, "SameSite=Strict") && strcasestr(cookie, "Path=/") &&
           (!is_encrypted || strcasestr(cookie, "Secure")) && !strcasestr(cookie, "Domain=");
}

/* The other name is for a service that does not know of its TLS. */
static bool cookie_passes(struct probe *probe)
{
    const struct http_response response =
        probe_ask(probe, "GET", "/profile/data/me",
                  "Cookie: " COOKIE COOKIE_OF_NOBODY "; " COOKIE_WITH_TLS COOKIE_OF_NOBODY, NULL);
    const char *set = probe_header(probe, &response, "Set-Cookie");
    const char *fix = probe_fix_for_site(probe);
    if (response.status != 401)
        return report(probe, fix, "an unknown cookie is not refused", response.status);
    if (!set)
        return report(probe, fix,
                      "the web server removes the header Cookie or Set-Cookie, so that nobody "
                      "stays signed in",
                      response.status);
    return is_unchanged(set, strncasecmp(probe->site, "https:", 6) == 0) ||
           report(probe, fix,
                  arena_print(probe->arena,
                              "the web server changes the cookie, and browsers do not keep it: %s",
                              set),
                  response.status);
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
static bool check_own_address(struct probe *probe, bool is_unset, const struct text *own)
{
    const char *said = probe->way.address;
    const char *address =
        own->length > 0 ? arena_copy(probe->arena, own->bytes, own->length) : said;
    const char *rest = address ? strstr(address, "://") : NULL;
    bool is_same = is_unset || (rest && strcasecmp(rest, strstr(probe->site, "://")) == 0);
    if (!rest)
        return true;
    if (is_same && said && strncasecmp(said, "http:", 5) == 0 &&
        strncasecmp(probe->site, "https:", 6) == 0)
        return findings_trouble(probe->doctor, "own address", fix_address(probe),
                                "the service takes itself for %s: by its links and QR codes a "
                                "phone would send its key in the clear",
                                said);
    if (is_same || probe_asks_this_machine(probe))
        return true;
    if (!is_there(probe, address))
        return findings_warn(probe->doctor, "own address", probe_fix_by_asking(probe, address),
                             "the service knows itself as %s, and links, QR codes and signing in "
                             "lead there",
                             address);
    findings_fine(probe->doctor, "own address",
                  "the service's own address is %s; the pages of this one lead there", address);
    return false;
}

void sign_in_check(struct probe *probe)
{
    struct text own = {0};
    bool is_unset = own_address_read(probe->doctor, &own) && own.length == 0;
    if (!has_pages(probe) || !check_own_address(probe, is_unset, &own) ||
        !profile_leads_to_sign_in(probe) || !form_arrives(probe) || !cookie_passes(probe))
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
