/* Checks of the way on which members sign in: what the front server has to let through for that is
 * a form, a cookie in both directions, and answers that nobody keeps. Nobody signs in for it. A
 * cookie of nobody shows both directions at once: the program answers it by ending it, so that the
 * answer tells what arrived. */
#include <string.h>
#include <strings.h>

#include "doctor/machine.h"
#include "doctor/probe.h"

#define RESTART_PAGES "systemctl restart qsosync-site.socket qsosync-site.service"
#define COOKIE "qsosync"
#define COOKIE_WITH_TLS "__Host-" COOKIE
#define COOKIE_OF_NOBODY "=doctor-doctor-doctor-doctor-doctor-doctor-"

/* What all requests of this check share. */
struct sign_in {
    struct probe *probe;
    const char *site;   /* the service's address: https://log.example.org */
    const char *origin; /* the header that a page of that address sends with a form */
    const char *cookie; /* the header with cookies of nobody */
    bool is_encrypted;
};

/* The address before the API's path, which probe->base ends in. */
static const char *site_of(const struct probe *probe)
{
    size_t length = strlen(probe->base) - strlen("/api/v1");
    return arena_print(probe->arena, "%.*s", (int)length, probe->base);
}

static struct sign_in prepare(struct probe *probe)
{
    struct sign_in asked = {.probe = probe, .site = site_of(probe)};
    size_t scheme = strcspn(asked.site, ":") + 3;
    size_t origin = scheme + strcspn(asked.site + scheme, "/");
    asked.is_encrypted = strncasecmp(asked.site, "https:", 6) == 0;
    /* Who asks on the machine itself may do so by another address than the service knows. */
    asked.origin = probe_asks_this_machine(probe)
                       ? "Sec-Fetch-Site: same-origin"
                       : arena_print(probe->arena, "Origin: %.*s", (int)origin, asked.site);
    /* The other one is for a service that does not know of its TLS. */
    asked.cookie = "Cookie: " COOKIE COOKIE_OF_NOBODY "; " COOKIE_WITH_TLS COOKIE_OF_NOBODY;
    return asked;
}

/* `header` may be NULL. A POST sends an empty form. */
static void ask(const struct sign_in *asked, const char *method, const char *path,
                const char *header, struct http_response *response)
{
    struct http_request request = {
        .method = method, .url = arena_print(asked->probe->arena, "%s%s", asked->site, path)};
    int count = 0;
    if (header)
        request.headers[count++] = header;
    if (strcmp(method, "POST") == 0) {
        request.headers[count] = "Content-Type: application/x-www-form-urlencoded";
        request.body = "next=";
        request.body_length = strlen(request.body);
    }
    http_client_send(&request, asked->probe->arena, response);
}

/* Adds the only finding of the check that is not ok. Always false. */
static bool report(const struct sign_in *asked, const char *fix, const char *what, long status)
{
    if (status == 429) {
        fix = probe_fix_by_waiting(asked->probe);
        what = "this address has made too many requests";
    }
    findings_add(asked->probe->findings, FINDING_PROBLEM, "sign-in", fix, "%s (status %ld)", what,
                 status);
    return false;
}

/* -- The pages --------------------------------------------------------------------------------- */

/* Whether the pages' program is behind the address: without it there is the API alone. */
static bool has_pages(const struct sign_in *asked)
{
    struct http_response response;
    ask(asked, "GET", "/healthz", NULL, &response);
    long status = response.failure == HTTP_ANSWERED ? response.status : 500;
    bool is_ours = probe_contains(&response, "\"status\"");
    http_client_free(&response);
    if (is_ours && status == 503)
        return report(asked, check_workers_fix_for_logbook(asked->probe->doctor),
                      "the pages cannot read the logbook", status);
    if (status >= 500 || status == 429)
        return report(asked, RESTART_PAGES, "no worker of the pages answers", status);
    if (!is_ours)
        findings_add(asked->probe->findings, FINDING_OK, "sign-in", NULL,
                     "the address has the API alone, and no pages");
    return is_ours;
}

static bool is_kept(struct probe *probe, const struct http_response *response)
{
    const char *rule = probe_header(probe, response, "Cache-Control");
    return !rule || !strcasestr(rule, "no-store");
}

/* Two requests get two ids, unless somebody answers the second one from what the first one got. */
static bool is_from_cache(const struct sign_in *asked, const struct http_response *first,
                          const char *path)
{
    struct http_response second;
    struct probe *probe = asked->probe;
    ask(asked, "GET", path, NULL, &second);
    const char *id = probe_header(probe, first, "X-Request-Id");
    const char *other = probe_header(probe, &second, "X-Request-Id");
    const char *age = probe_header(probe, &second, "Age");
    bool repeated = (id && other && strcmp(id, other) == 0) || probe_number(age, 0) > 0;
    http_client_free(&second);
    return repeated;
}

