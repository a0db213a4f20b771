/* The program qsosync-cluster: the DX cluster feed for one client. The client's connection is
 * standard input, as passed by systemd (Accept=yes) and inetd. No daemon of ours is needed.
 *
 * The program never waits for its client: a client that does not read is disconnected. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "feed/dialogue.h"
#include "feed/follow.h"
#include "installation.h"
#include "worker/sandbox.h"
#include "worker/settings.h"

#define LOGIN_WAIT_MS 60000
#define LOOK_MS 800 /* how often to check for spots: they must go out within a second */
#define PAUSE_MS 50 /* between two lines, so that each is a separate segment */
#define WRONG_CODE_PAUSE_MS 1000 /* slows the guessing of codes */
#define READ_AT_ONCE 1024

struct feed {
    struct telnet telnet;
    struct dialogue dialogue;
    struct follow follow;
    struct buffer out;
    int64_t sent_ms; /* the last write; monotonic */
    bool has_news;   /* live spots may be waiting */
    bool lost;       /* the client has disconnected, or does not read */
};

/* Sends all of the answer or disconnects: if the connection's buffer is full, nobody is reading. */
static void send_answer(struct feed *feed)
{
    struct buffer *out = &feed->out;
    if (out->length == 0 || feed->lost)
        return;
    ssize_t sent = send(STDIN_FILENO, out->bytes, out->length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == ENOTSOCK)
        sent = write(STDOUT_FILENO, out->bytes, out->length);
    feed->lost = sent != (ssize_t)out->length;
    feed->sent_ms = clock_monotonic_ms();
    buffer_clear(out);
}

static void send_line(struct feed *feed, const char *line)
{
    buffer_print(&feed->out, "%s\r\n", line);
    send_answer(feed);
}

/* -- Input of the client ----------------------------------------------------------------------- */

/* Sends the spots of sh/dx, and the prompt. Rows leave at once, lines one by one; further commands
 * wait. */
static void show_spots(struct feed *feed)
{
    struct dialogue *dialogue = &feed->dialogue;
    char line[SPOT_ROW_LENGTH + 1];
    struct showing showing = {.before_id = INT64_MAX};
    for (; dialogue->spots_wanted > 0 && !feed->lost &&
           follow_show(&feed->follow, &dialogue->shown, dialogue->wants_lines, &showing, line);
         dialogue->spots_wanted--) {
        send_line(feed, line);
        if (dialogue->wants_lines)
            poll(NULL, 0, PAUSE_MS);
    }
    dialogue->spots_wanted = 0;
    dialogue_prompt(dialogue, clock_wall_ms(), &feed->out);
    send_answer(feed);
}

static void choose_news(struct feed *feed)
{
    struct dialogue *dialogue = &feed->dialogue;
    struct text callsign = {dialogue->callsign, strcspn(dialogue->callsign, "-")};
    bool is_known = true;
    if (*dialogue->code)
        is_known = follow_identify(&feed->follow, callsign, text_of(dialogue->code));
    else
        needed_end(&feed->follow.needed);
    if (!is_known)
        poll(NULL, 0, WRONG_CODE_PAUSE_MS);
    dialogue_tell_news(dialogue, is_known, clock_wall_ms(), &feed->out);
    send_answer(feed);
}

static void take_bytes(struct feed *feed, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length && !feed->lost && feed->dialogue.state != DIALOGUE_ENDED; i++) {
        if (!telnet_take(&feed->telnet, bytes[i]))
            continue;
        dialogue_take(&feed->dialogue, &feed->telnet, clock_wall_ms(), &feed->out);
        send_answer(feed);
        if (feed->dialogue.spots_wanted)
            show_spots(feed);
        if (feed->dialogue.asks_news)
            choose_news(feed);
    }
}

/* No person types fast enough to fill a read: the pause keeps a flood waiting in the network. */
static void take_input(struct feed *feed)
{
    unsigned char bytes[READ_AT_ONCE];
    ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);
    if (length > 0)
        take_bytes(feed, bytes, (size_t)length);
    else if (length == 0 || (errno != EAGAIN && errno != EINTR))
        feed->lost = true;
    if (length == READ_AT_ONCE && !feed->lost)
        poll(NULL, 0, PAUSE_MS);
}

