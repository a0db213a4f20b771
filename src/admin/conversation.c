/* Sends questions to one service and reads its answers. */
#include "admin/conversation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admin/doctor_workers.h"

const char *conversation_header(struct conversation *with, const struct http_response *response,
                                const char *name)
{
    int count;
    return http_client_header(response, with->arena, name, &count);
}

bool conversation_holds(const struct http_response *response, const char *text)
{
    return strstr(response->body.bytes, text) != NULL;
}

void conversation_ask(struct conversation *with, const char *method, const char *path,
                      const char *first, const char *second, const char *third,
                      struct http_response *response)
{
    struct http_request request = {.method = method,
                                   .url = arena_print(with->arena, "%s%s", with->base, path)};
    const char *const headers[] = {first, second, third};
    int count = 0;
    for (size_t i = 0; i < 3; i++)
        if (headers[i])
            request.headers[count++] = headers[i];
    http_client_send(&request, with->arena, response);
}

/* Which web server this machine has, where the answer does not say. */
static bool runs_apache(void)
{
    return access("/run/apache2/apache2.pid", F_OK) == 0 ||
           (access("/usr/sbin/nginx", F_OK) != 0 && access("/usr/sbin/apache2", F_OK) == 0);
}

const char *conversation_fix(const struct conversation *with, const char *nginx, const char *apache)
{
    if (with->nginx)
        return nginx;
    if (with->apache)
        return apache;
    return runs_apache() ? apache : nginx;
}

const char *conversation_host(const struct conversation *with)
{
    const char *host = strstr(with->base, "://") + 3;
    size_t length = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    return arena_print(with->arena, "%.*s", (int)length, host);
}

/* Without root's rights there is only the .htaccess. */
static const char *fix_for_account(const struct conversation *with, const char *home)
{
    return arena_print(with->arena,
                       "install -m 644 " QSOSYNC_SHARED_FILES "/apache/htaccess "
                       "%s/public_html/api/.htaccess && install -m 755 " QSOSYNC_WORKER
                       " %s/public_html/api/v1",
                       home, home);
}

const char *conversation_fix_for_site(const struct conversation *with)
{
    const char *home = getenv("HOME"), *host = command_quote(with->arena, conversation_host(with));
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && geteuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0)
        return fix_for_account(with, home);
    return conversation_fix(with, arena_print(with->arena, CONVERSATION_PUT_SITE "nginx %s", host),
                            arena_print(with->arena, CONVERSATION_PUT_SITE "apache %s", host));
}

const char *conversation_fix_by_waiting(const struct conversation *with)
{
    return arena_print(with->arena, "sleep 60; qsosync-admin doctor %s",
                       command_quote(with->arena, with->base));
}

int64_t conversation_number(const char *text, int64_t otherwise)
{
    int64_t number;
    return text && text_parse_integer(text_of(text), 0, INT32_MAX, &number) ? number : otherwise;
}

bool conversation_has_failed(struct conversation *with, const char *check,
                             const struct http_response *response)
{
    if (response->status < 500 || with->failed)
        return with->failed;
    with->failed = true;
    findings_add(
        with->findings, FINDING_TROUBLE, check, doctor_workers_fix_for_logbook(with->invocation),
        "the service answers with a failure of its own (status %ld): what else may be wrong "
        "was not asked",
        response->status);
    return true;
}

long conversation_ask_health(struct conversation *with)
{
    struct http_response response;
    struct conversation site = *with;
    const char *api = strstr(with->base, "/api/v1");
    site.base = arena_print(with->arena, "%.*s", (int)(api - with->base), with->base);
    conversation_ask(&site, "GET", "/healthz", NULL, NULL, NULL, &response);
    long status = response.failure == HTTP_ANSWERED ? response.status : 0;
    http_client_free(&response);
    return status;
}