static bool judge_profile(const struct sign_in *asked, const struct http_response *response)
{
    struct probe *probe = asked->probe;
    const char *location = probe_header(probe, response, "Location");
    if (response->status == 401 && probe_header(probe, response, "WWW-Authenticate"))
        return report(asked, probe_fix_for_pages(probe),
                      "the site asks for a login before the pages do, as it had to for former "
                      "versions, so that nobody can sign in",
                      response->status);
    if (response->status != 303 || !location || !strstr(location, "sign-in"))
        return report(asked, probe_fix_for_pages(probe),
                      "the profile does not lead to the page for signing in", response->status);
    if (is_kept(probe, response))
        return report(asked, probe_fix_for_pages(probe),
                      "what depends on who is signed in may be stored: the answer lacks "
                      "Cache-Control: no-store",
                      response->status);
    if (is_from_cache(asked, response, "/profile/"))
        return report(asked,
                      arena_print(probe->arena,
                                  "let no cache in front of %s keep answers that say "
                                  "Cache-Control: no-store",
                                  shell_quote(probe->arena, asked->site)),
                      "two requests got one answer: a cache keeps what depends on who is signed in",
                      response->status);
    return true;
}

static bool profile_leads_to_sign_in(const struct sign_in *asked)
{
    struct http_response response;
    ask(asked, "GET", "/profile/", NULL, &response);
    bool right = judge_profile(asked, &response);
    http_client_free(&response);
    return right;
}

static bool page_is_there(const struct sign_in *asked)
{
    struct http_response response;
    ask(asked, "GET", "/sign-in", NULL, &response);
    bool right = response.status == 200 && probe_contains(&response, "name=\"password\"");
    if (!right)
        report(asked, probe_fix_for_pages(asked->probe), "the page for signing in is not there",
               response.status);
    http_client_free(&response);
    return right;
}

/* -- The form ---------------------------------------------------------------------------------- */

/* A form without the origin that browsers add is refused, and an empty one of the service's own
 * pages is refused for what it lacks. At another name than its own the service leads both to that.
 */
static bool form_arrives(const struct sign_in *asked)
{
    struct http_response response;
    ask(asked, "POST", "/sign-in", NULL, &response);
    long stranger = response.status;
    http_client_free(&response);
    if (stranger != 403 && stranger != 303)
        return report(asked, probe_fix_for_pages(asked->probe),
                      stranger == 400 || stranger == 401
                          ? "a form of no page of the service is not refused: something in front "
                            "of it adds Origin or Sec-Fetch-Site"
                          : "the form for signing in does not arrive",
                      stranger);
    ask(asked, "POST", "/sign-in", asked->origin, &response);
    long own = response.status;
    http_client_free(&response);
    if (own == 403 || own == 303)
        return report(asked, own_address_fix(asked->probe->doctor, asked->site),
                      "the service takes its own form for that of another site: it knows itself "
                      "by another address, or the web server changes the header Host",
                      own);
    return own == 400 || own == 401 ||
           report(asked, probe_fix_for_pages(asked->probe),
                  "the form for signing in does not arrive", own);
}

/* -- The cookie -------------------------------------------------------------------------------- */

/* No cookie was ended: what is lost is told by signing out, which ends one in any case. */
static bool report_no_cookie(const struct sign_in *asked, long status)
{
    struct http_response response;
    ask(asked, "POST", "/sign-out", asked->origin, &response);
    bool leaves = probe_header(asked->probe, &response, "Set-Cookie") != NULL;
    http_client_free(&response);
    return report(asked, probe_fix_for_pages(asked->probe),
                  leaves
                      ? "the web server removes the header Cookie, so that nobody stays signed in"
                      : "the web server removes the header Set-Cookie, so that nobody can sign "
                        "in",
                  status);
}

static bool judge_cookie(const struct sign_in *asked, const char *set, long status)
{
    static const char *const attributes[] = {"HttpOnly", "SameSite=Strict", "Path=/", "Secure"};
    struct probe *probe = asked->probe;
    size_t count = sizeof attributes / sizeof *attributes - !asked->is_encrypted;
    const char *name = asked->is_encrypted ? COOKIE_WITH_TLS "=" : COOKIE "=";
    if (asked->is_encrypted && strncmp(set, COOKIE "=", strlen(COOKIE "=")) == 0)
        return report(asked, own_address_fix(asked->probe->doctor, asked->site),
                      "the service believes that it is asked without TLS, and its cookie is of no "
                      "use",
                      status);
    if (strncmp(set, name, strlen(name)) != 0)
        return report(asked, probe_fix_for_pages(probe),
                      "the web server changes the name of the cookie", status);
    for (size_t i = 0; i < count; i++)
        if (!strcasestr(set, attributes[i]))
            return report(asked, probe_fix_for_pages(probe),
                          arena_print(probe->arena, "the web server takes %s out of the cookie",
                                      attributes[i]),
                          status);
    return strcasestr(set, "Domain=") == NULL ||
           report(asked, probe_fix_for_pages(probe),
                  "the web server adds Domain to the cookie, which browsers refuse then", status);
}

