/* Checks that only a client with a key can make: whether the key arrives, is known, a large body
 * arrives, and the log can be read. Nothing is saved, and the key is sent to nobody whose
 * certificate is not trusted (check_service.c sees to that). */
#include <stdlib.h>
#include <string.h>

#include "base/api_key.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "doctor/machine.h"
#include "doctor/probe.h"

#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

/* Whether the logbook on this machine knows the key; -1: there is none, or it cannot be read. */
static int is_known_here(struct probe *probe, struct text key)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct identity identity;
    if (!probe->doctor->store)
        return -1;
    api_key_fingerprint(key, fingerprint);
    enum store_result result =
        store_find_identity(probe->doctor->store, probe->arena, fingerprint, &identity);
    return result == STORE_DONE ? 1 : result == STORE_NONE ? 0 : -1;
}

/* The operator's own units: which logbook is right is not known here. */
static const char *advice_for_setting(const struct probe *probe)
{
    const char *path = probe->doctor->database;
    return arena_print(probe->arena,
                       "let both units have Environment=QSOSYNC_DB=%s and ReadWritePaths=%s - "
                       "systemctl edit qsosync.service qsosync-site.service",
                       path, folder_of(path, probe->arena));
}

/* The logbook that the service uses, where its workers can be seen; otherwise the usual one. */
static const char *fix_for_choice(const struct probe *probe)
{
    struct unit unit;
    struct named_user user;
    const char *path = probe->doctor->database;
    check_workers_find_user(probe->doctor, folder_of(path, probe->arena), &user);
    units_read(probe->arena, "qsosync.service", &unit);
    const char *other = units_variable(&unit, "QSOSYNC_DB");
    if (!other || strcmp(other, path) == 0)
        other = check_workers_find_other(probe->arena, &user, path);
    if (!other && strcmp(path, QSOSYNC_DEFAULT_DB) != 0)
        other = QSOSYNC_DEFAULT_DB;
    return other ? arena_print(probe->arena, "qsosync-admin --db %s doctor %s",
                               shell_quote(probe->arena, other),
                               shell_quote(probe->arena, probe->base))
                 : advice_for_setting(probe);
}

/* A key that the logbook here knows: why it does not work. False: it should. */
static bool report_ended_key(struct probe *probe, struct text key)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct key_state state;
    if (!probe->doctor->store)
        return false;
    api_key_fingerprint(key, fingerprint);
    if (store_find_key_state(probe->doctor->store, probe->arena, fingerprint, &state) != STORE_DONE)
        return false;
    const char *callsign =
        arena_print(probe->arena, "%.*s", (int)state.callsign.length, state.callsign.bytes);
    const char *quoted = shell_quote(probe->arena, callsign);
    if (state.revoked_at_ms) {
        char time[DATETIME_TEXT_LENGTH];
        datetime_format(state.revoked_at_ms, time);
        findings_add(probe->findings, FINDING_PROBLEM, "authorization",
                     arena_print(probe->arena, "qsosync-admin key list %s", quoted),
                     "this key of %s was revoked on %.10s; the list shows which ones work",
                     callsign, time);
    } else if (!state.member_is_active) {
        findings_add(probe->findings, FINDING_PROBLEM, "authorization",
                     arena_print(probe->arena, "qsosync-admin member enable %s", quoted),
                     "the member %s is disabled: the key is right, and works again when the member "
                     "is enabled",
                     callsign);
    }
    return state.revoked_at_ms || !state.member_is_active;
}

/* Where the inner server cannot be asked, what is shipped for it is believed to be there. */
static bool is_removed_by_proxy(struct probe *probe)
{
    struct probe inner;
    struct http_response response;
    if (!check_proxy_find_inner(probe, &inner))
        return probe->way.is_there;
    probe_request(&inner, "GET", "/me", probe->authorization, NULL, NULL, &response);
    bool arrives = response.status == 200;
    http_client_free(&response);
    return arrives;
}

static void report_refused_key(struct probe *probe, struct text key)
{
    struct http_response response;
    char *other = arena_print(probe->arena, "X-API-Key: %.*s", (int)key.length, key.bytes);
    probe_request(probe, "GET", "/me", other, NULL, NULL, &response);
    explicit_bzero(other, strlen(other));
    if (response.status == 200 && is_removed_by_proxy(probe))
        findings_add(probe->findings, FINDING_PROBLEM, "authorization",
                     "let the proxy pass the header Authorization on; in another nginx: "
                     "proxy_set_header Authorization $http_authorization;",
                     "the proxy removes the header Authorization (X-API-Key arrives)");
    else if (response.status == 200)
        findings_add(probe->findings, FINDING_PROBLEM, "authorization", probe_fix_for_site(probe),
                     "the web server removes the header Authorization (X-API-Key arrives)");
    else if (report_ended_key(probe, key))
        ;
    else if (is_known_here(probe, key) == 1)
        findings_add(probe->findings, FINDING_PROBLEM, "authorization", advice_for_setting(probe),
                     "the service refuses a key that %s knows: it uses another logbook, or the web "
                     "server removes both headers",
                     probe->doctor->database);
    else
        findings_add(
            probe->findings, FINDING_PROBLEM, "authorization",
            "qsosync-admin key list && qsosync-admin member list",
            "the service does not accept this key: it was revoked, its member is disabled, or it "
            "is for another service; the lists on its machine show which");
    http_client_free(&response);
}