/* -- Live spots -------------------------------------------------------------------------------- */

/* Sends the next spot, if any; returns how long to wait then. A pause separates the spot from any
 * earlier line or prompt, even if the client answers at once. */
static int follow_spots(struct feed *feed, int64_t now_ms)
{
    char line[SPOT_LINE_LENGTH + 1];
    bool found = false;
    if (now_ms - feed->sent_ms < PAUSE_MS)
        return (int)(feed->sent_ms + PAUSE_MS - now_ms);
    if (feed->has_news || follow_has_news(&feed->follow, now_ms))
        found = follow_next(&feed->follow, &feed->dialogue.filter, line, &feed->has_news);
    if (found)
        send_line(feed, line);
    return feed->has_news ? PAUSE_MS : LOOK_MS;
}

static void serve(struct feed *feed)
{
    int64_t started_ms = clock_monotonic_ms();
    dialogue_begin(&feed->dialogue, &feed->out);
    send_answer(feed);
    while (!feed->lost && feed->dialogue.state != DIALOGUE_ENDED) {
        int64_t now_ms = clock_monotonic_ms();
        int wait_ms = LOGIN_WAIT_MS;
        if (feed->dialogue.state == DIALOGUE_LOGIN) {
            wait_ms = (int)(started_ms + LOGIN_WAIT_MS - now_ms);
            if (wait_ms <= 0)
                return;
        } else {
            wait_ms = follow_spots(feed, now_ms);
        }
        struct pollfd client = {.fd = STDIN_FILENO, .events = POLLIN};
        if (!feed->lost && poll(&client, 1, wait_ms) > 0)
            take_input(feed);
    }
}

/* -- Start ------------------------------------------------------------------------------------- */

/* inetd may also connect standard error to the client, but no log line may reach the client. */
static void keep_log_from_client(void)
{
    struct stat in, errors;
    if (fstat(STDIN_FILENO, &in) == 0 && fstat(STDERR_FILENO, &errors) == 0 &&
        in.st_dev == errors.st_dev && in.st_ino == errors.st_ino &&
        !freopen("/dev/null", "w", stderr))
        exit(EXIT_FAILURE);
}

/* TCP itself detects dead connections; a small buffer that fills detects stalled readers. */
static void prepare_connection(void)
{
    const int yes = 1, idle_s = 600, interval_s = 60, buffer_bytes = 65536;
    setsockopt(STDIN_FILENO, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
    setsockopt(STDIN_FILENO, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(STDIN_FILENO, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(STDIN_FILENO, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(STDIN_FILENO, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    signal(SIGPIPE, SIG_IGN);
}

/* Avoids names with words that clients wait for, because clients would respond to them. */
static const char *name_or(const char *name, const char *otherwise)
{
    return strcasestr(name, "login") || strcasestr(name, "password") || strpbrk(name, "\r\n")
               ? otherwise
               : name;
}

int main(int count, char **arguments)
{
    static struct feed feed;
    log_set_program("qsosync-cluster");
    if (count > 1 && strcmp(arguments[1], "--version") == 0)
        return puts("qsosync-cluster " QSOSYNC_VERSION) < 0;
    if (count > 1)
        return fputs("usage: qsosync-cluster; standard input is the client's connection\n",
                     stderr) < 0
                   ? 1
                   : 2;
    keep_log_from_client();
    sandbox_drop_rights();
    prepare_connection();
    const char *path = settings_text(SETTING_DB, NULL, NULL);
    feed.dialogue.node = name_or(settings_text(SETTING_NODE, NULL, NULL), "QSOSYNC");
    feed.dialogue.club = name_or(settings_text(SETTING_CLUB, NULL, NULL), "QSOsync");
    if (!settings_check())
        return 1;
    if (settings_number(SETTING_SANDBOX, NULL, NULL))
        sandbox_enter(path);
    if (follow_open(&feed.follow, path))
        serve(&feed);
    else
        send_line(&feed, "Sorry, the spots cannot be read now; try again later");
    follow_close(&feed.follow);
    needed_end(&feed.follow.needed);
    buffer_free(&feed.out);
    return 0;
}
