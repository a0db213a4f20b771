/* Checks of the way on which members sign in: what the front server has to let through for that is
 * a form, a cookie in both directions, and answers that nobody keeps. Nobody signs in for it. A
 * cookie of nobody shows both directions at once: the program answers it by ending it, so that the
 * answer tells what arrived. Before it, the service's own address is looked at. */
#include <string.h>
#include <strings.h>

#include "doctor/probe.h"

#define RESTART_PAGES "systemctl restart qsosync-site.socket qsosync-site.service"
#define NOBODY "doctor-doctor-doctor-doctor-doctor-doctor-"
/* Without TLS, and with it. */
#define COOKIES "Cookie: qsosync=" NOBODY "; __Host-qsosync=" NOBODY

/* Adds the only finding of the check that is not ok. Always false. */
static bool report(struct examination *seen, const char *fix, const char *what, long status)
{
    if (status == 429)
        return !probe_has_failed(seen, "sign-in", &(struct http_response){.status = status});
    return trouble(seen, "sign-in", fix, "%s (status %ld)", what, status);
}

/* Whether the pages' program is behind the address: without it there is the API alone. */
static bool has_pages(struct examination *seen, const struct http_response *health)
{
    long status = health->failure == HTTP_ANSWERED ? health->status : 500;
    bool is_ours = strstr(health->body, "\"status\"") != NULL;
    if (is_ours && status == 503)
        return report(seen, workers_command(seen, "doctor"), "the pages cannot read the logbook",
                      status);
    if (status >= 500 || status == 429)
        return report(seen, RESTART_PAGES, "no worker of the pages answers", status);
    if (!is_ours)
        fine(seen, "sign-in", "the address has the API alone, and no pages");
    return is_ours;
}

static bool profile_leads_to_sign_in(struct examination *seen)
{
    const struct http_response response = probe_ask(seen, .url = "/profile/");
    const char *location = http_header(&response, "Location");
    const char *rule = http_header(&response, "Cache-Control"), *what = NULL;
    if (response.status == 401)
        what = "the site asks for a login before the pages do, as it had to for former versions, "
               "so that nobody can sign in";
    else if (response.status != 303 || !location || !strstr(location, "sign-in"))
        what = "the profile does not lead to the page for signing in";
    else if (!rule || !strcasestr(rule, "no-store"))
        what = "what depends on who is signed in may be stored: the answer lacks Cache-Control: "
               "no-store";
    return !what || report(seen, probe_fix_for_site(seen), what, response.status);
}

/* An empty form of the service's own pages is refused for what it lacks. The header with which a
 * page of the address sends it is another one on the machine itself, which may be asked by another
 * address than the service knows. */
static bool form_arrives(struct examination *seen)
{
    size_t scheme = strcspn(seen->site, ":") + 3;
    size_t origin = scheme + strcspn(seen->site + scheme, "/");
    const char *own = probe_asks_this_machine(seen)
                          ? "Sec-Fetch-Site: same-origin"
                          : print(seen, "Origin: %.*s", (int)origin, seen->site);
    const struct http_response response =
        probe_ask(seen, .url = "/sign-in", .body = text_of("next="),
                  .headers = {"Content-Type: application/x-www-form-urlencoded", own});
    const long status = response.status;
    const char *what = status == 403 || status == 303
                           ? "the service takes its own form for that of another site: the web "
                             "server changes the header Host, Origin or Sec-Fetch-Site"
                           : "the form for signing in does not arrive";
    return status == 400 || status == 401 || report(seen, probe_fix_for_site(seen), what, status);
}

static bool cookie_passes(struct examination *seen)
{
    const struct http_response response =
        probe_ask(seen, .url = "/profile/data/me", .headers = {COOKIES});
    if (response.status == 401 && http_header(&response, "Set-Cookie"))
        return true;
    return report(seen, probe_fix_for_site(seen),
                  response.status == 401 ? "the web server removes the header Cookie or "
                                           "Set-Cookie, so that nobody stays signed in"
                                         : "an unknown cookie is not refused",
                  response.status);
}

/* -- The service's own address ----------------------------------------------------------------- */

/* False where signing in cannot work for what is wrong with it. An address that was set is not
 * changed to another one, by which the service may only be known, too. */
static bool check_own_address(struct examination *seen)
{
    struct text own = {0};
    bool is_unset = own_address_read(seen, &own) && own.length == 0;
    const char *said = seen->said_address;
    const char *address = own.length > 0 ? print(seen, "%.*s", (int)own.length, own.bytes) : said;
    const char *rest = address ? strstr(address, "://") : NULL;
    bool is_same = is_unset || (rest && strcasecmp(rest, strstr(seen->site, "://")) == 0);
    const char *set = print(seen, "qsosync-admin %sclub set --address %s", shell_database(seen),
                            quote(seen, seen->site));
    if (is_same && said && strncasecmp(said, "http:", 5) == 0 && seen->is_encrypted)
        return trouble(seen, "own address", set,
                       "the service takes itself for %s: by its links and QR codes a phone would "
                       "send its key in the clear",
                       said);
    if (!rest || probe_asks_this_machine(seen))
        return true;
    if (!is_same)
        return warn(seen, "own address", probe_fix_by_asking(seen, address),
                    "the service knows itself as %s, and links, QR codes and signing in lead there",
                    address);
    if (is_unset)
        warn(seen, "own address", set,
             "the service does not know its own address, which links and QR codes need");
    else
        fine(seen, "own address", "%s", seen->site);
    return true;
}

void sign_in_check(struct examination *seen, const struct http_response *health)
{
    if (has_pages(seen, health) && check_own_address(seen) && profile_leads_to_sign_in(seen) &&
        form_arrives(seen) && cookie_passes(seen))
        fine(seen, "sign-in", "form and cookie arrive, and nobody keeps what is private");
}
