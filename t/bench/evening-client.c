/* Writes requests, reads answers, and records the duration of each request. */
#include "evening-client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define TOLD_MAX 3 /* wrong answers that are printed, per endpoint */

const char *const evening_names[ENDPOINTS] = {
    "GET /me",
    "GET /logs, what changed",
    "GET /logs, with deletions",
    "GET /logs/ids",
    "GET /logs, a page of 500",
    "POST /logs/batch of one",
    "DELETE /logs/{clientId}",
};
struct times evening_times[ENDPOINTS];
static int events_file, service_port;
static long deleted_one_in;
static void (*visit_ended)(struct client *client);

int64_t evening_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

void evening_set_up(int poll_file, int port, long one_in, void (*ended)(struct client *client))
{
    deleted_one_in = one_in;
    events_file = poll_file;
    service_port = port;
    visit_ended = ended;
}

/* Writes an id that never repeats, not even on the next evening, because the service would reject
 * an id that another member has stored. */
static void new_uuid(char out[37])
{
    uint16_t part[8];
    if (getrandom(part, sizeof part, 0) != sizeof part)
        abort();
    snprintf(out, 37, "%04x%04x-%04x-4%03x-a%03x-%04x%04x%04x", part[0], part[1], part[2],
             part[3] & 0xfff, part[4] & 0xfff, part[5], part[6], part[7]);
}

static void write_batch(struct client *client)
{
    char body[600], at[32];
    time_t seconds = time(NULL);
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    new_uuid(client->client_id);
    snprintf(
        body, sizeof body,
        "{\"entries\":[{\"clientId\":\"%s\",\"band\":\"ELEVEN_METERS\",\"qsoAt\":\"%s\","
        "\"frequencyMhz\":\"27.%03ld\",\"mode\":\"USB\",\"callsignWorked\":\"%s\",\"rstSent\":"
        "\"59\","
        "\"rstReceived\":\"57\",\"dxLocator\":\"IO91wm\",\"myLocator\":\"JO59jw\",\"txPowerW\":12,"
        "\"notes\":\"Contest\",\"sendSpot\":true}]}",
        client->client_id, at, random() % 1000, client->partner);
    buffer_print(&client->request,
                 "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", strlen(body),
                 body);
}

static void write_request(struct client *client)
{
    struct buffer *out = &client->request;
    const char *cursor =
        client->role == NEWCOMER && client->page ? client->cursors[client->page - 1] : NULL;
    out->length = 0;
    switch (client->endpoint) {
    case ME:
        buffer_append_string(out, "GET /api/v1/me");
        break;
    case CHANGES:
    case DELETIONS:
        buffer_print(out, "GET /api/v1/logs?limit=500&updatedSince=%s%s", client->since,
                     client->endpoint == DELETIONS ? "&includeDeleted=true" : "");
        break;
    case IDS:
        buffer_append_string(out, "GET /api/v1/logs/ids");
        break;
    case PAGE:
        buffer_print(out, "GET /api/v1/logs?limit=500%s%s", cursor ? "&cursor=" : "",
                     cursor ? cursor : "");
        break;
    case BATCH:
        buffer_append_string(out, "POST /api/v1/logs/batch");
        break;
    default:
        buffer_print(out, "DELETE /api/v1/logs/%s", client->client_id);
    }
    buffer_print(
        out,
        " HTTP/1.1\r\nHost: log.example.org\r\nConnection: close\r\nAuthorization: Bearer %s\r\n",
        client->key);
    if (client->endpoint == IDS && *client->etag)
        buffer_print(out, "If-None-Match: %s\r\n", client->etag);
    if (client->endpoint == IDS || client->endpoint == PAGE)
        buffer_append_string(out, "Accept-Encoding: gzip\r\n");
    if (client->endpoint == BATCH)
        write_batch(client);
    else
        buffer_append_string(out, "\r\n");
}

static bool connect_from_own_address(struct client *client)
{
    const int on = 1;
    struct sockaddr_in own = {.sin_family = AF_INET}, service = {.sin_family = AF_INET};
    own.sin_addr.s_addr = htonl(0x7f010000 + client->number);
    service.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    service.sin_port = htons((uint16_t)service_port);
    client->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client->socket < 0)
        return false;
    setsockopt(client->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (bind(client->socket, (struct sockaddr *)&own, sizeof own) != 0)
        return false;
    return connect(client->socket, (struct sockaddr *)&service, sizeof service) == 0 ||
           errno == EINPROGRESS;
}

static void finish(struct client *client, bool is_broken);

static void ask(struct client *client, enum endpoint endpoint)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                                .data.ptr = client};
    client->endpoint = endpoint;
    client->sent = 0;
    client->answer.length = 0;
    write_request(client);
    client->started = evening_now();
    if (!connect_from_own_address(client) ||
        epoll_ctl(events_file, EPOLL_CTL_ADD, client->socket, &event) != 0)
        finish(client, true);
}