static void report_failed_lookup(struct probe *probe, long status)
{
    probe->failed = true;
    findings_add(probe->findings, FINDING_PROBLEM, "authorization",
                 check_workers_fix_for_logbook(probe->doctor),
                 "the service cannot look up a key (status %ld)%s", status,
                 probe_health(probe) == 200
                     ? ", while /healthz answers 200: the pages see another logbook or have other "
                       "rights"
                     : "");
}

static bool check_known(struct probe *probe, struct text key)
{
    struct http_response response;
    probe_request(probe, "GET", "/me", probe->authorization, NULL, NULL, &response);
    long status = response.status;
    http_client_free(&response);
    if (status == 401) {
        report_refused_key(probe, key);
        return false;
    }
    if (status == 429) {
        findings_add(probe->findings, FINDING_PROBLEM, "authorization", probe_fix_by_waiting(probe),
                     "this address has made too many requests (status 429)");
        return false;
    }
    if (status != 200) {
        report_failed_lookup(probe, status);
        return false;
    }
    if (is_known_here(probe, key) == 0)
        findings_add(
            probe->findings, FINDING_WARNING, "authorization", fix_for_choice(probe),
            "the service accepts the key, but %s does not know it: it is not the service's "
            "logbook",
            probe->doctor->database);
    else
        findings_add(probe->findings, FINDING_OK, "authorization", NULL, "the key arrives");
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
    struct http_response response;
    memset(body, 'x', length);
    memcpy(body, before, strlen(before));
    memcpy(body + length - strlen(after), after, strlen(after));
    http_client_send(&request, probe->arena, &response);
    *status = response.status;
    bool judged = (response.status == 400 && probe_contains(&response, "entries")) ||
                  (response.status == 403 && probe_contains(&response, "{\"error\":"));
    http_client_free(&response);
    free(body);
    return judged;
}

/* A failure says nothing about the size of a body unless a small one arrives. */
static void check_body(struct probe *probe)
{
    struct probe inner;
    long status, small, inside;
    if (send_body(probe, BODY_BYTES, &status))
        findings_add(probe->findings, FINDING_OK, "body", NULL, "a body of 2 MiB arrives");
    else if (status >= 500 && !send_body(probe, BODY_BYTES_SMALL, &small))
        probe_has_failed(probe, "body", &(struct http_response){.status = status});
    else if (probe->way.is_there &&
             (!check_proxy_find_inner(probe, &inner) || send_body(&inner, BODY_BYTES, &inside)))
        findings_add(probe->findings, FINDING_PROBLEM, "body",
                     "let the proxy pass bodies of 8 MiB on; in another nginx: "
                     "client_max_body_size 8m;",
                     "a body of 2 MiB does not pass the proxy, and a batch of 200 QSOs may be as "
                     "large (status %ld)",
                     status);
    else
        findings_add(probe->findings, FINDING_PROBLEM, "body", probe_fix_for_site(probe),
                     "a body of 2 MiB does not arrive, and a batch of 200 QSOs may be as large "
                     "(status %ld)",
                     status);
}

static void check_log(struct probe *probe)
{
    struct http_response response;
    probe_request(probe, "GET", "/logs?limit=1", probe->authorization, NULL, NULL, &response);
    if (probe->failed)
        ;
    else if (response.status != 200 || !probe_contains(&response, "\"serverTime\""))
        findings_add(probe->findings, FINDING_PROBLEM, "log",
                     check_workers_fix_for_logbook(probe->doctor),
                     "the log cannot be read (status %ld)", response.status);
    else if (!probe_header(probe, &response, "X-Log-Epoch"))
        findings_add(probe->findings, FINDING_PROBLEM, "log", probe_fix_for_site(probe),
                     "answers lack X-Log-Epoch, by which clients notice a restored logbook");
    else
        findings_add(probe->findings, FINDING_OK, "log", NULL, "the log can be read");
    http_client_free(&response);
}

/* A key of nobody is looked up in the logbook like any other. */
static bool check_without_key(struct probe *probe)
{
    char key[API_KEY_LENGTH + 1];
    struct http_response response;
    if (!api_key_make(key))
        return true;
    probe_request(probe, "GET", "/me", arena_print(probe->arena, "Authorization: Bearer %s", key),
                  NULL, NULL, &response);
    if (response.status >= 500)
        report_failed_lookup(probe, response.status);
    http_client_free(&response);
    return !probe->failed;
}

void check_key(struct probe *probe, struct text key)
{
    if (!key.bytes) {
        if (!check_without_key(probe))
            return;
        findings_add(probe->findings, FINDING_WARNING, "authorization",
                     arena_print(probe->arena,
                                 "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && qsosync-admin "
                                 "doctor %s",
                                 shell_quote(probe->arena, probe->base)),
                     "no key was given: whether keys and bodies arrive was not checked");
        return;
    }
    if (!api_key_is_well_formed(key)) {
        findings_add(probe->findings, FINDING_PROBLEM, "authorization", "copy the key again",
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
