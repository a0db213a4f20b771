/* Sends requests with libcurl's multi interface, which is loaded when it is first needed. libcurl
 * asks open_socket before it connects to an address, and connects only through that socket. */
#include "http/transfers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/arena.h"
#include "base/host.h"
#include "base/host_local.h"

#define LIBRARY "libcurl.so.4"
#define AUTHORITY "CURL_CA_BUNDLE" /* as in client.c */
#define CONNECT_MS 5000L
#define ANSWER_MAX 16384
#define AT_ONCE 100L
#define POLL_MS 1000
#define HTTPS_PORT 443

#define FUNCTIONS(EACH)                                                                            \
    EACH(easy_init)                                                                                \
    EACH(easy_setopt)                                                                              \
    EACH(easy_getinfo)                                                                             \
    EACH(easy_cleanup)                                                                             \
    EACH(slist_append)                                                                             \
    EACH(slist_free_all)                                                                           \
    EACH(multi_init)                                                                               \
    EACH(multi_setopt)                                                                             \
    EACH(multi_add_handle)                                                                         \
    EACH(multi_remove_handle)                                                                      \
    EACH(multi_perform)                                                                            \
    EACH(multi_poll)                                                                               \
    EACH(multi_info_read) EACH(multi_cleanup)

static struct {
    CURLM *multi;
#define DECLARE(name) __typeof__(curl_##name) *name;
    FUNCTIONS(DECLARE)
} curl;

static bool load(void)
{
    void *library = dlopen(LIBRARY, RTLD_LAZY);
    if (!library)
        return false;
#define FIND(name)                                                                                 \
    curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name);                              \
    if (!curl.name)                                                                                \
        return false;
    FUNCTIONS(FIND)
    /* An older libcurl would ignore the limits that begin() sets. */
    CURL *trial = curl.easy_init();
    const bool is_new = curl.easy_setopt(trial, CURLOPT_PROTOCOLS_STR, "https") == CURLE_OK;
    curl.easy_cleanup(trial);
    curl.multi = is_new ? curl.multi_init() : NULL;
    return curl.multi;
}

