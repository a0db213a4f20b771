/* Checks that only a client with a key can make: whether the key arrives, is known, a large body
 * arrives, and the log can be read. Nothing is saved, and the key is sent to nobody whose
 * certificate is not trusted (check_service.c sees to that). */
#include <stdlib.h>
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "doctor/probe.h"
#include "store/credentials.h"

#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

static bool trouble(struct probe *probe, const char *fix, const char *what)
{
    return findings_trouble(probe->doctor, "authorization", fix, "%s", what);
}

/* Asks the logbook that the service may use; user: that of its workers, NULL: as units say. */
static const char *fix_by_other(struct probe *probe, const struct user *user, const char *otherwise)
{
    const char *other = workers_find_other(probe->doctor, user);
    if (!other && user && strcmp(probe->doctor->database, QSOSYNC_DEFAULT_DB) != 0)
        other = QSOSYNC_DEFAULT_DB;
    return other ? arena_print(probe->arena, "qsosync-admin --db %s doctor %s",
                               shell_quote(probe->arena, other),
                               shell_quote(probe->arena, probe->base))
                 : otherwise;
}

/* What the logbook here says of a key that the service refuses. */
static bool report_by_logbook(struct probe *probe, const unsigned char *fingerprint)
{
    struct key_state state;
    char time[DATETIME_TEXT_LENGTH];
    if (!probe->doctor->store ||
        store_find_key_state(probe->doctor->store, probe->arena, fingerprint, &state) != STORE_DONE)
        return trouble(probe, "qsosync-admin key list && qsosync-admin member list",
                       "the service does not accept this key: it was revoked, its member is "
                       "disabled, or it is for another service; the lists on its machine show "
                       "which");
    const char *callsign =
        arena_print(probe->arena, "%.*s", (int)state.callsign.length, state.callsign.bytes);
    const char *quoted = shell_quote(probe->arena, callsign);
    datetime_format(state.revoked_at_ms, time);
    if (state.revoked_at_ms)
        return trouble(probe, arena_print(probe->arena, "qsosync-admin key list %s", quoted),
                       arena_print(probe->arena,
                                   "this key of %s was revoked on %.10s; the list shows which ones "
                                   "work",
                                   callsign, time));
    if (!state.member_is_active)
        return trouble(probe,
                       arena_print(probe->arena,
                                   "if that was a mistake: qsosync-admin member enable %s", quoted),
                       arena_print(probe->arena,
                                   "the member %s is disabled: the key is right, and works again "
                                   "when the member is enabled",
                                   callsign));
    return trouble(probe,
                   fix_by_other(probe, NULL,
                                "let QSOSYNC_DB of both units be this logbook - systemctl "
                                "edit qsosync.service qsosync-site.service"),
                   arena_print(probe->arena,
                               "the service refuses a key that %s knows: it uses another logbook, "
                               "or the web server removes both headers",
                               probe->doctor->database));
}

/* Where a proxy is, the site behind it is believed to be as it is shipped. */
static bool report_refused(struct probe *probe, struct text key, const unsigned char *fingerprint)
{
    char *other = arena_print(probe->arena, "X-API-Key: %.*s", (int)key.length, key.bytes);
    const struct http_response response = probe_request(probe, "GET", "/me", other, NULL, NULL);
    explicit_bzero(other, strlen(other));
    if (response.status != 200)
        return report_by_logbook(probe, fingerprint);
    if (probe->way.is_there)
        return trouble(probe,
                       "let the proxy pass the header Authorization on; in another nginx: "
                       "proxy_set_header Authorization $http_authorization;",
                       "the proxy removes the header Authorization (X-API-Key arrives)");
    return trouble(probe, probe_fix_for_site(probe),
                   "the web server removes the header Authorization (X-API-Key arrives)");
}

