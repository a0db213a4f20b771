/* What only a client with a key can find out. */
#include "admin/doctor_key.h"

#include <stdlib.h>
#include <string.h>

#include "admin/doctor_workers.h"
#include "admin/workers.h"
#include "base/api_key.h"
#include "base/folder.h"

#define BODY_BYTES (2 << 20)

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

/* The workers of the shipped units, with this logbook. */
static const char *fix_for_setting(const struct conversation *with)
{
    const char *path = with->invocation->database;
    return arena_print(
        with->arena,
        "for u in qsosync qsosync-site; do mkdir -p /etc/systemd/system/$u.service.d && printf "
        "'[Service]\\nEnvironment=QSOSYNC_DB=%%s\\nReadWritePaths=%%s\\n' %s %s > "
        "/etc/systemd/system/$u.service.d/logbook.conf; done; systemctl daemon-reload; systemctl "
        "restart qsosync.service qsosync-site.service",
        command_quote(with->arena, path), command_quote(with->arena, folder_of(path, with->arena)));
}

/* The logbook that the service uses, where its workers can be seen; otherwise the usual one. */
static const char *fix_for_choice(const struct conversation *with)
{
    for (struct worker *worker = workers_find(with->arena); worker; worker = worker->next)
        if (worker->logbook && strcmp(worker->logbook, with->invocation->database) != 0)
            return arena_print(with->arena, "qsosync-admin --db %s doctor %s",
                               command_quote(with->arena, worker->logbook), with->base);
    if (strcmp(with->invocation->database, QSOSYNC_DEFAULT_DB) != 0)
        return arena_print(with->arena, "qsosync-admin --db " QSOSYNC_DEFAULT_DB " doctor %s",
                           with->base);
    return fix_for_setting(with);
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
    else if (is_known_here(with, key) == 1)
        findings_add(with->findings, FINDING_TROUBLE, "authorization", fix_for_setting(with),
                     "the service refuses a key that %s knows: it uses another logbook, or the web "
                     "server removes both headers",
                     with->invocation->database);
    else
        findings_add(
            with->findings, FINDING_TROUBLE, "authorization",
            "qsosync-admin key list; qsosync-admin key add CALLSIGN --name NAME --scope READ",
            "the service does not accept this key: it was revoked, its member is disabled, "
            "or it is for another service");
    http_client_free(&response);
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
        findings_add(with->findings, FINDING_TROUBLE, "authorization",
                     doctor_workers_fix_for_logbook(with->invocation),
                     "the service cannot look up a key (status %ld)", status);
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

/* A body that is always refused as a whole, so that nothing is saved, whatever the key may do. */
static void check_body(struct conversation *with)
{
    static const char before[] = "{\"entries\":\"", after[] = "\"}";
    char *body = memory_allocate(BODY_BYTES);
    struct http_request request = {
        .method = "POST",
        .url = arena_print(with->arena, "%s/logs/batch", with->base),
        .headers = {with->authorization, "Content-Type: application/json", "Expect:", NULL},
        .body = body,
        .body_length = BODY_BYTES};
    struct http_response response;
    memset(body, 'x', BODY_BYTES);
    memcpy(body, before, strlen(before));
    memcpy(body + BODY_BYTES - strlen(after), after, strlen(after));
    http_client_send(&request, with->arena, &response);
    bool judged = (response.status == 400 && conversation_holds(&response, "entries")) ||
                  (response.status == 403 && conversation_holds(&response, "{\"error\":"));
    if (judged)
        findings_add(with->findings, FINDING_OK, "body", NULL, "a body of 2 MiB arrives");
    else
        findings_add(with->findings, FINDING_TROUBLE, "body", conversation_fix_for_site(with),
                     "a body of 2 MiB does not arrive, and a batch of 200 QSOs may be as large "
                     "(status %ld)",
                     response.status);
    http_client_free(&response);
    free(body);
}

static void check_log(struct conversation *with)
{
    struct http_response response;
    conversation_ask(with, "GET", "/logs?limit=1", with->authorization, NULL, NULL, &response);
    if (response.status != 200 || !conversation_holds(&response, "\"serverTime\""))
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

void doctor_ask_with_key(struct conversation *with, struct text key)
{
    if (!key.bytes) {
        findings_add(with->findings, FINDING_WARNING, "authorization",
                     arena_print(with->arena,
                                 "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && qsosync-admin "
                                 "doctor %s",
                                 with->base),
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
