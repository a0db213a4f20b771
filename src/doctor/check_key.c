/* Checks that only a client with a key can make: whether the key arrives, is known, a large body
 * arrives, and the log can be read. Nothing is saved, and the key is sent to nobody whose
 * certificate is not trusted (check_service.c sees to that). */
#include <stdlib.h>
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "doctor/probe.h"
#include "store/credentials.h"

#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

static bool trouble(struct probe *probe, const char *fix, const char *what)
{
    return findings_trouble(probe->doctor, "authorization", fix, "%s", what);
}

/* What the logbook here says of a key that the service refuses. */
static bool report_by_logbook(struct probe *probe, struct text key)
{
    struct key_state state;
    struct doctor *doctor = probe->doctor;
    struct arena *arena = probe->arena;
    char time[DATETIME_TEXT_LENGTH];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(key, fingerprint);
    if (!doctor->store ||
        store_find_key_state(doctor->store, arena, fingerprint, &state) != STORE_DONE)
        return trouble(probe, "qsosync-admin key list && qsosync-admin member list",
                       "the service does not accept this key: it was revoked, its member is "
                       "disabled, or it is for another service; the lists on its machine show "
                       "which");
    const char *callsign = arena_copy(arena, state.callsign.bytes, state.callsign.length);
    const char *quoted = shell_quote(arena, callsign);
    datetime_format(state.revoked_at_ms, time);
    if (state.revoked_at_ms)
        return trouble(
            probe, arena_print(arena, "qsosync-admin key list %s", quoted),
            arena_print(arena,
                        "this key of %s was revoked on %.10s; the list shows which ones work",
                        callsign, time));
    if (!state.member_is_active)
        return trouble(
            probe,
            arena_print(arena, "if that was a mistake: qsosync-admin member enable %s", quoted),
            arena_print(arena,
                        "the member %s is disabled: the key is right, and works again when the "
                        "member is enabled",
                        callsign));
    const char *other = workers_find_other(doctor, NULL);
    return trouble(probe,
                   other ? arena_print(arena, "qsosync-admin --db %s doctor %s",
                                       shell_quote(arena, other), shell_quote(arena, probe->base))
                         : "let QSOSYNC_DB of both units be this logbook - systemctl edit "
                           "qsosync.service qsosync-site.service",
                   arena_print(arena,
                               "the service refuses a key that %s knows: it uses another logbook, "
                               "or the web server removes both headers",
                               doctor->database));
}

/* Where a proxy is, the site behind it is believed to be as it is shipped. */
static bool report_refused(struct probe *probe, struct text key)
{
    char *other = arena_print(probe->arena, "X-API-Key: %.*s", (int)key.length, key.bytes);
    const struct http_response response = probe_ask(probe, "GET", API "/me", other, NULL);
    explicit_bzero(other, strlen(other));
    if (response.status != 200)
        return report_by_logbook(probe, key);
    return trouble(
        probe,
        probe_fix_for_way(probe,
                          "let the proxy pass the header Authorization on; in another nginx: "
                          "proxy_set_header Authorization $http_authorization;"),
        arena_print(probe->arena, "the %s removes the header Authorization (X-API-Key arrives)",
                    probe->way.is_there ? "proxy" : "web server"));
}

/* Looks the key up in the service's logbook; one of nobody is looked up like any other. */
static long ask_for_member(struct probe *probe)
{
    const struct http_response response =
        probe_ask(probe, "GET", API "/me", probe->authorization, NULL);
    if (response.status == 429)
        trouble(probe, probe_fix_by_waiting(probe),
                "this address has made too many requests (status 429)");
    else if (response.status != 200 && response.status != 401) {
        probe->failed = true;
        trouble(probe, workers_fix_for_logbook(probe->doctor),
                arena_print(probe->arena, "the service cannot look up a key (status %ld)",
                            response.status));
    }
    return response.status;
}

/* Sends a body of this size that is always refused as a whole, so that nothing is saved, whatever
 * the key may do. Whether the API has judged it. */
static bool send_body(struct probe *probe, size_t length, long *status)
{
    static const char before[] = "{\"entries\":\"", after[] = "\"}";
    char *body = memory_allocate(length);
    struct http_request request = {
        .method = "POST",
        .url = arena_print(probe->arena, "%s/logs/batch", probe->base),
        .headers = {probe->authorization, "Content-Type: application/json", "Expect:", NULL},
        .body = body,
        .body_length = length};
    memset(body, 'x', length);
    memcpy(body, before, strlen(before));
    memcpy(body + length - strlen(after), after, strlen(after));
    const struct http_response response = http_client_send(&request, probe->arena);
    *status = response.status;
    bool judged = (response.status == 400 && probe_contains(&response, "entries")) ||
                  (response.status == 403 && probe_contains(&response, "{\"error\":"));
    free(body);
    return judged;
}

/* A failure says nothing about the size of a body unless a small one arrives. */
static void check_body(struct probe *probe)
{
    long status, small;
    if (send_body(probe, BODY_BYTES, &status))
        findings_fine(probe->doctor, "body", "a body of 2 MiB arrives");
    else if (status >= 500 && !send_body(probe, BODY_BYTES_SMALL, &small))
        probe_has_failed(probe, "body", &(struct http_response){.status = status});
    else
        findings_trouble(
            probe->doctor, "body",
            probe_fix_for_way(probe, "let the proxy pass bodies of 8 MiB on; in another nginx: "
                                     "client_max_body_size 8m;"),
            "a body of 2 MiB does not %s, and a batch of 200 QSOs may be as large (status %ld)",
            probe->way.is_there ? "pass the proxy, or the site behind it" : "arrive", status);
}

static void check_log(struct probe *probe)
{
    const struct http_response response =
        probe_ask(probe, "GET", API "/logs?limit=1", probe->authorization, NULL);
    if (response.status != 200)
        findings_trouble(probe->doctor, "log", workers_fix_for_logbook(probe->doctor),
                         "the log cannot be read (status %ld)", response.status);
    else
        findings_fine(probe->doctor, "log", "the log can be read");
}

static void check_without_key(struct probe *probe)
{
    char key[API_KEY_LENGTH + 1];
    if (api_key_make(key)) {
        probe->authorization = arena_print(probe->arena, "Authorization: Bearer %s", key);
        ask_for_member(probe);
    }
    if (!probe->failed)
        findings_warn(probe->doctor, "authorization",
                      arena_print(probe->arena, "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && %s",
                                  probe_fix_by_asking(probe, probe->base)),
                      "no key was given: whether keys and bodies arrive was not checked");
}

static void check_with_key(struct probe *probe, struct text key)
{
    char *header =
        arena_print(probe->arena, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    probe->authorization = header;
    long status = ask_for_member(probe);
    if (status == 401)
        report_refused(probe, key);
    if (status == 200) {
        findings_fine(probe->doctor, "authorization", "the key arrives");
        check_body(probe);
        if (!probe->failed)
            check_log(probe);
    }
    explicit_bzero(header, strlen(header));
}

void key_check(struct probe *probe, struct text key)
{
    if (!key.bytes)
        check_without_key(probe);
    else if (!api_key_is_well_formed(key))
        trouble(probe, "copy the key again",
                "this is not a key, or it was mistyped: its last characters do not fit");
    else
        check_with_key(probe, key);
    probe->authorization = NULL;
}