static bool report_failed_lookup(struct probe *probe, long status)
{
    const struct http_response health = probe_request_site(probe, "GET", "/healthz", NULL);
    bool pages_are_well = health.failure == HTTP_ANSWERED && health.status == 200;
    probe->failed = true;
    return trouble(probe, workers_fix_for_logbook(probe->doctor),
                   arena_print(probe->arena, "the service cannot look up a key (status %ld)%s",
                               status,
                               pages_are_well ? ", while /healthz answers 200: the pages see "
                                                "another logbook or have other rights"
                                              : ""));
}

static bool check_known(struct probe *probe, struct text key)
{
    struct identity identity;
    struct user user;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    api_key_fingerprint(key, fingerprint);
    const struct http_response response =
        probe_request(probe, "GET", "/me", probe->authorization, NULL, NULL);
    long status = response.status;
    if (status == 401)
        return report_refused(probe, key, fingerprint);
    if (status == 429)
        return trouble(probe, probe_fix_by_waiting(probe),
                       "this address has made too many requests (status 429)");
    if (status != 200)
        return report_failed_lookup(probe, status);
    if (probe->doctor->store && store_find_identity(probe->doctor->store, probe->arena, fingerprint,
                                                    &identity) == STORE_NONE) {
        workers_find_user(probe->doctor, folder_of(probe->doctor->database, probe->arena), &user);
        findings_warn(probe->doctor, "authorization",
                      fix_by_other(probe, &user, "name the service's logbook with --db"),
                      "the service accepts the key, but %s does not know it: it is not the "
                      "service's logbook",
                      probe->doctor->database);
    } else {
        findings_fine(probe->doctor, "authorization", "the key arrives");
    }
    return true;
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
        findings_trouble(probe->doctor, "body",
                         probe->way.is_there ? "let the proxy pass bodies of 8 MiB on; in another "
                                               "nginx: client_max_body_size 8m;"
                                             : probe_fix_for_site(probe),
                         "a body of 2 MiB does not %s, and a batch of 200 QSOs may be as large "
                         "(status %ld)",
                         probe->way.is_there ? "pass the proxy, or the site behind it" : "arrive",
                         status);
}

static void check_log(struct probe *probe)
{
    const struct http_response response =
        probe_request(probe, "GET", "/logs?limit=1", probe->authorization, NULL, NULL);
    if (probe->failed)
        ;
    else if (response.status != 200 || !probe_contains(&response, "\"serverTime\""))
        findings_trouble(probe->doctor, "log", workers_fix_for_logbook(probe->doctor),
                         "the log cannot be read (status %ld)", response.status);
    else if (!probe_header(probe, &response, "X-Log-Epoch"))
        findings_trouble(probe->doctor, "log", probe_fix_for_site(probe),
                         "answers lack X-Log-Epoch, by which clients notice a restored logbook");
    else
        findings_fine(probe->doctor, "log", "the log can be read");
}

/* A key of nobody is looked up in the logbook like any other. */
static void check_without_key(struct probe *probe)
{
    char key[API_KEY_LENGTH + 1];
    if (api_key_make(key)) {
        const struct http_response response =
            probe_request(probe, "GET", "/me",
                          arena_print(probe->arena, "Authorization: Bearer %s", key), NULL, NULL);
        if (response.status >= 500)
            report_failed_lookup(probe, response.status);
    }
    if (!probe->failed)
        findings_warn(probe->doctor, "authorization",
                      arena_print(probe->arena, "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && %s",
                                  probe_fix_by_asking(probe, probe->base)),
                      "no key was given: whether keys and bodies arrive was not checked");
}

void key_check(struct probe *probe, struct text key)
{
    if (!key.bytes) {
        check_without_key(probe);
        return;
    }
    if (!api_key_is_well_formed(key)) {
        trouble(probe, "copy the key again",
                "this is not a key, or it was mistyped: its last characters do not fit");
        return;
    }
    char *header =
        arena_print(probe->arena, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    probe->authorization = header;
    if (check_known(probe, key)) {
        check_body(probe);
        check_log(probe);
    }
    probe->authorization = NULL;
    explicit_bzero(header, strlen(header));
}
