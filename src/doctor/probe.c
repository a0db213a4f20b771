/* Sends requests to one service and reads its answers, for all checks of it; and makes the lines to
 * paste that several of them advise. Which web server answers is told by its headers or, without
 * them, by what is installed here. */
#include "doctor/probe.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

/* Sends requests by libcurl, whose functions are looked up by name when the first request is made:
 * no other command needs the library. Failures are sorted into the few that the doctor explains.
 * Redirects are never followed; which requests are sent is decided by the checks. */

#define LIBRARY "libcurl.so.4"
#ifdef QSOSYNC_PORTABLE
#define ABSENT "a portable program loads no " LIBRARY "; ask from a machine that has the package"
#else
#define ABSENT LIBRARY " is not installed"
#endif
#define BYTES_KEPT 65536
#define CONNECT_SECONDS 10L
#define SECONDS_MAX 120L
#define SILENT_SECONDS_MAX 10L

/* The functions that are used, and one handle, so that a connection serves many requests. */
#define FUNCTIONS(EACH)                                                                            \
    EACH(easy_init)                                                                                \
    EACH(easy_reset)                                                                               \
    EACH(easy_setopt)                                                                              \
    EACH(easy_perform)                                                                             \
    EACH(easy_getinfo) EACH(easy_strerror) EACH(slist_append) EACH(slist_free_all)

static struct {
    CURL *handle;
#define DECLARE(name) __typeof__(curl_##name) *name;
    FUNCTIONS(DECLARE)
} curl;

const char *http_client_load(void)
{
    const struct {
        const char *name;
        void *pointer;
    } functions[] = {
#define NAME(name) {"curl_" #name, &curl.name},
        FUNCTIONS(NAME)};
    void *library = dlopen(LIBRARY, RTLD_LAZY);
    if (!library)
        return ABSENT;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function)
            return LIBRARY " is too old";
        memcpy(functions[i].pointer, &function, sizeof function);
    }
    curl.handle = curl.easy_init();
    return curl.handle ? NULL : LIBRARY " does not start";
}

static size_t keep(struct buffer *kept, size_t maximum, const char *bytes, size_t length)
{
    size_t left = kept->length < maximum ? maximum - kept->length : 0;
    buffer_append(kept, bytes, length < left ? length : left);
    return length;
}

static size_t keep_part(char *bytes, size_t size, size_t count, void *context)
{
    return keep(context, BYTES_KEPT, bytes, size * count);
}

/* What comes after that is not waited for. */
static size_t keep_whole(char *bytes, size_t size, size_t count, void *context)
{
    struct buffer *body = context;
    bool fits = body->length + size * count <= HTTP_BODY_MAX;
    return fits ? keep(body, HTTP_BODY_MAX, bytes, size * count) : 0;
}

