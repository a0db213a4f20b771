/* Sends requests with libcurl, which is loaded when it is first needed, because few commands use
 * it. */
#include "http/client.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "base/buffer.h"
#include "base/host.h"
#include "base/host_local.h"

#define LIBRARY "libcurl.so.4"
#ifdef QSOSYNC_PORTABLE
#define ABSENT                                                                                     \
    "portable programs cannot load " LIBRARY "; run doctor on a machine that has the package"
#else
#define ABSENT LIBRARY " is not installed"
#endif
#define CONNECT_SECONDS 10L
#define MOST_MS 120000L
#define SILENT_SECONDS_MAX 10L

/* libcurl's functions that this file uses, and one handle, so that a connection can serve several
 * requests. */
#define FUNCTIONS(EACH)                                                                            \
    EACH(easy_init)                                                                                \
    EACH(easy_reset)                                                                               \
    EACH(easy_setopt)                                                                              \
    EACH(easy_perform)                                                                             \
    EACH(easy_getinfo)                                                                             \
    EACH(easy_strerror)                                                                            \
    EACH(url)                                                                                      \
    EACH(url_set)                                                                                  \
    EACH(url_get)                                                                                  \
    EACH(url_cleanup) EACH(free)

static struct {
    CURL *handle;
#define DECLARE(name) __typeof__(curl_##name) *name;
    FUNCTIONS(DECLARE)
} curl;

/* Loads libcurl. Returns NULL, or the reason why libcurl cannot be used. */
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
    return curl.handle ? NULL : LIBRARY " cannot be initialised";
}

static bool is_part(CURLU *parts, CURLUPart part, bool (*fits)(const char *text))
{
    char *text = NULL;
    const bool is_there = curl.url_get(parts, part, &text, 0) == CURLUE_OK;
    const bool is_so = fits(is_there ? text : NULL);
    curl.free(text);
    return is_so;
}

static bool is_missing(const char *text)
{
    return !text;
}

static bool is_https(const char *text)
{
    return text && strcmp(text, "https") == 0;
}

static bool is_this_machine(const char *text)
{
    struct host host;
    return text && host_read(text_of(text), &host) && host_is_this_machine(&host);
}

bool client_keeps_secrets(const char *url)
{
    if (load())
        return true; /* Without libcurl, no request can be sent. */
    CURLU *parts = curl.url();
    const bool is_url = curl.url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK;
    const bool keeps = is_url && is_part(parts, CURLUPART_USER, is_missing) &&
                       (is_part(parts, CURLUPART_SCHEME, is_https) ||
                        is_part(parts, CURLUPART_HOST, is_this_machine));
    curl.url_cleanup(parts);
    return keeps;
}

/* Keeps the bytes of the headers or the body, and ends the transfer when these reach the limit. */
static size_t keep(char *bytes, size_t size, size_t count, void *context)
{
    struct buffer *kept = context;
    size_t length = size * count, left = CLIENT_BYTES_MAX - kept->length;
    buffer_append(kept, bytes, length < left ? length : left);
    return length < left ? length : 0;
}

/* Reads the result of the verification, and the end of the certificate's validity in OpenSSL's
 * format "Nov 21 12:00:00 2026 GMT". Also reads the issuer of a certificate that the server sends
 * without the issuer's certificate. */
static void read_certificate(struct client_response *response)
{
    static const char end[] = "Expire date:", issuer[] = "Issuer:";
    struct tm time = {0};
    struct curl_certinfo *chain = NULL;
    curl.easy_getinfo(curl.handle, CURLINFO_SSL_VERIFYRESULT, &response->verified);
    curl.easy_getinfo(curl.handle, CURLINFO_CERTINFO, &chain);
    const struct curl_slist *line = chain && chain->num_of_certs > 0 ? chain->certinfo[0] : NULL;
    for (; line; line = line->next)
        if (strncmp(line->data, issuer, strlen(issuer)) == 0 && chain->num_of_certs == 1)
            response->lone_issuer = arena_print(response->arena, "%s", line->data + strlen(issuer));
        else if (strncmp(line->data, end, strlen(end)) == 0 &&
                 strptime(line->data + strlen(end), "%b %d %H:%M:%S %Y", &time))
            response->certificate_end_ms = (int64_t)timegm(&time) * 1000;
}