static bool cookie_passes(const struct sign_in *asked)
{
    struct http_response response;
    ask(asked, "GET", "/profile/data/me", asked->cookie, &response);
    const char *set = probe_header(asked->probe, &response, "Set-Cookie");
    bool right;
    if (response.status != 401)
        right = report(asked, probe_fix_for_pages(asked->probe),
                       "a cookie of nobody is not refused", response.status);
    else if (!set)
        right = report_no_cookie(asked, response.status);
    else
        right = judge_cookie(asked, set, response.status);
    http_client_free(&response);
    return right;
}

/* -- The service's own address ----------------------------------------------------------------- */

/* What it says of itself, or what the logbook here says where it does not. */
static bool find_own_address(struct probe *probe, struct text *own, bool *is_set)
{
    bool is_read = own_address_read(probe->doctor, own);
    *is_set = !is_read || own->length > 0;
    if (probe->way.address)
        *own = text_of(probe->way.address);
    return is_read || probe->way.address;
}

/* Of an old name that still leads to the service, which answers at its own as well: its pages lead
 * there, and nobody signs in at this one. */
static bool is_another_name(const struct sign_in *asked)
{
    struct http_response response = {0};
    struct http_request request = {.method = "GET"};
    struct probe *probe = asked->probe;
    struct text own;
    bool is_set;
    if (probe_asks_this_machine(probe) || !find_own_address(probe, &own, &is_set) || !own.length)
        return false;
    const char *address = arena_copy(probe->arena, own.bytes, own.length);
    const char *name = strstr(address, "://"), *here = strstr(asked->site, "://");
    size_t length = name ? strcspn(name + 3, ":/") : 0;
    if (!name || (strcspn(here + 3, ":/") == length && !strncasecmp(here, name, length + 3)))
        return false;
    request.url = arena_print(probe->arena, "%s/healthz?request", address);
    http_client_send(&request, probe->arena, &response);
    bool is_there =
        response.failure == HTTP_ANSWERED && response.status == 200 &&
        probe_contains(&response, arena_print(probe->arena, "\"address\":\"%s\"", address));
    http_client_free(&response);
    if (is_there)
        findings_add(probe->findings, FINDING_OK, "own address", NULL,
                     "the service's own address is %s; the pages of this one lead there", address);
    return is_there;
}

bool check_sign_in(struct probe *probe)
{
    struct sign_in asked = prepare(probe);
    bool right = has_pages(&asked) && !is_another_name(&asked) &&
                 profile_leads_to_sign_in(&asked) && page_is_there(&asked) &&
                 form_arrives(&asked) && cookie_passes(&asked);
    if (right)
        findings_add(probe->findings, FINDING_OK, "sign-in", NULL,
                     "form and cookie arrive, and nobody keeps what is private");
    return right;
}

bool check_sign_in_scheme(struct probe *probe)
{
    const char *site = site_of(probe), *own = probe->way.address;
    if (!own || strncasecmp(own, "http:", 5) != 0 || strncasecmp(site, "https:", 6) != 0)
        return true;
    findings_add(probe->findings, FINDING_PROBLEM, "own address",
                 own_address_fix(probe->doctor, site),
                 "the service takes itself for %s: by its links and QR codes a phone would send "
                 "its key in the clear",
                 own);
    return false;
}

void check_sign_in_address(struct probe *probe)
{
    struct text own;
    bool is_set;
    const char *site = site_of(probe);
    if (probe_asks_this_machine(probe) || !find_own_address(probe, &own, &is_set))
        return;
    bool is_the_same = own.length == strlen(site) && strncasecmp(own.bytes, site, own.length) == 0;
    if (!is_set)
        findings_add(probe->findings, FINDING_WARNING, "own address",
                     own_address_fix(probe->doctor, site),
                     "the service does not know its own address, which links and QR codes need");
    else
        findings_add(probe->findings, is_the_same ? FINDING_OK : FINDING_WARNING, "own address",
                     is_the_same ? NULL : own_address_fix(probe->doctor, site),
                     is_the_same ? "%.*s"
                                 : "the service knows itself as %.*s, and links and QR codes lead "
                                   "there",
                     (int)own.length, own.bytes);
}
