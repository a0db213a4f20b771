/* Serves one client: passes input to the dialogue, and sends new spots. The program never waits for
 * a slow client, and disconnects a client that does not read. dialogue.c decides what each line
 * means. */
#include "feed/client.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/dialogue.h"
#include "feed/follow.h"

#define LOGIN_WAIT_MS 60000
#define LOOK_MS 800 /* time between two checks for spots, which must be sent within a second */
#define PAUSE_MS 50 /* time between two lines, so that each line is a separate segment */
#define WRONG_CODE_PAUSE_MS 1000 /* pause after a wrong code, to slow guessing */
#define READ_AT_ONCE 1024

struct client {
    struct telnet telnet;
    struct dialogue dialogue;
    struct follow follow;
    struct buffer out;
    int64_t sent_ms; /* time of the last write; monotonic */
    bool has_spots;  /* whether more live spots could be waiting */
    /* whether the client has disconnected, or must be disconnected because it does not read */
    bool lost;
};

/* Sends the whole answer. If the connection's buffer is full, the client does not read, and is
 * disconnected. */
static void send_answer(struct client *client)
{
    struct buffer *out = &client->out;
    if (out->length == 0 || client->lost)
        return;
    ssize_t sent = send(STDIN_FILENO, out->bytes, out->length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == ENOTSOCK)
        sent = write(STDOUT_FILENO, out->bytes, out->length);
    client->lost = sent != (ssize_t)out->length;
    client->sent_ms = clock_monotonic_ms();
    buffer_clear(out);
}

static void send_line(struct client *client, const char *line)
{
    buffer_print(&client->out, "%s\r\n", line);
    send_answer(client);
}

/* Sends the spots that sh/dx requested, and the prompt. Rows are sent without pauses, and lines
 * with a pause after each line. Further commands wait. */
static void show_spots(struct client *client)
{
    struct dialogue *dialogue = &client->dialogue;
    char line[SPOT_ROW_LENGTH + 1];
    struct showing showing = {.before_id = INT64_MAX};
    for (; dialogue->spots_wanted > 0 && !client->lost &&
           follow_show(&client->follow, &dialogue->shown, dialogue->wants_lines, &showing, line);
         dialogue->spots_wanted--) {
        send_line(client, line);
        if (dialogue->wants_lines)
            poll(NULL, 0, PAUSE_MS);
    }
    dialogue->spots_wanted = 0;
    dialogue_prompt(dialogue, clock_wall_ms(), &client->out);
    send_answer(client);
}

static void choose_news(struct client *client)
{
    struct dialogue *dialogue = &client->dialogue;
    struct text callsign = {dialogue->callsign, strcspn(dialogue->callsign, "-")};
    bool is_known = true;
    if (*dialogue->code)
        is_known = follow_identify(&client->follow, callsign, text_of(dialogue->code));
    else
        needed_end(&client->follow.needed);
    if (!is_known)
        poll(NULL, 0, WRONG_CODE_PAUSE_MS);
    dialogue_answer_new(dialogue, is_known, clock_wall_ms(), &client->out);
    send_answer(client);
}

static void take_bytes(struct client *client, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length && !client->lost && client->dialogue.state != DIALOGUE_ENDED;
         i++) {
        if (!telnet_take(&client->telnet, bytes[i]))
            continue;
        dialogue_take(&client->dialogue, &client->telnet, clock_wall_ms(), &client->out);
        send_answer(client);
        if (client->dialogue.spots_wanted)
            show_spots(client);
        if (client->dialogue.asks_new)
            choose_news(client);
    }
}

/* Reads the client's input. Nobody types fast enough to fill the buffer, so a full read means a
 * flood. A pause then keeps the flood in the network's buffers. */
static void take_input(struct client *client)
{
    unsigned char bytes[READ_AT_ONCE];
    ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);
    if (length > 0)
        take_bytes(client, bytes, (size_t)length);
    else if (length == 0 || (errno != EAGAIN && errno != EINTR))
        client->lost = true;
    if (length == READ_AT_ONCE && !client->lost)
        poll(NULL, 0, PAUSE_MS);
}

/* Sends the next spot, if any, and returns the time until the next check. A pause separates the
 * spot from an earlier line or prompt, even if the client answers immediately. */
static int follow_spots(struct client *client, int64_t now_ms)
{
    char line[SPOT_LINE_LENGTH + 1];
    bool found = false;
    if (now_ms - client->sent_ms < PAUSE_MS)
        return (int)(client->sent_ms + PAUSE_MS - now_ms);
    if (client->has_spots || follow_has_spots(&client->follow, now_ms))
        found = follow_next(&client->follow, &client->dialogue.filter, line, &client->has_spots);
    if (found)
        send_line(client, line);
    return client->has_spots ? PAUSE_MS : LOOK_MS;
}

static void serve(struct client *client)
{
    int64_t started_ms = clock_monotonic_ms();
    dialogue_begin(&client->dialogue, &client->out);
    send_answer(client);
    while (!client->lost && client->dialogue.state != DIALOGUE_ENDED) {
        int64_t now_ms = clock_monotonic_ms();
        int wait_ms = LOGIN_WAIT_MS;
        if (client->dialogue.state == DIALOGUE_LOGIN) {
            wait_ms = (int)(started_ms + LOGIN_WAIT_MS - now_ms);
            if (wait_ms <= 0)
                return;
        } else {
            wait_ms = follow_spots(client, now_ms);
        }
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (!client->lost && poll(&input, 1, wait_ms) > 0)
            take_input(client);
    }
}

void client_serve(const char *logbook, const char *node, const char *club)
{
    static struct client client;
    client.dialogue.node = node;
    client.dialogue.club = club;
    if (follow_open(&client.follow, logbook))
        serve(&client);
    else
        send_line(&client, "Sorry, the spots cannot be read now; try again later");
    follow_close(&client.follow);
    needed_end(&client.follow.needed);
    buffer_free(&client.out);
}
