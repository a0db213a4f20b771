/* Sends requests by libcurl, and makes the lines to paste that several checks of a service advise.
 * libcurl is loaded when the first request is made: no other command needs it. Failures are sorted
 * into the few that the doctor explains. Which web server answers is told by its headers or,
 * without them, by what is installed here. */
#include "doctor/probe.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

#define LIBRARY "libcurl.so.4"
#ifdef QSOSYNC_PORTABLE
#define ABSENT "a portable program loads no " LIBRARY "; ask from a machine that has the package"
#else
#define ABSENT LIBRARY " is not installed"
#endif
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

/* NULL, or why there is no client. */
static const char *load(void)
{
    void *library = curl.handle ? NULL : dlopen(LIBRARY, RTLD_LAZY);
    if (curl.handle)
        return NULL;
    if (!library)
        return ABSENT;
#define FIND(name)                                                                                 \
    curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name);                              \
    if (!curl.name)                                                                                \
        return LIBRARY " is too old";
    FUNCTIONS(FIND)
    curl.handle = curl.easy_init();
    return curl.handle ? NULL : LIBRARY " does not start";
}

/* What comes after that is not waited for. */
static size_t keep(char *bytes, size_t size, size_t count, void *context)
{
    struct buffer *kept = context;
    size_t length = size * count, left = HTTP_BYTES_MAX - kept->length;
    buffer_append(kept, bytes, length < left ? length : left);
    return length < left ? length : 0;
}

