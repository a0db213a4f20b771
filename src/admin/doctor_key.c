/* What only a client with a key can find out. */
#include "admin/doctor_key.h"

#include <stdlib.h>
#include <string.h>

#include "admin/doctor_workers.h"
#include "admin/units.h"
#include "base/api_key.h"
#include "base/datetime.h"
#include "base/folder.h"

#define BODY_BYTES (2 << 20)
#define BODY_BYTES_SMALL 64

/* Whether the logbook on this machine knows the key; -1: there is none, or it cannot be read. */
static int is_known_here(struct conversation *with, struct text key)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct identity identity;
    if (!with->invocation->store || !api_key_fingerprint(key, fingerprint))
        return -1;
    enum store_result result =
        store_find_identity(with->invocation->store, with->arena, fingerprint, &identity);
    return result == STORE_DONE ? 1 : result == STORE_NONE ? 0 : -1;
}

/* The operator's own units: which logbook is right is not known here. */
static const char *advice_for_setting(const struct conversation *with)
{
    const char *path = with->invocation->database;
    return arena_print(with->arena,
                       "let both units have Environment=QSOSYNC_DB=%s and ReadWritePaths=%s - "
                       "systemctl edit qsosync.service qsosync-site.service",
                       path, folder_of(path, with->arena));
}

/* The logbook that the service uses, where its workers can be seen; otherwise the usual one. */
static const char *fix_for_choice(const struct conversation *with)
{
    struct unit unit;
    struct doctor_user user;
    const char *path = with->invocation->database;
    doctor_find_workers(with->invocation, folder_of(path, with->arena), &user);
    units_read(with->arena, "qsosync.service", &unit);
    const char *other = units_variable(&unit, "QSOSYNC_DB");
    if (!other || strcmp(other, path) == 0)
        other = doctor_workers_find_other(with->arena, &user, path);
    if (!other && strcmp(path, QSOSYNC_DEFAULT_DB) != 0)
        other = QSOSYNC_DEFAULT_DB;
    return other ? arena_print(with->arena, "qsosync-admin --db %s doctor %s",
                               command_quote(with->arena, other),
                               command_quote(with->arena, with->base))
                 : advice_for_setting(with);
}

/* A key that the logbook here knows: why it does not work. False: it should. */
static bool report_ended_key(struct conversation *with, struct text key)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    struct key_state state;
    if (!with->invocation->store || !api_key_fingerprint(key, fingerprint) ||
        store_find_key_state(with->invocation->store, with->arena, fingerprint, &state) !=
            STORE_DONE)
        return false;
    const char *callsign =
        arena_print(with->arena, "%.*s", (int)state.callsign.length, state.callsign.bytes);
    const char *quoted = command_quote(with->arena, callsign);
    if (state.revoked_at_ms) {
        char time[DATETIME_TEXT_LENGTH];
        datetime_format(state.revoked_at_ms, time);
        findings_add(with->findings, FINDING_TROUBLE, "authorization",
                     arena_print(with->arena, "qsosync-admin key list %s", quoted),
                     "this key of %s was revoked on %.10s; the list shows which ones work",
                     callsign, time);
    } else if (!state.member_is_active) {
        findings_add(with->findings, FINDING_TROUBLE, "authorization",
                     arena_print(with->arena, "qsosync-admin member enable %s", quoted),
                     "the member %s is disabled: the key is right, and works again when the member "
                     "is enabled",
                     callsign);
    }
    return state.revoked_at_ms || !state.member_is_active;
}

static void report_refused_key(struct conversation *with, struct text key)
{
    struct http_response response;
    char *other = arena_print(with->arena, "X-API-Key: %.*s", (int)key.length, key.bytes);
    conversation_ask(with, "GET", "/me", other, NULL, NULL, &response);
    explicit_bzero(other, strlen(other));
    if (response.status == 200)
        findings_add(with->findings, FINDING_TROUBLE, "authorization",
                     conversation_fix_for_site(with),
                     "the web server removes the header Authorization (X-API-Key arrives)");
    else if (report_ended_key(with, key))
        ;
    else if (is_known_here(with, key) == 1)
        findings_add(with->findings, FINDING_TROUBLE, "authorization", advice_for_setting(with),
                     "the service refuses a key that %s knows: it uses another logbook, or the web "
                     "server removes both headers",
                     with->invocation->database);
    else
        findings_add(
            with->findings, FINDING_TROUBLE, "authorization",
            "qsosync-admin key list && qsosync-admin member list",
            "the service does not accept this key: it was revoked, its member is disabled, or it "
            "is for another service; the lists on its machine show which");
    http_client_free(&response);
}

static void report_failed_lookup(struct conversation *with, long status)
{
    with->failed = true;
    findings_add(with->findings, FINDING_TROUBLE, "authorization",
                 doctor_workers_fix_for_logbook(with->invocation),
                 "the service cannot look up a key (status %ld)%s", status,
                 conversation_ask_health(with) == 200
                     ? ", while /healthz answers 200: the pages see another logbook or have other "
                       "rights"
                     : "");
}

