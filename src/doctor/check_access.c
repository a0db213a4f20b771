/* Checks access at the address. A key must arrive and be valid, with a large body. For signing in,
 * the front server must let through a form, cookies in both directions, and answers that are not
 * cached. The checks save nothing, and sign nobody in. A cookie without a session shows both
 * directions at once: the program's answer ends it. check_service.c sends the key only to a service
 * with a trusted certificate. */
#include <string.h>
#include <strings.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "doctor/checks.h"
#include "doctor/probe.h"
#include "store/credentials.h"

#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

/* The local logbook's data about a key that the service refuses. */
static void report_by_logbook(struct examination *seen, struct text key)
{
    struct key_state state;
    struct store *store = seen->doctor->store;
    char time[DATETIME_TEXT_LENGTH];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(key, fingerprint);
    if (!store || store_find_key_state(store, seen->arena, fingerprint, &state) != STORE_DONE) {
        found(seen, KEY_REFUSED);
        return;
    }
    const char *callsign = print(seen, "%.*s", (int)state.callsign.length, state.callsign.bytes);
    const char *quoted = quote(seen, callsign), *other = workers_find_other(seen, false);
    datetime_format(state.revoked_at_ms, time);
    if (state.revoked_at_ms)
        found_with(seen, KEY_REVOKED, print(seen, KEY_REVOKED_FIX, quoted), callsign, time);
    else if (!state.member_is_active)
        found_with(seen, KEY_OF_DISABLED, print(seen, KEY_OF_DISABLED_FIX, quoted), callsign);
    else
        found_with(seen, KEY_OF_OTHER_LOGBOOK,
                   other ? print(seen, "%s %s", examination_fix_for_other(seen, other),
                                 quote(seen, seen->base))
                         : KEY_OF_OTHER_LOGBOOK_FIX,
                   seen->doctor->database);
}

/* The words for the proxy where one is: the site behind it is believed to be as it is shipped. */
static const char *fix_for_way(struct examination *seen, const char *proxy)
{
    return seen->is_proxied ? proxy : probe_fix_for_site(seen);
}

static void report_refused(struct examination *seen, struct text key)
{
    char *other = print(seen, "X-API-Key: %.*s", (int)key.length, key.bytes);
    const long status = probe_ask(seen, .url = API "/me", .headers = {other}).status;
    explicit_bzero(other, strlen(other));
    if (status == 200)
        found_with(seen, KEY_REMOVED, fix_for_way(seen, KEY_REMOVED_FIX),
                   seen->is_proxied ? "proxy" : "web server");
    else
        report_by_logbook(seen, key);
}

#define JUDGED (-1)

/* Sends a body of about this size that is always refused as a whole, so that nothing is saved,
 * whatever the key may do. JUDGED if the API has judged it, or else the status. */
static long send_body(struct examination *seen, const char *authorization, int length)
{
    const char *body = print(seen, "{\"entries\":\"%0*d\"}", length, 0);
    const struct client_response response =
        probe_ask(seen, .url = API "/logs/batch", .body = text_of(body),
                  .headers = {authorization, "Content-Type: application/json", "Expect:"});
    bool judged = (response.status == 400 && strstr(response.body, "entries")) ||
                  (response.status == 403 && strstr(response.body, "{\"error\":"));
    return judged ? JUDGED : response.status;
}

/* A failure says something about body size only if a small body gets through. */
static void check_body(struct examination *seen, const char *authorization)
{
    const long status = send_body(seen, authorization, BODY_BYTES);
    if (status == JUDGED)
        found(seen, BODY_ARRIVES);
    else if (status >= 500 && send_body(seen, authorization, BODY_BYTES_SMALL) != JUDGED)
        probe_has_failed(seen, "body", status);
    else
        found_with(seen, BODY_STOPPED, fix_for_way(seen, BODY_STOPPED_FIX),
                   seen->is_proxied ? "get through the proxy or the site behind it" : "arrive",
                   status);
}

