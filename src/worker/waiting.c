/* Polls for clients whose turn has come, because the end of a turn does not reveal which clients
 * wait, or in which worker. shares.c decides whose turn it is; http/gateway_request.c handles
 * connections. */
#include "worker/waiting.h"

#include <poll.h>
#include <string.h>

#include "base/clock.h"

#define LOOK_EVERY_MS 4
#define LOOK_LATER_MS 20 /* poll interval for requests that wait longer than most */
#define LATER_MS 100

bool waiting_add(struct waiting *waiting, struct gateway *gateway, const struct shares *shares,
                 const struct asked *asked, struct text body)
{
    if (!shares_wait(shares, &asked->client))
        return false;
    const int place = gateway_put_aside(gateway, body);
    if (place < 0)
        return false;
    waiting->requests[waiting->count] = *asked;
    waiting->requests[waiting->count].place = place;
    waiting->count++;
    return true;
}

/* Returns a waiting request that can be served, or NULL if there is no such request. After one
 * request of a client was refused, the client's other requests need not be tried. */
static struct asked *find_ready(struct waiting *waiting, const struct shares *shares)
{
    const int64_t now_ms = clock_monotonic_ms();
    const struct asked *refused = NULL;
    for (int i = 0; i < waiting->count; i++) {
        struct asked *asked = &waiting->requests[i];
        const bool is_same =
            refused && memcmp(&refused->client, &asked->client, sizeof asked->client) == 0;
        asked->has_turn = !is_same && shares_take(shares, &asked->client);
        if (asked->has_turn || now_ms - asked->since_ms >= WAITING_MS)
            return asked;
        refused = asked;
    }
    return NULL;
}

static bool take_ready(struct waiting *waiting, const struct shares *shares, struct asked *next)
{
    struct asked *ready = find_ready(waiting, shares);
    if (!ready)
        return false;
    *next = *ready;
    waiting->count--;
    memmove(ready, ready + 1, (size_t)(waiting->requests + waiting->count - ready) * sizeof *ready);
    return true;
}

/* Returns the time until the next poll, or -1 if no request waits. */
static int look_in_ms(const struct waiting *waiting)
{
    if (waiting->count == 0)
        return -1;
    const struct asked *newest = &waiting->requests[waiting->count - 1];
    return clock_monotonic_ms() - newest->since_ms < LATER_MS ? LOOK_EVERY_MS : LOOK_LATER_MS;
}

bool waiting_next(struct waiting *waiting, struct gateway *gateway, const struct shares *shares,
                  struct asked *next)
{
    enum gateway_event event = GATEWAY_QUIET;
    while (event != GATEWAY_REQUEST) {
        if (take_ready(waiting, shares, next)) {
            gateway_take_up(gateway, next->place);
            return true;
        }
        if (event == GATEWAY_ENDED && waiting->count == 0)
            return false;
        if (event == GATEWAY_ENDED)
            poll(NULL, 0, LOOK_EVERY_MS);
        event = gateway_accept(gateway, look_in_ms(waiting));
    }
    *next = (struct asked){.place = -1};
    return true;
}