static bool check_key(struct conversation *with, struct text key)
{
    struct http_response response;
    conversation_ask(with, "GET", "/me", with->authorization, NULL, NULL, &response);
    long status = response.status;
    http_client_free(&response);
    if (status == 401) {
        report_refused_key(with, key);
        return false;
    }
    if (status == 429) {
        findings_add(with->findings, FINDING_TROUBLE, "authorization",
                     conversation_fix_by_waiting(with),
                     "this address has made too many requests (status 429)");
        return false;
    }
    if (status != 200) {
        report_failed_lookup(with, status);
        return false;
    }
    if (is_known_here(with, key) == 0)
        findings_add(
            with->findings, FINDING_WARNING, "authorization", fix_for_choice(with),
            "the service accepts the key, but %s does not know it: it is not the service's "
            "logbook",
            with->invocation->database);
    else
        findings_add(with->findings, FINDING_OK, "authorization", NULL, "the key arrives");
    return true;
}

/* Sends a body of this size that is always refused as a whole, so that nothing is saved, whatever
 * the key may do. Whether the API has judged it. */
static bool send_body(struct conversation *with, size_t length, long *status)
{
    static const char before[] = "{\"entries\":\"", after[] = "\"}";
    char *body = memory_allocate(length);
    struct http_request request = {
        .method = "POST",
        .url = arena_print(with->arena, "%s/logs/batch", with->base),
        .headers = {with->authorization, "Content-Type: application/json", "Expect:", NULL},
        .body = body,
        .body_length = length};
    struct http_response response;
    memset(body, 'x', length);
    memcpy(body, before, strlen(before));
    memcpy(body + length - strlen(after), after, strlen(after));
    http_client_send(&request, with->arena, &response);
    *status = response.status;
    bool judged = (response.status == 400 && conversation_holds(&response, "entries")) ||
                  (response.status == 403 && conversation_holds(&response, "{\"error\":"));
    http_client_free(&response);
    free(body);
    return judged;
}

/* A failure says nothing about the size of a body unless a small one arrives. */
static void check_body(struct conversation *with)
{
    long status, small;
    if (send_body(with, BODY_BYTES, &status))
        findings_add(with->findings, FINDING_OK, "body", NULL, "a body of 2 MiB arrives");
    else if (status >= 500 && !send_body(with, BODY_BYTES_SMALL, &small))
        conversation_has_failed(with, "body", &(struct http_response){.status = status});
    else
        findings_add(with->findings, FINDING_TROUBLE, "body", conversation_fix_for_site(with),
                     "a body of 2 MiB does not arrive, and a batch of 200 QSOs may be as large "
                     "(status %ld)",
                     status);
}

static void check_log(struct conversation *with)
{
    struct http_response response;
    conversation_ask(with, "GET", "/logs?limit=1", with->authorization, NULL, NULL, &response);
    if (with->failed)
        ;
    else if (response.status != 200 || !conversation_holds(&response, "\"serverTime\""))
        findings_add(with->findings, FINDING_TROUBLE, "log",
                     doctor_workers_fix_for_logbook(with->invocation),
                     "the log cannot be read (status %ld)", response.status);
    else if (!conversation_header(with, &response, "X-Log-Epoch"))
        findings_add(with->findings, FINDING_TROUBLE, "log", conversation_fix_for_site(with),
                     "answers lack X-Log-Epoch, by which clients notice a restored logbook");
    else
        findings_add(with->findings, FINDING_OK, "log", NULL, "the log can be read");
    http_client_free(&response);
}

/* A key of nobody is looked up in the logbook like any other. */
static bool check_without_key(struct conversation *with)
{
    char key[API_KEY_LENGTH + 1];
    struct http_response response;
    if (!api_key_make(key))
        return true;
    conversation_ask(with, "GET", "/me", arena_print(with->arena, "Authorization: Bearer %s", key),
                     NULL, NULL, &response);
    if (response.status >= 500)
        report_failed_lookup(with, response.status);
    http_client_free(&response);
    return !with->failed;
}

void doctor_ask_with_key(struct conversation *with, struct text key)
{
    if (!key.bytes) {
        if (!check_without_key(with))
            return;
        findings_add(with->findings, FINDING_WARNING, "authorization",
                     arena_print(with->arena,
                                 "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && qsosync-admin "
                                 "doctor %s",
                                 command_quote(with->arena, with->base)),
                     "no key was given: whether keys and bodies arrive was not checked");
        return;
    }
    if (!api_key_is_well_formed(key)) {
        findings_add(with->findings, FINDING_TROUBLE, "authorization", "copy the key again",
                     "this is not a key, or it was mistyped: its last characters do not fit");
        return;
    }
    char *header =
        arena_print(with->arena, "Authorization: Bearer %.*s", (int)key.length, key.bytes);
    with->authorization = header;
    if (check_key(with, key)) {
        check_body(with);
        check_log(with);
    }
    with->authorization = NULL;
    explicit_bzero(header, strlen(header));
}
