/* Sends requests to one service and reads its answers, for all checks of it; and makes the commands
 * to paste that several of them advise. Which web server answers is told by its headers or, without
 * them, by what is installed here. */
#include "doctor/probe.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "doctor/machine.h"

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
                                   .url = arena_print(probe->arena, "%s%s", probe->base, path),
                                   .source = probe->source};
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

/* Behind a proxy the answer names that one's server, or none. */
static bool has_apache_site(void)
{
    static const char *const names[] = {"qsosync-proxy-fcgi", "qsosync-fcgid", "qsosync-cgi",
                                        "qsosync"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "/etc/apache2/sites-enabled/%s.conf", names[i]);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

const char *probe_fix(const struct probe *probe, const char *nginx, const char *apache)
{
    if (probe->way.is_there)
        return has_apache_site() ? apache : nginx;
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

/* The user's own folder where QSOsync is installed in it, as on a shared host, whose user has no
 * root's rights and no other site's file than .htaccess; NULL: it is installed for the machine. */
static const char *find_account(void)
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    bool is_account =
        length > 1 && geteuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0;
    return is_account ? home : NULL;
}

/* A file of apache/ that is the .htaccess of a folder, and the program in it. */
static const char *fix_for_account(const struct probe *probe, const char *file, const char *folder,
                                   const char *program, const char *name)
{
    const char *home = find_account();
    return arena_print(probe->arena,
                       "install -m 644 " QSOSYNC_SHARED_FILES
                       "/apache/%s %s/public_html/%s.htaccess"
                       " && install -m 755 %s %s/public_html/%s%s",
                       file, home, folder, program, home, folder, name);
}

static const char *put_site(const struct probe *probe)
{
    const char *host = shell_quote(probe->arena, probe_host(probe));
    return probe_fix(probe, arena_print(probe->arena, PROBE_PUT_SITE "nginx %s", host),
                     arena_print(probe->arena, PROBE_PUT_SITE "apache %s", host));
}

const char *probe_fix_for_site(const struct probe *probe)
{
    return find_account() ? fix_for_account(probe, "htaccess", "api/", QSOSYNC_WORKER, "v1")
                          : put_site(probe);
}

/* The folder of the profile, which former versions had there, with an .htaccess that asks for a
 * password. */
static const char *fix_former_profile(const struct probe *probe)
{
    const char *home = find_account();
    bool is_there =
        home &&
        access(arena_print(probe->arena, "%s/public_html/profile/.htaccess", home), F_OK) == 0;
    return is_there ? arena_print(probe->arena, "mv %s/public_html/profile %s/former-profile", home,
                                  home)
                    : NULL;
}

const char *probe_fix_for_pages(const struct probe *probe)
{
    const char *former = fix_former_profile(probe);
    if (former)
        return former;
    return find_account() ? fix_for_account(probe, "htaccess-pages", "", QSOSYNC_SITE_WORKER,
                                            "qsosync-site.fcgi")
                          : put_site(probe);
}

bool probe_asks_this_machine(const struct probe *probe)
{
    static const char *const names[] = {"localhost", "127.", "[::1]"};
    const char *host = strstr(probe->base, "://") + 3;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(host, names[i], strlen(names[i])) == 0)
            return true;
    return false;
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

void probe_request_site(struct probe *probe, const char *method, const char *path,
                        struct http_response *response)
{
    struct probe site = *probe;
    size_t length = strlen(probe->base) - strlen("/api/v1");
    site.base = arena_print(probe->arena, "%.*s", (int)length, probe->base);
    probe_request(&site, method, path, NULL, NULL, NULL, response);
}

long probe_health(struct probe *probe)
{
    struct http_response response;
    probe_request_site(probe, "GET", "/healthz", &response);
    long status = response.failure == HTTP_ANSWERED ? response.status : 0;
    http_client_free(&response);
    return status;
}