static enum http_failure judge(CURLcode code)
{
    static const struct {
        CURLcode code;
        enum http_failure failure;
    } known[] = {
        {CURLE_OK, HTTP_ANSWERED},
        {CURLE_COULDNT_RESOLVE_HOST, HTTP_NO_NAME},
        {CURLE_COULDNT_RESOLVE_PROXY, HTTP_NO_NAME},
        {CURLE_COULDNT_CONNECT, HTTP_NO_CONNECTION},
        {CURLE_OPERATION_TIMEDOUT, HTTP_TIMEOUT},
        {CURLE_PEER_FAILED_VERIFICATION, HTTP_CERTIFICATE},
        {CURLE_SSL_ISSUER_ERROR, HTTP_CERTIFICATE},
        {CURLE_SSL_CONNECT_ERROR, HTTP_NO_TLS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].failure;
    return HTTP_CUT_OFF;
}

static const char *find_line(const struct curl_slist *lines, const char *name)
{
    size_t length = strlen(name);
    for (; lines; lines = lines->next)
        if (strncmp(lines->data, name, length) == 0)
            return lines->data + length;
    return NULL;
}

/* OpenSSL writes "Nov 21 12:00:00 2026 GMT". */
static void read_certificate(struct arena *arena, struct http_response *response)
{
    struct tm time = {0};
    struct curl_certinfo *chain = NULL;
    curl.easy_getinfo(curl.handle, CURLINFO_SSL_VERIFYRESULT, &response->verified);
    if (curl.easy_getinfo(curl.handle, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain ||
        chain->num_of_certs < 1)
        return;
    const char *end = find_line(chain->certinfo[0], "Expire date:");
    const char *issuer = find_line(chain->certinfo[0], "Issuer:");
    if (end && strptime(end, "%b %d %H:%M:%S %Y", &time))
        response->certificate_end_ms = (int64_t)timegm(&time) * 1000;
    if (chain->num_of_certs == 1 && issuer)
        response->lone_issuer = arena_print(arena, "%s", issuer);
}

static const char *find_address(struct arena *arena, CURLINFO which)
{
    const char *address = NULL;
    curl.easy_getinfo(curl.handle, which, &address);
    return address && *address ? arena_print(arena, "%s", address) : NULL;
}

static void set_options(const struct http_request *request)
{
    /* The same variable as for the command curl: for the certificate of a club's own authority. */
    const char *authority = getenv("CURL_CA_BUNDLE");
    curl.easy_reset(curl.handle);
    curl.easy_setopt(curl.handle, CURLOPT_URL, request->url);
    curl.easy_setopt(curl.handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl.easy_setopt(curl.handle, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(curl.handle, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
    curl.easy_setopt(curl.handle, CURLOPT_TIMEOUT, SECONDS_MAX);
    curl.easy_setopt(curl.handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl.easy_setopt(curl.handle, CURLOPT_LOW_SPEED_TIME, SILENT_SECONDS_MAX);
    curl.easy_setopt(curl.handle, CURLOPT_USERAGENT, "qsosync-admin");
    curl.easy_setopt(curl.handle, CURLOPT_CERTINFO, 1L);
    curl.easy_setopt(curl.handle, CURLOPT_HEADERFUNCTION, keep_part);
    curl.easy_setopt(curl.handle, CURLOPT_WRITEFUNCTION, request->whole ? keep_whole : keep_part);
    if (authority)
        curl.easy_setopt(curl.handle, CURLOPT_CAINFO, authority);
    if (request->unverified) {
        curl.easy_setopt(curl.handle, CURLOPT_SSL_VERIFYPEER, 0L);
        curl.easy_setopt(curl.handle, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (request->source)
        curl.easy_setopt(curl.handle, CURLOPT_INTERFACE, request->source);
    if (request->family) {
        curl.easy_setopt(curl.handle, CURLOPT_IPRESOLVE,
                         request->family == AF_INET6 ? CURL_IPRESOLVE_V6 : CURL_IPRESOLVE_V4);
        curl.easy_setopt(curl.handle, CURLOPT_FRESH_CONNECT, 1L);
        curl.easy_setopt(curl.handle, CURLOPT_FORBID_REUSE, 1L);
    }
    if (strcmp(request->method, "HEAD") == 0)
        curl.easy_setopt(curl.handle, CURLOPT_NOBODY, 1L);
    if (request->body) {
        curl.easy_setopt(curl.handle, CURLOPT_POSTFIELDS, request->body);
        curl.easy_setopt(curl.handle, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)request->body_length);
    }
    curl.easy_setopt(curl.handle, CURLOPT_CUSTOMREQUEST, request->method);
}

struct http_response http_client_send(const struct http_request *request, struct arena *arena)
{
    char reason[CURL_ERROR_SIZE] = "";
    struct curl_slist *headers = NULL;
    struct http_response response = {0};
    struct buffer head = {0}, body = {0};
    set_options(request);
    curl.easy_setopt(curl.handle, CURLOPT_HEADERDATA, &head);
    curl.easy_setopt(curl.handle, CURLOPT_WRITEDATA, &body);
    for (const char *const *header = request->headers; *header; header++)
        headers = curl.slist_append(headers, *header);
    curl.easy_setopt(curl.handle, CURLOPT_HTTPHEADER, headers);
    curl.easy_setopt(curl.handle, CURLOPT_ERRORBUFFER, reason);
    CURLcode code = curl.easy_perform(curl.handle);
    curl.easy_setopt(curl.handle, CURLOPT_ERRORBUFFER, NULL);
    curl.easy_setopt(curl.handle, CURLOPT_HTTPHEADER, NULL);
    for (struct curl_slist *header = headers; header; header = header->next)
        explicit_bzero(header->data, strlen(header->data));
    curl.slist_free_all(headers);
    response.failure = judge(code);
    response.reason = arena_print(arena, "%s", *reason ? reason : curl.easy_strerror(code));
    curl.easy_getinfo(curl.handle, CURLINFO_RESPONSE_CODE, &response.status);
    response.local = find_address(arena, CURLINFO_LOCAL_IP);
    response.peer = find_address(arena, CURLINFO_PRIMARY_IP);
    read_certificate(arena, &response);
    response.headers = arena_copy(arena, head.bytes ? head.bytes : "", head.length);
    response.body = arena_copy(arena, body.bytes ? body.bytes : "", body.length);
    buffer_free(&head);
    buffer_free(&body);
    return response;
}

const char *http_client_header(const struct http_response *response, struct arena *arena,
                               const char *name, int *count)
{
    const char *found = NULL;
    size_t length = strlen(name);
    *count = 0;
    for (const char *line = response->headers; *line; line += strcspn(line, "\n")) {
        line += strspn(line, "\n");
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        const char *value = line + length + 1;
        value += strspn(value, " \t");
        found = arena_copy(arena, value, strcspn(value, "\r\n"));
        ++*count;
    }
    return found;
}

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
    return strstr(response->body, text) != NULL;
}

struct http_response probe_ask_with(struct probe *probe, const char *method, const char *path,
                                    const char *const *headers)
{
    struct http_request request = {.method = method,
                                   .url = arena_print(probe->arena, "%s%s", probe->site, path)};
    for (size_t i = 0; i < HTTP_HEADERS_MAX && headers[i]; i++)
        request.headers[i] = headers[i];
    return http_client_send(&request, probe->arena);
}

/* Behind a proxy the answer names that one's server, or none. */
const char *probe_fix(const struct probe *probe, const char *nginx, const char *apache)
{
    if (probe->is_nginx || probe->is_apache)
        return probe->is_nginx ? nginx : apache;
    bool is_apache = access("/usr/sbin/nginx", F_OK) != 0 && access("/usr/sbin/apache2", F_OK) == 0;
    return is_apache || access("/run/apache2/apache2.pid", F_OK) == 0 ? apache : nginx;
}

/* A shared host's user has no root's rights, and no other site's file than .htaccess, which may be
 * another program's. */
static bool is_on_shared_host(void)
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    return length > 1 && geteuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0;
}

const char *probe_fix_by_putting(const struct probe *probe, const char *before, const char *option)
{
    const char *host = shell_quote(probe->arena, probe->host);
    const char *server = probe_fix(probe, "nginx", "apache");
    return is_on_shared_host()
               ? NULL
               : arena_print(probe->arena, "%s" PUT_SITE "%s %s%s", before, server, host, option);
}

const char *probe_fix_for_site(const struct probe *probe)
{
    const char *line = probe_fix_by_putting(probe, "", "");
    return line ? line : "put the files .htaccess there as README says for a shared host";
}

const char *probe_fix_for_way(const struct probe *probe, const char *proxy)
{
    return probe->way.is_there ? proxy : probe_fix_for_site(probe);
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