static void note(enum endpoint endpoint, int64_t time)
{
    struct times *times = &evening_times[endpoint];
    if (times->count == times->capacity) {
        times->capacity = times->capacity ? 2 * times->capacity : 1024;
        times->values = realloc(times->values, times->capacity * sizeof *times->values);
        if (!times->values)
            abort();
    }
    times->values[times->count++] = time;
}

static void copy_until(char *out, size_t size, const char *from, char end)
{
    size_t length = from ? strcspn(from, (char[]){end, '\0'}) : size;
    if (length < size) {
        memcpy(out, from, length);
        out[length] = '\0';
    }
}

/* Returns whether the answer has the expected status and all announced bytes. A NUL follows the
 * answer. */
static bool is_whole(const struct client *client)
{
    const char *text = client->answer.bytes, *body = strstr(text, "\r\n\r\n"), *length;
    const char *status = client->answer.length > 12 ? text + 9 : "";
    if (!body || (strncmp(status, "200", 3) != 0 && strncmp(status, "204", 3) != 0 &&
                  strncmp(status, "304", 3) != 0))
        return false;
    if (client->endpoint == BATCH && (strstr(body, "\"error\"") || !strstr(body, "\"id\":\"")))
        return false;
    size_t body_length = client->answer.length - (size_t)(body + 4 - text);
    if ((length = strcasestr(text, "\r\nContent-Length: ")) && length < body)
        return strtoull(length + 18, NULL, 10) == body_length;
    if ((length = strcasestr(text, "\r\nTransfer-Encoding: chunked")) && length <= body)
        return body_length >= 5 && memcmp(text + client->answer.length - 5, "0\r\n\r\n", 5) == 0;
    return body_length == 0;
}

static void learn(struct client *client)
{
    char *text = client->answer.bytes;
    if (client->endpoint == IDS) {
        const char *etag = strcasestr(text, "\r\nETag: ");
        copy_until(client->etag, sizeof client->etag, etag ? etag + 8 : NULL, '\r');
    }
    if (client->endpoint == CHANGES || client->endpoint == DELETIONS) {
        const char *time = strstr(text, "\"serverTime\":\"");
        copy_until(client->since, sizeof client->since, time ? time + 14 : NULL, '"');
    }
}

/* Returns the endpoint of the next request of the visit; after NOTHING, the visit ends. */
static enum endpoint next(struct client *client)
{
    switch (client->endpoint) {
    case ME:
        return client->role == NEWCOMER ? PAGE : DELETIONS;
    case CHANGES:
        return IDS;
    case PAGE:
        return client->cursors[client->page++] ? PAGE : NOTHING;
    case BATCH:
        return random() % deleted_one_in == 0 ? DELETE : NOTHING;
    default:
        return NOTHING;
    }
}

static enum endpoint first(struct client *client)
{
    client->page = 0;
    if (client->role == PHONE)
        return random() % 20 == 0 ? ME : DELETIONS;
    return client->role == LOGGER ? CHANGES : client->role == SENDER ? BATCH : ME;
}

static void end_visit(struct client *client)
{
    buffer_free(&client->request);
    buffer_free(&client->answer);
    visit_ended(client);
}

/* Prints the status line of a wrong answer, and the start of the body. */
static void tell(const struct client *client)
{
    const char *text = client->answer.bytes, *body = strstr(text, "\r\n\r\n");
    fprintf(stderr, "%s: %.*s %.300s\n", evening_names[client->endpoint], (int)strcspn(text, "\r"),
            client->answer.length ? text : "no answer", body ? body + 4 : "");
}

static void finish(struct client *client, bool is_broken)
{
    if (client->socket >= 0)
        close(client->socket);
    client->socket = -1;
    buffer_append(&client->answer, "", 1);
    client->answer.length--;
    note(client->endpoint, evening_now() - client->started);
    bool is_right = !is_broken && is_whole(client);
    if (!is_right && evening_times[client->endpoint].errors++ < TOLD_MAX)
        tell(client);
    if (is_right)
        learn(client);
    enum endpoint following = is_right ? next(client) : NOTHING;
    if (following == NOTHING)
        end_visit(client);
    else
        ask(client, following);
}

void evening_go_on(struct client *client)
{
    char piece[65536];
    struct buffer *request = &client->request;
    while (client->sent < request->length) {
        ssize_t count =
            write(client->socket, request->bytes + client->sent, request->length - client->sent);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (count < 0) {
            finish(client, true);
            return;
        }
        client->sent += (size_t)count;
    }
    for (;;) {
        ssize_t count = read(client->socket, piece, sizeof piece);
        if (count < 0 && errno == EAGAIN)
            return;
        if (count <= 0) {
            finish(client, count < 0);
            return;
        }
        buffer_append(&client->answer, piece, (size_t)count);
    }
}

void evening_begin_visit(struct client *client)
{
    ask(client, first(client));
}
