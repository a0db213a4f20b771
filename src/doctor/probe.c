/* Sends requests to one service and reads its answers, for all checks of it; and makes the commands
 * to paste that several of them advise. Which web server answers is told by its headers or, without
 * them, by what is installed here. */
#include "doctor/probe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "doctor/check_workers.h"
#include "doctor/shell.h"

const char *probe_header(struct probe *probe, const struct http_response *response,
                         const char *name)
{
    int count;
    return http_client_header(response, probe->arena, name, &count);
}

bool probe_contains(const struct http_response *response, const char *text)
{
    return strstr(response->body.bytes, text) != NULL;
}

void probe_request(struct probe *probe, const char *method, const char *path, const char *first,
                   const char *second, const char *third, struct http_response *response)
{
    struct http_request request = {.method = method,
                                   .url = arena_print(probe->arena, "%s%s", probe->base, path)};
    const char *const headers[] = {first, second, third};
    int count = 0;
    for (size_t i = 0; i < 3; i++)
        if (headers[i])
            request.headers[count++] = headers[i];
    http_client_send(&request, probe->arena, response);
}

/* Which web server this machine has, where the answer does not say. */
static bool runs_apache(void)
{
    return access("/run/apache2/apache2.pid", F_OK) == 0 ||
           (access("/usr/sbin/nginx", F_OK) != 0 && access("/usr/sbin/apache2", F_OK) == 0);
}

const char *probe_fix(const struct probe *probe, const char *nginx, const char *apache)
{
    if (probe->nginx)
        return nginx;
    if (probe->apache)
        return apache;
    return runs_apache() ? apache : nginx;
}

const char *probe_host(const struct probe *probe)
{
    const char *host = strstr(probe->base, "://") + 3;
    size_t length = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    return arena_print(probe->arena, "%.*s", (int)length, host);
}

/* Without root's rights there is only the .htaccess. */
static const char *fix_for_account(const struct probe *probe, const char *home)
{
    return arena_print(probe->arena,
                       "install -m 644 " QSOSYNC_SHARED_FILES "/apache/htaccess "
                       "%s/public_html/api/.htaccess && install -m 755 " QSOSYNC_WORKER
                       " %s/public_html/api/v1",
                       home, home);
}

const char *probe_fix_for_site(const struct probe *probe)
{
    const char *home = getenv("HOME"), *host = shell_quote(probe->arena, probe_host(probe));
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && geteuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0)
        return fix_for_account(probe, home);
    return probe_fix(probe, arena_print(probe->arena, PROBE_PUT_SITE "nginx %s", host),
                     arena_print(probe->arena, PROBE_PUT_SITE "apache %s", host));
}

const char *probe_fix_by_waiting(const struct probe *probe)
{
    return arena_print(probe->arena, "sleep 60; qsosync-admin doctor %s",
                       shell_quote(probe->arena, probe->base));
}

int64_t probe_number(const char *text, int64_t otherwise)
{
    int64_t number;
    return text && text_parse_integer(text_of(text), 0, INT32_MAX, &number) ? number : otherwise;
}

bool probe_has_failed(struct probe *probe, const char *check, const struct http_response *response)
{
    if (response->status < 500 || probe->failed)
        return probe->failed;
    probe->failed = true;
    findings_add(
        probe->findings, FINDING_PROBLEM, check, check_workers_fix_for_logbook(probe->doctor),
        "the service answers with a failure of its own (status %ld): what else may be wrong "
        "was not asked",
        response->status);
    return true;
}

long probe_health(struct probe *probe)
{
    struct http_response response;
    struct probe site = *probe;
    const char *api = strstr(probe->base, "/api/v1");
    site.base = arena_print(probe->arena, "%.*s", (int)(api - probe->base), probe->base);
    probe_request(&site, "GET", "/healthz", NULL, NULL, NULL, &response);
    long status = response.failure == HTTP_ANSWERED ? response.status : 0;
    http_client_free(&response);
    return status;
}
