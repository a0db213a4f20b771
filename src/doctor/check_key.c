/* Checks that only a client with a key can make: whether the key arrives, is known, and a large
 * body arrives. Nothing is saved, and check_service.c sees to it that the key is sent to nobody
 * whose certificate is not trusted. */
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "doctor/probe.h"
#include "store/credentials.h"

#define CHECK "authorization"
#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

/* What the logbook here says of a key that the service refuses. */
static void report_by_logbook(struct examination *seen, struct text key)
{
    struct key_state state;
    struct store *store = seen->doctor->store;
    char time[DATETIME_TEXT_LENGTH];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    const char *fix = "qsosync-admin key list && qsosync-admin member list";
    const char *what =
        "the service does not accept this key: it was revoked, its member is disabled, or it is "
        "for another service; the lists on its machine show which";
    api_key_fingerprint(key, fingerprint);
    if (store && store_find_key_state(store, seen->arena, fingerprint, &state) == STORE_DONE) {
        const char *callsign =
            print(seen, "%.*s", (int)state.callsign.length, state.callsign.bytes);
        const char *other = workers_find_other(seen, false);
        datetime_format(state.revoked_at_ms, time);
        if (state.revoked_at_ms) {
            fix = print(seen, "qsosync-admin key list %s", quote(seen, callsign));
            what =
                print(seen, "this key of %s was revoked on %.10s; the list shows which ones work",
                      callsign, time);
        } else if (!state.member_is_active) {
            fix = print(seen, "if that was a mistake: qsosync-admin member enable %s",
                        quote(seen, callsign));
            what = print(seen,
                         "the member %s is disabled: the key is right, and works again when the "
                         "member is enabled",
                         callsign);
        } else {
            fix = other ? print(seen, "%s %s", examination_fix_for_other(seen, other),
                                quote(seen, seen->base))
                        : "let QSOSYNC_DB of both units be this logbook - systemctl edit "
                          "qsosync.service qsosync-site.service";
            what = print(seen,
                         "the service refuses a key that %s knows: it uses another logbook, or the "
                         "web server removes both headers",
                         seen->doctor->database);
        }
    }
    trouble(seen, CHECK, fix, "%s", what);
}

/* The words for the proxy where one is: the site behind it is believed to be as it is shipped. */
static const char *fix_for_way(struct examination *seen, const char *proxy)
{
    return seen->is_proxied ? proxy : probe_fix_for_site(seen);
}

static void report_refused(struct examination *seen, struct text key)
{
    char *other = print(seen, "X-API-Key: %.*s", (int)key.length, key.bytes);
    const struct http_response response = probe_ask(seen, .url = API "/me", .headers = {other});
    explicit_bzero(other, strlen(other));
    if (response.status == 200)
        trouble(seen, CHECK,
                fix_for_way(seen, "let the proxy pass the header Authorization on; in another "
                                  "nginx: proxy_set_header Authorization $http_authorization;"),
                "the %s removes the header Authorization (X-API-Key arrives)",
                seen->is_proxied ? "proxy" : "web server");
    else
        report_by_logbook(seen, key);
}

/* Looks the key up in the service's logbook. */
static long ask_for_member(struct examination *seen, const char *authorization)
{
    const struct http_response response =
        probe_ask(seen, .url = API "/me", .headers = {authorization});
    const long status = response.status;
    seen->failed = status != 200 && status != 401 && status != 429;
    if (seen->failed)
        trouble(seen, CHECK, workers_command(seen, "doctor"),
                "the service cannot look up a key (status %ld)", status);
    else
        probe_has_failed(seen, CHECK, &response);
    return status;
}

#define JUDGED (-1)

/* Sends a body of about this size that is always refused as a whole, so that nothing is saved,
 * whatever the key may do. JUDGED if the API has judged it, or else the status. */
static long send_body(struct examination *seen, const char *authorization, int length)
{
    const char *body = print(seen, "{\"entries\":\"%0*d\"}", length, 0);
    const struct http_response response =
        probe_ask(seen, .url = API "/logs/batch", .body = text_of(body),
                  .headers = {authorization, "Content-Type: application/json", "Expect:"});
    bool judged = (response.status == 400 && strstr(response.body, "entries")) ||
                  (response.status == 403 && strstr(response.body, "{\"error\":"));
    return judged ? JUDGED : response.status;
}

/* A failure says nothing about the size of a body unless a small one arrives. */
static void check_body(struct examination *seen, const char *authorization)
{
    const long status = send_body(seen, authorization, BODY_BYTES);
    if (status == JUDGED)
        fine(seen, "body", "a body of 2 MiB arrives");
    else if (status >= 500 && send_body(seen, authorization, BODY_BYTES_SMALL) != JUDGED)
        probe_has_failed(seen, "body", &(struct http_response){.status = status});
    else
        trouble(seen, "body",
                fix_for_way(seen, "let the proxy pass bodies of 8 MiB on; in another nginx: "
                                  "client_max_body_size 8m;"),
                "a body of 2 MiB does not %s, and a batch of 200 QSOs may be as large (status %ld)",
                seen->is_proxied ? "pass the proxy, or the site behind it" : "arrive", status);
}

static void check_with_key(struct examination *seen, struct text key)
{
    char *authorization = print(seen, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    long status = ask_for_member(seen, authorization);
    if (status == 401)
        report_refused(seen, key);
    if (status == 200) {
        fine(seen, CHECK, "the key arrives");
        check_body(seen, authorization);
    }
    explicit_bzero(authorization, strlen(authorization));
}

void key_check(struct examination *seen, struct text key)
{
    if (!key.bytes)
        warn(seen, CHECK,
             print(seen, "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && %s",
                   probe_fix_by_asking(seen, seen->base)),
             "no key was given: whether keys and bodies arrive was not checked");
    else if (!api_key_is(API_KEY_KEY, key))
        trouble(seen, CHECK, "copy the key again",
                "this is not a key, or it was mistyped: its last characters do not fit");
    else
        check_with_key(seen, key);
}