/* A transfer in progress. */
struct progress {
    struct transfer *transfer;
    CURL *handle;
    struct curl_slist *headers;
    size_t received;
    bool is_trusted, is_refused, is_connected;
};

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct progress *progress = context;
    (void)purpose;
    if (!progress->is_trusted && host_is_local_address(&address->addr)) {
        progress->is_refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int note_connection(void *context, char *remote, char *local, int remote_port,
                           int local_port)
{
    struct progress *progress = context;
    (void)remote, (void)local, (void)remote_port, (void)local_port;
    progress->is_connected = true;
    return CURL_PREREQFUNC_OK;
}

/* Counts and discards the bytes of the answer, and ends the transfer at the limit. */
static size_t drop(char *bytes, size_t size, size_t count, void *context)
{
    struct progress *progress = context;
    (void)bytes;
    progress->received += size * count;
    return progress->received <= ANSWER_MAX ? size * count : 0;
}

/* Returns whether the operator's list names the host and the port of the URL. */
static bool is_trusted(const char *url, const char *hosts)
{
    struct text rest = text_of(hosts);
    struct web_address address;
    if (!host_read_address(text_of(url), &address))
        return false;
    while (rest.bytes) {
        struct text entry = text_split_next(&rest, ',');
        struct host named = {.name = text_split_next(&entry, ':')};
        text_parse_integer(text_split_next(&entry, ':'), 1, 65535, &named.port);
        if (host_is_same_name(&named, &address.host) &&
            named.port == (address.host.port < 0 ? HTTPS_PORT : address.host.port))
            return true;
    }
    return false;
}

#define SET(option, value) curl.easy_setopt(progress->handle, CURLOPT_##option, value)

static void set_limits(struct progress *progress)
{
    SET(PROTOCOLS_STR, "https");
    SET(FOLLOWLOCATION, 0L);
    SET(PROXY, ""); /* A proxy would connect for us, and check nothing. */
    SET(NOSIGNAL, 1L);
    SET(QUICK_EXIT, 1L);   /* Otherwise a silent name server delays the other transfers. */
    SET(FORBID_REUSE, 1L); /* On a connection that is used again, libcurl can repeat a request. */
    SET(CONNECTTIMEOUT_MS, CONNECT_MS);
    SET(TIMEOUT_MS, (long)TRANSFER_MS_MAX);
    SET(OPENSOCKETFUNCTION, open_socket);
    SET(OPENSOCKETDATA, progress);
    SET(PREREQFUNCTION, note_connection);
    SET(PREREQDATA, progress);
    SET(HEADERFUNCTION, drop);
    SET(HEADERDATA, progress);
    SET(WRITEFUNCTION, drop);
    SET(WRITEDATA, progress);
    SET(USERAGENT, "qsosync-admin");
}

static void begin(struct progress *progress, const char *hosts, struct curl_slist *connect_to)
{
    const struct transfer *transfer = progress->transfer;
    progress->handle = curl.easy_init();
    progress->is_trusted = hosts && is_trusted(transfer->url, hosts);
    for (int i = 0; transfer->headers[i]; i++)
        progress->headers = curl.slist_append(progress->headers, transfer->headers[i]);
    set_limits(progress);
    SET(URL, transfer->url);
    SET(PRIVATE, progress);
    SET(HTTPHEADER, progress->headers);
    SET(POSTFIELDSIZE_LARGE, (curl_off_t)transfer->body.length);
    SET(POSTFIELDS, transfer->body.bytes ? transfer->body.bytes : "");
    SET(CUSTOMREQUEST, transfer->is_put ? "PUT" : NULL);
    if (getenv(AUTHORITY))
        SET(CAINFO, getenv(AUTHORITY));
    if (progress->is_trusted)
        SET(CONNECT_TO, connect_to);
    curl.multi_add_handle(curl.multi, progress->handle);
}

/* Returns whether a connection that failed for this reason can succeed later. */
static bool is_passing(CURLcode code)
{
    return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
           code == CURLE_OPERATION_TIMEDOUT || code == CURLE_SSL_CONNECT_ERROR;
}

static void end(struct progress *progress, CURLcode code)
{
    struct transfer *transfer = progress->transfer;
    curl_off_t wait_s = 0;
    curl.easy_getinfo(progress->handle, CURLINFO_RESPONSE_CODE, &transfer->status);
    curl.easy_getinfo(progress->handle, CURLINFO_RETRY_AFTER, &wait_s);
    transfer->retry_after_s = wait_s;
    transfer->failure = progress->is_refused ? TRANSFER_NOT_PUBLIC : (int)code;
    transfer->was_not_sent = !progress->is_refused && !progress->is_connected && is_passing(code);
    curl.multi_remove_handle(curl.multi, progress->handle);
    curl.easy_cleanup(progress->handle);
    progress->handle = NULL;
    curl.slist_free_all(progress->headers);
}

static void end_finished(void)
{
    int left;
    for (CURLMsg *message; (message = curl.multi_info_read(curl.multi, &left));) {
        struct progress *progress = NULL;
        const CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE)
            continue;
        curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&progress);
        end(progress, code);
    }
}

static struct curl_slist *list_hosts(const char *hosts, struct arena *arena)
{
    struct curl_slist *list = NULL;
    struct text rest = text_of(hosts);
    while (rest.bytes) {
        const struct text entry = text_split_next(&rest, ',');
        list = curl.slist_append(list, arena_copy(arena, entry.bytes, entry.length));
    }
    return list;
}

void transfers_send(struct transfer *transfers, size_t count, const char *hosts)
{
    struct arena arena = {0};
    int running = 1;
    if (!curl.multi && !load()) {
        for (size_t i = 0; i < count; i++)
            transfers[i].failure = TRANSFER_NO_CLIENT, transfers[i].was_not_sent = true;
        return;
    }
    struct curl_slist *connect_to = list_hosts(hosts, &arena);
    struct progress *all = arena_allocate_zeroed(&arena, (count + 1) * sizeof *all);
    curl.multi_setopt(curl.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, AT_ONCE);
    for (size_t i = 0; i < count; i++) {
        all[i].transfer = &transfers[i];
        begin(&all[i], hosts, connect_to);
    }
    while (running > 0 && curl.multi_perform(curl.multi, &running) == CURLM_OK) {
        end_finished();
        if (running > 0)
            curl.multi_poll(curl.multi, NULL, 0, POLL_MS, NULL);
    }
    end_finished();
    for (size_t i = 0; i < count; i++)
        if (all[i].handle) /* multi_perform failed */
            end(&all[i], CURLE_FAILED_INIT);
    curl.slist_free_all(connect_to);
    arena_free(&arena);
}
