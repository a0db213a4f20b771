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
static bool report(struct examination *seen, const char *fix, const char *what, long status)
{
    bool is_busy = status == 429;
    return trouble(seen, "sign-in", is_busy ? probe_fix_by_waiting(seen) : fix, "%s (status %ld)",
                   is_busy ? "this address has made too many requests" : what, status);
}

/* Whether the pages' program is behind the address: without it there is the API alone. */
static bool has_pages(struct examination *seen)
{
    const struct http_response response = probe_ask(seen, .url = "/healthz");
    long status = response.failure == HTTP_ANSWERED ? response.status : 500;
    bool is_ours = http_contains(&response, "\"status\"");
    if (is_ours && status == 503)
        return report(seen, workers_fix_for_logbook(seen), "the pages cannot read the logbook",
                      status);
    if (status >= 500 || status == 429)
        return report(seen, RESTART_PAGES, "no worker of the pages answers", status);
    if (!is_ours)
        fine(seen, "sign-in", "the address has the API alone, and no pages");
    return is_ours;
}

/* Two requests get two ids, unless somebody answers the second one from what the first one got. */
static bool is_from_cache(struct examination *seen, const struct http_response *first)
{
    const struct http_response second = probe_ask(seen, .url = "/profile/");
    const char *id = http_header(first, "X-Request-Id");
    const char *other = http_header(&second, "X-Request-Id");
    return (id && other && strcmp(id, other) == 0) || http_number(&second, "Age", 0) > 0;
}

static bool profile_leads_to_sign_in(struct examination *seen)
{
    const struct http_response response = probe_ask(seen, .url = "/profile/");
    const char *location = http_header(&response, "Location");
    const char *rule = http_header(&response, "Cache-Control");
    const char *fix = probe_fix_for_site(seen), *what = NULL;
    if (response.status == 401)
        what = "the site asks for a login before the pages do, as it had to for former versions, "
               "so that nobody can sign in";
    else if (response.status != 303 || !location || !strstr(location, "sign-in"))
        what = "the profile does not lead to the page for signing in";
    else if (!rule || !strcasestr(rule, "no-store"))
        what = "what depends on who is signed in may be stored: the answer lacks Cache-Control: "
               "no-store";
    else if (is_from_cache(seen, &response)) {
        what = "two requests got one answer: a cache keeps what depends on who is signed in";
        fix =
            print(seen, "let no cache in front of %s keep answers that say Cache-Control: no-store",
                  quote(seen, seen->site));
    }
    return !what || report(seen, fix, what, response.status);
}

/* The header that a page of the address sends with a form. Who asks on the machine itself may do so
 * by another address than the service knows. */
static const char *own_origin(struct examination *seen)
{
    size_t scheme = strcspn(seen->site, ":") + 3;
    size_t origin = scheme + strcspn(seen->site + scheme, "/");
    return probe_asks_this_machine(seen) ? "Sec-Fetch-Site: same-origin"
                                         : print(seen, "Origin: %.*s", (int)origin, seen->site);
}

/* An empty form of the service's own pages is refused for what it lacks. */
static bool form_arrives(struct examination *seen)
{
    const struct http_response response =
        probe_ask(seen, .url = "/sign-in", .body = text_of("next="),
                  .headers = {"Content-Type: application/x-www-form-urlencoded", own_origin(seen)});
    const long status = response.status;
    return status == 400 || status == 401 ||
           report(seen, probe_fix_for_site(seen),
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
static bool cookie_passes(struct examination *seen)
{
    const struct http_response response = probe_ask(
        seen, .url = "/profile/data/me",
        .headers = {"Cookie: " COOKIE COOKIE_OF_NOBODY "; " COOKIE_WITH_TLS COOKIE_OF_NOBODY});
    const char *set = http_header(&response, "Set-Cookie"), *what = NULL;
    if (response.status != 401)
        what = "an unknown cookie is not refused";
    else if (!set)
        what = "the web server removes the header Cookie or Set-Cookie, so that nobody stays "
               "signed in";
    else if (!is_unchanged(set, seen->is_encrypted))
        what =
            print(seen, "the web server changes the cookie, and browsers do not keep it: %s", set);
    return !what || report(seen, probe_fix_for_site(seen), what, response.status);
}

/* -- The service's own address ----------------------------------------------------------------- */

static const char *fix_address(struct examination *seen)
{
    return print(seen, "qsosync-admin %sclub set --address %s", shell_database(seen),
                 quote(seen, seen->site));
}

/* Whether the service answers at its own address, too: then the pages of this one lead there. */
static bool is_there(struct examination *seen, const char *address)
{
    const struct http_response response =
        probe_ask(seen, .url = print(seen, "%s/healthz?request", address));
    return response.failure == HTTP_ANSWERED && response.status == 200 &&
           http_contains(&response, print(seen, "\"address\":\"%s\"", address));
}

/* False where signing in cannot work for what is wrong with it. An address that was set is not
 * changed to another one, by which the service may only be known, too. */
static bool check_own_address(struct examination *seen, bool is_unset, const struct text *own)
{
    const char *said = seen->way.address;
    const char *address = own->length > 0 ? arena_copy(seen->arena, own->bytes, own->length) : said;
    const char *rest = address ? strstr(address, "://") : NULL;
    bool is_same = is_unset || (rest && strcasecmp(rest, strstr(seen->site, "://")) == 0);
    if (!rest)
        return true;
    if (is_same && said && strncasecmp(said, "http:", 5) == 0 && seen->is_encrypted)
        return trouble(seen, "own address", fix_address(seen),
                       "the service takes itself for %s: by its links and QR codes a phone would "
                       "send its key in the clear",
                       said);
    if (is_same || probe_asks_this_machine(seen))
        return true;
    if (!is_there(seen, address))
        return warn(seen, "own address", probe_fix_by_asking(seen, address),
                    "the service knows itself as %s, and links, QR codes and signing in lead there",
                    address);
    fine(seen, "own address", "the service's own address is %s; the pages of this one lead there",
         address);
    return false;
}

void sign_in_check(struct examination *seen)
{
    struct text own = {0};
    bool is_unset = own_address_read(seen, &own) && own.length == 0;
    if (!has_pages(seen) || !check_own_address(seen, is_unset, &own) ||
        !profile_leads_to_sign_in(seen) || !form_arrives(seen) || !cookie_passes(seen))
        return;
    fine(seen, "sign-in", "form and cookie arrive, and nobody keeps what is private");
    if (probe_asks_this_machine(seen))
        return;
    if (is_unset)
        warn(seen, "own address", fix_address(seen),
             "the service does not know its own address, which links and QR codes need");
    else
        fine(seen, "own address", "%s", seen->site);
}