#define SET(option, value) curl.easy_setopt(curl.handle, CURLOPT_##option, value)

static void set_options(const struct client_request *request)
{
    const long is_apart = request->source || request->family;
    curl.easy_reset(curl.handle);
    SET(URL, request->url);
    SET(PROTOCOLS_STR, "http,https");
    SET(NOSIGNAL, 1L);
    SET(CONNECTTIMEOUT, CONNECT_SECONDS);
    SET(TIMEOUT_MS, request->most_ms ? (long)request->most_ms : MOST_MS);
    SET(LOW_SPEED_LIMIT, 1L);
    SET(LOW_SPEED_TIME, SILENT_SECONDS_MAX);
    SET(USERAGENT, "qsosync-admin");
    SET(CERTINFO, 1L);
    SET(HEADERFUNCTION, keep);
    SET(WRITEFUNCTION, keep);
    SET(SSL_VERIFYPEER, request->unverified ? 0L : 1L);
    SET(SSL_VERIFYHOST, request->unverified ? 0L : 2L);
    SET(INTERFACE, request->source);
    SET(IPRESOLVE, (long)request->family);
    SET(FRESH_CONNECT, is_apart);
    SET(FORBID_REUSE, is_apart);
    if (request->body.bytes) {
        SET(POSTFIELDS, request->body.bytes);
        SET(POSTFIELDSIZE_LARGE, (curl_off_t)request->body.length);
    }
    SET(CUSTOMREQUEST, request->method);
}

struct client_response client_send(const struct client_request *request, struct arena *arena)
{
    char reason[CURL_ERROR_SIZE] = "";
    struct curl_slist headers[CLIENT_HEADERS_MAX] = {0};
    struct client_response response = {.arena = arena, .headers = "", .body = ""};
    struct buffer head = {0}, body = {0};
    response.reason = load();
    if (response.reason) {
        response.failure = CLIENT_NO_CLIENT;
        return response;
    }
    /* This variable names a file with the certificate of a club's own certificate authority. The
     * command curl uses the same variable. */
    const char *authority = getenv("CURL_CA_BUNDLE");
    set_options(request);
    SET(CAINFO, authority);
    for (int i = 0; request->headers[i]; i++)
        headers[i] = (struct curl_slist){(char *)(uintptr_t)request->headers[i],
                                         request->headers[i + 1] ? &headers[i + 1] : NULL};
    SET(HTTPHEADER, request->headers[0] ? headers : NULL);
    SET(HEADERDATA, &head);
    SET(WRITEDATA, &body);
    SET(ERRORBUFFER, reason);
    CURLcode code = curl.easy_perform(curl.handle);
    /* First, libcurl looks up the issuer by name in the system's folder, because reading the file
     * with all trusted issuers takes 20 ms. Systems without such a folder need a second attempt
     * with the file. */
    if (code == CURLE_PEER_FAILED_VERIFICATION && !authority) {
        char *all = NULL;
        curl.easy_getinfo(curl.handle, CURLINFO_CAINFO, &all);
        SET(CAINFO, all);
        code = curl.easy_perform(curl.handle);
    }
    SET(ERRORBUFFER, NULL);
    SET(HTTPHEADER, NULL);
    response.failure = (int)code;
    response.reason = arena_print(arena, "%s", *reason ? reason : curl.easy_strerror(code));
    curl.easy_getinfo(curl.handle, CURLINFO_RESPONSE_CODE, &response.status);
    read_certificate(&response);
    response.headers = arena_copy(arena, head.bytes ? head.bytes : "", head.length);
    response.body = arena_copy(arena, body.bytes ? body.bytes : "", body.length);
    buffer_free(&head);
    buffer_free(&body);
    return response;
}

const char *client_find_header(const struct client_response *response, const char *name)
{
    const char *found = NULL;
    size_t length = strlen(name);
    for (const char *line = response->headers; *line; line += strcspn(line, "\n")) {
        line += strspn(line, "\n");
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        const char *value = line + length + 1 + strspn(line + length + 1, " \t");
        found = arena_print(response->arena, "%s%s%.*s", found ? found : "", found ? ", " : "",
                            (int)strcspn(value, "\r\n"), value);
    }
    return found;
}
