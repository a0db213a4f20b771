/* Checks that a key arrives and is valid, and that a large body arrives. Nothing is saved.
 * check_service.c runs this check only within this machine or with a trusted certificate. */
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"
#include "doctor/workers.h"
#include "store/credentials.h"

#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

/* Reports why the service refuses the key, according to the logbook on this machine. */
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

/* Returns the fix for the proxy if there is a proxy, and otherwise the command that installs the
 * shipped site. */
static const char *fix_on_path(struct examination *seen, const char *proxy)
{
    return seen->is_proxied ? proxy : fixes_put_site(seen);
}

static void report_refused(struct examination *seen, struct text key)
{
    char *other = print(seen, "X-API-Key: %.*s", (int)key.length, key.bytes);
    const long status = probe_ask(seen, .url = API "/me", .headers = {other}).status;
    explicit_bzero(other, strlen(other));
    if (status == 200)
        found_with(seen, KEY_REMOVED, fix_on_path(seen, KEY_REMOVED_FIX),
                   seen->is_proxied ? "proxy" : "web server");
    else
        report_by_logbook(seen, key);
}

#define REFUSED_BY_API (-1)

/* Sends a body of about this size. The API always refuses the whole body, whatever the key's scope,
 * so that nothing is saved. Returns REFUSED_BY_API if the API itself has refused the body, and
 * otherwise the status. */
static long send_body(struct examination *seen, const char *authorization, int length)
{
    const char *body = print(seen, "{\"entries\":\"%0*d\"}", length, 0);
    const struct client_response response =
        probe_ask(seen, .url = API "/logs/batch", .body = text_of(body),
                  .headers = {authorization, "Content-Type: application/json", "Expect:"});
    bool is_refused_by_api = (response.status == 400 && strstr(response.body, "entries")) ||
                             (response.status == 403 && strstr(response.body, "{\"error\":"));
    return is_refused_by_api ? REFUSED_BY_API : response.status;
}

/* Checks that a large body arrives. A server error shows something about body sizes only if a small
 * body gets through. */
static void check_body(struct examination *seen, const char *authorization)
{
    const long status = send_body(seen, authorization, BODY_BYTES);
    if (status == REFUSED_BY_API)
        found(seen, BODY_ARRIVES);
    else if (status >= 500 && send_body(seen, authorization, BODY_BYTES_SMALL) != REFUSED_BY_API)
        probe_has_failed(seen, "body", status);
    else
        found_with(seen, BODY_STOPPED, fix_on_path(seen, BODY_STOPPED_FIX),
                   seen->is_proxied ? "get through the proxy or the site behind it" : "arrive",
                   status);
}

void key_check(struct examination *seen, struct text key)
{
    if (!key.bytes) {
        found_with(seen, KEY_NOT_GIVEN,
                   print(seen, KEY_NOT_GIVEN_FIX, fixes_examine(seen, seen->base)));
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
