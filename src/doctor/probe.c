/* Sends requests to one service and reads its answers, for all checks of it; and makes the lines to
 * paste that several of them advise. Which web server answers is told by its headers or, without
 * them, by what is installed here. */
#include "doctor/probe.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "

const char *probe_header(struct probe *probe, const struct http_response *response,
                         const char *name)
{
    int count;
    return http_client_header(response, probe->arena, name, &count);
}

int64_t probe_number(struct probe *probe, const struct http_response *response, const char *name,
                     int64_t otherwise)
{
    int64_t number;
    const char *text = probe_header(probe, response, name);
    return text && text_parse_integer(text_of(text), 0, INT32_MAX, &number) ? number : otherwise;
}

bool probe_contains(const struct http_response *response, const char *text)
{
    return strstr(response->body.bytes, text) != NULL;
}

static void request(struct probe *probe, const char *method, const char *url,
                    const char *const headers[3], struct http_response *response)
{
    struct http_request request = {.method = method, .url = url, .source = probe->source};
    int count = 0;
    for (size_t i = 0; i < 3; i++)
        if (headers[i])
            request.headers[count++] = headers[i];
    http_client_send(&request, probe->arena, response);
}

void probe_request(struct probe *probe, const char *method, const char *path, const char *first,
                   const char *second, const char *third, struct http_response *response)
{
    request(probe, method, arena_print(probe->arena, "%s%s", probe->base, path),
            (const char *const[]){first, second, third}, response);
}

void probe_request_site(struct probe *probe, const char *method, const char *path,
                        const char *first, struct http_response *response)
{
    request(probe, method, arena_print(probe->arena, "%s%s", probe->site, path),
            (const char *const[]){first, NULL, NULL}, response);
}

/* Behind a proxy the answer names that one's server, or none. */
const char *probe_fix(const struct probe *probe, const char *nginx, const char *apache)
{
    bool has_nginx = access("/usr/sbin/nginx", F_OK) == 0;
    bool has_apache = access("/usr/sbin/apache2", F_OK) == 0;
    if (probe->is_nginx || probe->is_apache)
        return probe->is_nginx ? nginx : apache;
    return access("/run/apache2/apache2.pid", F_OK) == 0 || (!has_nginx && has_apache) ? apache
                                                                                       : nginx;
}

/* A shared host's user has no root's rights, and no other site's file than .htaccess, which may be
 * another program's. */
static bool is_on_shared_host(void)
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    return length > 1 && geteuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0;
}

const char *probe_fix_for_site(const struct probe *probe)
{
    const char *host = shell_quote(probe->arena, probe->host);
    if (is_on_shared_host())
        return "put the files .htaccess there as README says for a shared host";
    return probe_fix(probe, arena_print(probe->arena, PUT_SITE "nginx %s", host),
                     arena_print(probe->arena, PUT_SITE "apache %s", host));
}

bool probe_asks_this_machine(const struct probe *probe)
{
    static const char *const names[] = {"localhost", "127.", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(probe->host, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

const char *probe_fix_by_asking(const struct probe *probe, const char *address)
{
    return arena_print(probe->arena, "qsosync-admin doctor %s", shell_quote(probe->arena, address));
}

const char *probe_fix_by_waiting(const struct probe *probe)
{
    return arena_print(probe->arena, "sleep 60; %s", probe_fix_by_asking(probe, probe->base));
}

bool probe_has_failed(struct probe *probe, const char *check, const struct http_response *response)
{
    if (response->status < 500 || probe->failed)
        return probe->failed;
    probe->failed = true;
    findings_trouble(
        probe->doctor, check, workers_fix_for_logbook(probe->doctor),
        "the service answers with a failure of its own (status %ld): what else may be wrong was "
        "not asked",
        response->status);
    return true;
}