void key_check(struct examination *seen, struct text key)
{
    if (!key.bytes) {
        found_with(seen, KEY_NOT_GIVEN,
                   print(seen, KEY_NOT_GIVEN_FIX, probe_fix_by_asking(seen, seen->base)));
        return;
    }
    if (!api_key_is(API_KEY_KEY, key)) {
        found(seen, KEY_MISTYPED);
        return;
    }
    char *authorization = print(seen, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    const long status = probe_ask(seen, .url = API "/me", .headers = {authorization}).status;
    if (status == 200) {
        found(seen, KEY_ARRIVES);
        check_body(seen, authorization);
    } else if (status == 401) {
        report_refused(seen, key);
    } else if (status == 429) {
        probe_has_failed(seen, "authorization", status);
    } else {
        seen->failed = true;
        found_with(seen, KEY_NOT_LOOKED_UP, workers_command(seen, "doctor"), status);
    }
    explicit_bzero(authorization, strlen(authorization));
}

/* -- Signing in -------------------------------------------------------------------------------- */

#define NOBODY "doctor-doctor-doctor-doctor-doctor-doctor-"
/* Without TLS, and with it. */
#define COOKIES "Cookie: qsosync=" NOBODY "; __Host-qsosync=" NOBODY

/* Adds the only finding of the check that is not ok. Always false. */
#define report(seen, name, fix, status)                                                            \
    ((status) == 429 ? !probe_has_failed(seen, "sign-in", status)                                  \
                     : found_with(seen, name, fix, status))

/* Whether the pages' program is behind the address: without it there is the API alone. */
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

static bool profile_leads_to_sign_in(struct examination *seen)
{
    const struct client_response response = probe_ask(seen, .url = "/profile/");
    const char *location = client_find_header(&response, "Location"),
               *fix = probe_fix_for_site(seen);
    const char *rule = client_find_header(&response, "Cache-Control");
    if (response.status == 401)
        return found_with(seen, SIGN_IN_BEHIND_LOGIN, fix, response.status);
    if (response.status != 303 || !location || !strstr(location, "sign-in"))
        return report(seen, SIGN_IN_NOT_LED_TO, fix, response.status);
    return (rule && strcasestr(rule, "no-store")) ||
           found_with(seen, SIGN_IN_STORED, fix, response.status);
}

/* An empty form of the service's own pages is refused because it lacks fields. On this machine,
 * which may be asked by another address than the service's own, Sec-Fetch-Site replaces Origin. */
static bool form_arrives(struct examination *seen)
{
    size_t scheme = strcspn(seen->site, ":") + 3;
    size_t origin = scheme + strcspn(seen->site + scheme, "/");
    const char *own = probe_asks_this_machine(seen)
                          ? "Sec-Fetch-Site: same-origin"
                          : print(seen, "Origin: %.*s", (int)origin, seen->site);
    const char *type = "Content-Type: application/x-www-form-urlencoded";
    const char *fix = probe_fix_for_site(seen);
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
    const char *fix = probe_fix_for_site(seen);
    if (response.status != 401)
        return report(seen, SIGN_IN_COOKIE_TAKEN, fix, response.status);
    return client_find_header(&response, "Set-Cookie") ||
           found_with(seen, SIGN_IN_COOKIE_LOST, fix, response.status);
}

/* -- The service's own address ----------------------------------------------------------------- */

/* False: signing in cannot work because of the address. Never replaces an address that is already
 * set: the other address may be only a second name for the service. */
static bool check_own_address(struct examination *seen)
{
    struct text own = {0};
    bool is_unset = examination_read_address(seen, &own) && own.length == 0;
    const char *said = seen->said_address;
    const char *address = own.length > 0 ? print(seen, "%.*s", (int)own.length, own.bytes) : said;
    const char *rest = address ? strstr(address, "://") : NULL;
    bool is_same = is_unset || (rest && strcasecmp(rest, strstr(seen->site, "://")) == 0);
    const char *set = print(seen, "qsosync-admin %sclub set --address %s", examination_option(seen),
                            quote(seen, seen->site));
    if (is_same && said && strncasecmp(said, "http:", 5) == 0 && seen->is_encrypted)
        return found_with(seen, ADDRESS_IN_THE_CLEAR, set, said);
    if (!rest || probe_asks_this_machine(seen))
        return true;
    if (!is_same)
        return found_with(seen, ADDRESS_IS_ANOTHER, probe_fix_by_asking(seen, address), address);
    if (is_unset)
        found_with(seen, ADDRESS_UNKNOWN, set);
    else
        found(seen, ADDRESS_KNOWN, seen->site);
    return true;
}

void sign_in_check(struct examination *seen, const struct client_response *health)
{
    if (has_pages(seen, health) && check_own_address(seen) && profile_leads_to_sign_in(seen) &&
        form_arrives(seen) && cookie_passes(seen))
        found(seen, SIGN_IN_WORKS);
}
