/* Checks that only a client with a key can make: whether the key arrives, is known, a large body
 * arrives, and the log can be read. Nothing is saved, and the key is sent to nobody whose
 * certificate is not trusted (check_service.c sees to that). */
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "doctor/probe.h"
#include "store/credentials.h"

#define CHECK "authorization"
#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

/* What the logbook here says of a key that the service refuses. */
static bool report_by_logbook(struct examination *seen, struct text key)
{
    struct key_state state;
    struct store *store = seen->doctor->store;
    char time[DATETIME_TEXT_LENGTH];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(key, fingerprint);
    if (!store || store_find_key_state(store, seen->arena, fingerprint, &state) != STORE_DONE)
        return trouble(
            seen, CHECK, "qsosync-admin key list && qsosync-admin member list",
            "the service does not accept this key: it was revoked, its member is disabled, or it "
            "is for another service; the lists on its machine show which");
    const char *callsign = arena_copy(seen->arena, state.callsign.bytes, state.callsign.length);
    const char *quoted = quote(seen, callsign);
    datetime_format(state.revoked_at_ms, time);
    if (state.revoked_at_ms)
        return trouble(seen, CHECK, print(seen, "qsosync-admin key list %s", quoted),
                       "this key of %s was revoked on %.10s; the list shows which ones work",
                       callsign, time);
    if (!state.member_is_active)
        return trouble(seen, CHECK,
                       print(seen, "if that was a mistake: qsosync-admin member enable %s", quoted),
                       "the member %s is disabled: the key is right, and works again when the "
                       "member is enabled",
                       callsign);
    const char *other = workers_find_other(seen, false);
    return trouble(seen, CHECK,
                   other ? print(seen, "qsosync-admin --db %s doctor %s", quote(seen, other),
                                 quote(seen, seen->base))
                         : "let QSOSYNC_DB of both units be this logbook - systemctl edit "
                           "qsosync.service qsosync-site.service",
                   "the service refuses a key that %s knows: it uses another logbook, or the web "
                   "server removes both headers",
                   seen->doctor->database);
}

/* Where a proxy is, the site behind it is believed to be as it is shipped. */
static bool report_refused(struct examination *seen, struct text key)
{
    char *other = print(seen, "X-API-Key: %.*s", (int)key.length, key.bytes);
    const struct http_response response = probe_ask(seen, .url = API "/me", .headers = {other});
    explicit_bzero(other, strlen(other));
    if (response.status != 200)
        return report_by_logbook(seen, key);
    return trouble(
        seen, CHECK,
        probe_fix_for_way(seen, "let the proxy pass the header Authorization on; in another nginx: "
                                "proxy_set_header Authorization $http_authorization;"),
        "the %s removes the header Authorization (X-API-Key arrives)",
        seen->way.is_there ? "proxy" : "web server");
}

/* Looks the key up in the service's logbook; one of nobody is looked up like any other. */
static long ask_for_member(struct examination *seen)
{
    const struct http_response response =
        probe_ask(seen, .url = API "/me", .headers = {seen->authorization});
    const long status = response.status;
    seen->failed = status != 200 && status != 401 && status != 429;
    if (status == 429)
        trouble(seen, CHECK, probe_fix_by_waiting(seen),
                "this address has made too many requests (status 429)");
    else if (seen->failed)
        trouble(seen, CHECK, workers_fix_for_logbook(seen),
                "the service cannot look up a key (status %ld)", status);
    return status;
}

#define JUDGED (-1)

/* Sends a body of about this size that is always refused as a whole, so that nothing is saved,
 * whatever the key may do. JUDGED if the API has judged it, or else the status. */
static long send_body(struct examination *seen, int length)
{
    const char *body = print(seen, "{\"entries\":\"%0*d\"}", length, 0);
    const struct http_response response =
        probe_ask(seen, .url = API "/logs/batch", .body = text_of(body),
                  .headers = {seen->authorization, "Content-Type: application/json", "Expect:"});
    bool judged = (response.status == 400 && http_contains(&response, "entries")) ||
                  (response.status == 403 && http_contains(&response, "{\"error\":"));
    return judged ? JUDGED : response.status;
}

/* A failure says nothing about the size of a body unless a small one arrives. */
static void check_body(struct examination *seen)
{
    const long status = send_body(seen, BODY_BYTES);
    if (status == JUDGED)
        fine(seen, "body", "a body of 2 MiB arrives");
    else if (status >= 500 && send_body(seen, BODY_BYTES_SMALL) != JUDGED)
        probe_has_failed(seen, "body", &(struct http_response){.status = status});
    else
        trouble(seen, "body",
                probe_fix_for_way(seen, "let the proxy pass bodies of 8 MiB on; in another nginx: "
                                        "client_max_body_size 8m;"),
                "a body of 2 MiB does not %s, and a batch of 200 QSOs may be as large (status %ld)",
                seen->way.is_there ? "pass the proxy, or the site behind it" : "arrive", status);
}

static void check_log(struct examination *seen)
{
    const struct http_response response =
        probe_ask(seen, .url = API "/logs?limit=1", .headers = {seen->authorization});
    if (response.status != 200)
        trouble(seen, "log", workers_fix_for_logbook(seen), "the log cannot be read (status %ld)",
                response.status);
    else
        fine(seen, "log", "the log can be read");
}

static void check_without_key(struct examination *seen)
{
    char key[API_KEY_LENGTH + 1];
    if (api_key_make(key)) {
        seen->authorization = print(seen, "Authorization: Bearer %s", key);
        ask_for_member(seen);
    }
    if (!seen->failed)
        warn(seen, CHECK,
             print(seen, "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && %s",
                   probe_fix_by_asking(seen, seen->base)),
             "no key was given: whether keys and bodies arrive was not checked");
}

static void check_with_key(struct examination *seen, struct text key)
{
    char *header = print(seen, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    seen->authorization = header;
    long status = ask_for_member(seen);
    if (status == 401)
        report_refused(seen, key);
    if (status == 200) {
        fine(seen, CHECK, "the key arrives");
        check_body(seen);
        if (!seen->failed)
            check_log(seen);
    }
    explicit_bzero(header, strlen(header));
}

void key_check(struct examination *seen, struct text key)
{
    if (!key.bytes)
        check_without_key(seen);
    else if (!api_key_is_well_formed(key))
        trouble(seen, CHECK, "copy the key again",
                "this is not a key, or it was mistyped: its last characters do not fit");
    else
        check_with_key(seen, key);
    seen->authorization = NULL;
}