static enum http_failure judge(CURLcode code)
{
    static const struct {
        CURLcode code;
        enum http_failure failure;
    } known[] = {
        {CURLE_OK, HTTP_ANSWERED},
        {CURLE_WRITE_ERROR, HTTP_TOO_LARGE},
        {CURLE_COULDNT_RESOLVE_HOST, HTTP_NO_NAME},
        {CURLE_COULDNT_CONNECT, HTTP_NO_CONNECTION},
        {CURLE_OPERATION_TIMEDOUT, HTTP_TIMEOUT},
        {CURLE_PEER_FAILED_VERIFICATION, HTTP_CERTIFICATE},
        {CURLE_SSL_CONNECT_ERROR, HTTP_NO_TLS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].failure;
    return HTTP_CUT_OFF;
}

static const char *find_line(const struct curl_slist *lines, const char *name)
{
    while (lines && strncmp(lines->data, name, strlen(name)) != 0)
        lines = lines->next;
    return lines ? lines->data + strlen(name) : NULL;
}

/* OpenSSL writes "Nov 21 12:00:00 2026 GMT". */
static void read_certificate(struct http_response *response)
{
    struct tm time = {0};
    struct curl_certinfo *chain = NULL;
    curl.easy_getinfo(curl.handle, CURLINFO_SSL_VERIFYRESULT, &response->verified);
    curl.easy_getinfo(curl.handle, CURLINFO_CERTINFO, &chain);
    if (!chain || chain->num_of_certs < 1)
        return;
    const char *end = find_line(chain->certinfo[0], "Expire date:");
    const char *issuer = find_line(chain->certinfo[0], "Issuer:");
    if (end && strptime(end, "%b %d %H:%M:%S %Y", &time))
        response->certificate_end_ms = (int64_t)timegm(&time) * 1000;
    if (chain->num_of_certs == 1 && issuer)
        response->lone_issuer = print(response, "%s", issuer);
}

static const char *find_address(struct arena *arena, CURLINFO which)
{
    const char *address = NULL;
    curl.easy_getinfo(curl.handle, which, &address);
    return address && *address ? arena_print(arena, "%s", address) : NULL;
}

#define SET(option, value) curl.easy_setopt(curl.handle, CURLOPT_##option, value)

static void set_options(const struct http_request *request)
{
    /* The same variable as for the command curl: for the certificate of a club's own authority. */
    const char *authority = getenv("CURL_CA_BUNDLE");
    const long is_apart = request->family != 0;
    curl.easy_reset(curl.handle);
    SET(URL, request->url);
    SET(PROTOCOLS_STR, "http,https");
    SET(NOSIGNAL, 1L);
    SET(CONNECTTIMEOUT, CONNECT_SECONDS);
    SET(TIMEOUT, SECONDS_MAX);
    SET(LOW_SPEED_LIMIT, 1L);
    SET(LOW_SPEED_TIME, SILENT_SECONDS_MAX);
    SET(USERAGENT, "qsosync-admin");
    SET(CERTINFO, 1L);
    SET(HEADERFUNCTION, keep);
    SET(WRITEFUNCTION, keep);
    if (authority)
        SET(CAINFO, authority);
    SET(SSL_VERIFYPEER, request->unverified ? 0L : 1L);
    SET(SSL_VERIFYHOST, request->unverified ? 0L : 2L);
    SET(INTERFACE, request->source);
    SET(IPRESOLVE, (long)(request->family == AF_INET6  ? CURL_IPRESOLVE_V6
                          : request->family == AF_INET ? CURL_IPRESOLVE_V4
                                                       : CURL_IPRESOLVE_WHATEVER));
    SET(FRESH_CONNECT, is_apart);
    SET(FORBID_REUSE, is_apart);
    if (request->method && strcmp(request->method, "HEAD") == 0)
        SET(NOBODY, 1L);
    if (request->body.bytes) {
        SET(POSTFIELDS, request->body.bytes);
        SET(POSTFIELDSIZE_LARGE, (curl_off_t)request->body.length);
    }
    SET(CUSTOMREQUEST, request->method);
}

struct http_response http_send(const struct http_request *request, struct arena *arena)
{
    char reason[CURL_ERROR_SIZE] = "";
    struct curl_slist *headers = NULL;
    struct http_response response = {.arena = arena, .headers = "", .body = ""};
    struct buffer head = {0}, body = {0};
    response.reason = load();
    if (response.reason) {
        response.failure = HTTP_NO_CLIENT;
        return response;
    }
    set_options(request);
    for (const char *const *header = request->headers; *header; header++)
        headers = curl.slist_append(headers, *header);
    SET(HTTPHEADER, headers);
    SET(HEADERDATA, &head);
    SET(WRITEDATA, &body);
    SET(ERRORBUFFER, reason);
    CURLcode code = curl.easy_perform(curl.handle);
    SET(ERRORBUFFER, NULL);
    SET(HTTPHEADER, NULL);
    for (struct curl_slist *header = headers; header; header = header->next)
        explicit_bzero(header->data, strlen(header->data));
    curl.slist_free_all(headers);
    response.failure = judge(code);
    response.reason = arena_print(arena, "%s", *reason ? reason : curl.easy_strerror(code));
    curl.easy_getinfo(curl.handle, CURLINFO_RESPONSE_CODE, &response.status);
    response.local = find_address(arena, CURLINFO_LOCAL_IP);
    response.peer = find_address(arena, CURLINFO_PRIMARY_IP);
    read_certificate(&response);
    response.headers = arena_copy(arena, head.bytes ? head.bytes : "", head.length);
    response.body = arena_copy(arena, body.bytes ? body.bytes : "", body.length);
    buffer_free(&head);
    buffer_free(&body);
    return response;
}

const char *http_header(const struct http_response *response, const char *name)
{
    const char *found = NULL;
    size_t length = strlen(name);
    for (const char *line = response->headers; *line; line += strcspn(line, "\n")) {
        line += strspn(line, "\n");
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        const char *value = line + length + 1 + strspn(line + length + 1, " \t");
        found = print(response, "%s%s%.*s", found ? found : "", found ? ", " : "",
                      (int)strcspn(value, "\r\n"), value);
    }
    return found;
}

int64_t http_number(const struct http_response *response, const char *name, int64_t otherwise)
{
    int64_t number;
    const char *text = http_header(response, name);
    return text && text_parse_integer(text_of(text), 0, INT32_MAX, &number) ? number : otherwise;
}

bool http_contains(const struct http_response *response, const char *text)
{
    return strstr(response->body, text) != NULL;
}

struct http_response probe_send(struct examination *seen, struct http_request request)
{
    if (*request.url == '/')
        request.url = print(seen, "%s%s", seen->site, request.url);
    return http_send(&request, seen->arena);
}

/* -- Lines to paste ---------------------------------------------------------------------------- */

#define PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "

/* Behind a proxy the answer names that one's server, or none. */
const char *probe_fix(struct examination *seen, const char *nginx, const char *apache)
{
    if (seen->is_nginx || seen->is_apache)
        return seen->is_nginx ? nginx : apache;
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

const char *probe_fix_by_putting(struct examination *seen, const char *before, const char *option)
{
    const char *host = quote(seen, seen->host);
    const char *server = probe_fix(seen, "nginx", "apache");
    return is_on_shared_host() ? NULL
                               : print(seen, "%s" PUT_SITE "%s %s%s", before, server, host, option);
}

const char *probe_fix_for_site(struct examination *seen)
{
    const char *line = probe_fix_by_putting(seen, "", "");
    return line ? line : "put the files .htaccess there as README says for a shared host";
}

const char *probe_fix_for_way(struct examination *seen, const char *proxy)
{
    return seen->way.is_there ? proxy : probe_fix_for_site(seen);
}

bool probe_asks_this_machine(struct examination *seen)
{
    static const char *const names[] = {"localhost", "127.", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(seen->host, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

const char *probe_fix_by_asking(struct examination *seen, const char *address)
{
    return print(seen, "qsosync-admin doctor %s", quote(seen, address));
}

const char *probe_fix_by_waiting(struct examination *seen)
{
    return print(seen, "sleep 60; %s", probe_fix_by_asking(seen, seen->base));
}

bool probe_has_failed(struct examination *seen, const char *check,
                      const struct http_response *response)
{
    if (response->status < 500 || seen->failed)
        return seen->failed;
    seen->failed = true;
    trouble(seen, check, workers_fix_for_logbook(seen),
            "the service answers with a failure of its own (status %ld): what else may be wrong "
            "was not asked",
            response->status);
    return true;
}
