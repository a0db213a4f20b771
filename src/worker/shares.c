/* Records the workers' clients in a table. Each program has a part of the table, with its own lock.
 * The entries show how many workers there are. Workers on one socket share its requests, so a
 * client's share is half of these workers.
 *
 * A front server that starts workers on demand gives each worker one request at a time. Such a
 * worker has its own socket (mod_fcgid) or no socket (plain CGI). The front server's maximum number
 * of workers is unknown here, and a waiting request occupies a worker. Therefore a client's share
 * of such workers is fixed, and few requests may wait. */
#include "worker/shares.h"

#include <errno.h>
#include <string.h>

#define ENTRIES 256 /* more workers than any front server starts by default */

/* Limits for workers that are started on demand. */
#define STARTED_SHARE 2
#define STARTED_WAITING_MAX 12 /* maximum number of waiting requests per address or member */
#define STARTED_MANY 8         /* with this many workers or more, some must remain idle */
#define STARTED_SPARE 2        /* number of workers that must remain idle in this case */
#define CGI_WAITING_MAX 60

/* Offsets of bytes in the file that are locked: a byte for each program, and a byte for each entry.
 */
#define LOCKS 2048
#define LOCKS_OF_ENTRIES 4096

enum state { VACANT, IDLE, SERVES, WAITS };

struct entry {
    _Atomic uint64_t state;
    uint64_t socket; /* socket of the worker; 0: a plain CGI program */
    struct client client;
};
_Static_assert(sizeof(struct entry[SHARES_PROGRAMS][ENTRIES]) <= RATE_LIMIT_ROOM_BYTES,
               "the table has room");

static struct entry *entries_of(const struct shares *shares)
{
    struct entry *entries = rate_limit_room(shares->table);
    return entries + shares->program * ENTRIES;
}

static off_t lock_of(const struct shares *shares, int entry)
{
    return LOCKS_OF_ENTRIES + shares->program * ENTRIES + entry;
}

static bool lock(const struct shares *shares)
{
    while (!shared_file_wait_lock(shares->table, LOCKS + shares->program))
        if (errno != EINTR)
            return false;
    return true;
}

static void unlock(const struct shares *shares)
{
    shared_file_unlock(shares->table, LOCKS + shares->program);
}

void shares_enter(struct shares *shares)
{
    shares->entry = -1;
    if (!rate_limit_room(shares->table) || !lock(shares))
        return;
    struct entry *entries = entries_of(shares);
    for (int i = 0; shares->entry < 0 && i < ENTRIES; i++)
        if (shared_file_try_lock(shares->table, lock_of(shares, i)))
            shares->entry = i;
    if (shares->entry >= 0) {
        entries[shares->entry].socket = shares->socket;
        entries[shares->entry].state = IDLE;
    }
    unlock(shares);
}

typedef bool entry_test(const struct shares *shares, const struct client *client,
                        const struct entry *entry);

static bool is_of_address(const struct shares *shares, const struct client *client,
                          const struct entry *entry)
{
    (void)shares;
    return memcmp(&entry->client.network, &client->network, sizeof client->network) == 0;
}

static bool is_of_member(const struct shares *shares, const struct client *client,
                         const struct entry *entry)
{
    (void)shares;
    return client->member_id && entry->client.member_id == client->member_id;
}

static bool is_on_socket(const struct shares *shares, const struct client *client,
                         const struct entry *entry)
{
    (void)client;
    return shares->socket && entry->socket == shares->socket;
}

/* Returns whether the worker was started by mod_fcgid, or listens on a socket with other workers.
 */
static bool is_started(const struct shares *shares, const struct client *client,
                       const struct entry *entry)
{
    (void)shares;
    (void)client;
    return entry->socket != 0;
}

/* Counts the other workers in this state (VACANT: in any state) that pass the test. Marks the
 * entries of workers that have ended as vacant. */
static int count_others(const struct shares *shares, const struct client *client, enum state state,
                        entry_test *test)
{
    struct entry *entries = entries_of(shares);
    int count = 0;
    for (int i = 0; i < ENTRIES; i++) {
        struct entry *entry = &entries[i];
        if (i == shares->entry || entry->state == VACANT ||
            (state != VACANT && entry->state != state) || !test(shares, client, entry))
            continue;
        if (shared_file_is_held(shares->table, lock_of(shares, i)))
            count++;
        else
            entry->state = VACANT;
    }
    return count;
}

static int larger(int one, int other)
{
    return one > other ? one : other;
}

static int count_of_client(const struct shares *shares, const struct client *client,
                           enum state state)
{
    return larger(count_others(shares, client, state, is_of_address),
                  count_others(shares, client, state, is_of_member));
}

static void note(const struct shares *shares, enum state state, const struct client *client)
{
    struct entry *entry = &entries_of(shares)[shares->entry];
    entry->state = IDLE; /* other workers can read the entry meanwhile */
    entry->client = *client;
    entry->state = state;
}

static int share_of(const struct shares *shares, const struct client *client)
{
    const int others = count_others(shares, client, VACANT, is_on_socket);
    return others > 0 ? (others + 1) / 2 : STARTED_SHARE;
}

/* Takes a share. Every client's share is at least one worker, so the workers are not counted for a
 * client's first request. */
bool shares_take(const struct shares *shares, const struct client *client)
{
    if (shares->entry < 0 || !lock(shares))
        return true;
    const int serving = count_of_client(shares, client, SERVES);
    const bool may_take = serving == 0 || serving < share_of(shares, client);
    if (may_take)
        note(shares, SERVES, client);
    unlock(shares);
    return may_take;
}

static bool may_hold(const struct shares *shares, const struct client *client)
{
    const int waiting = count_of_client(shares, client, WAITS);
    if (!shares->socket)
        return waiting < CGI_WAITING_MAX;
    return waiting < STARTED_WAITING_MAX &&
           (count_others(shares, client, VACANT, is_started) + 1 < STARTED_MANY ||
            count_others(shares, client, IDLE, is_started) >= STARTED_SPARE);
}

bool shares_wait(const struct shares *shares, const struct client *client)
{
    if (shares->entry < 0 || !lock(shares))
        return true;
    const bool is_held = count_others(shares, client, VACANT, is_on_socket) == 0;
    const bool may_wait = !is_held || may_hold(shares, client);
    note(shares, is_held && may_wait ? WAITS : IDLE, client);
    unlock(shares);
    return may_wait;
}

void shares_release(const struct shares *shares)
{
    if (shares->entry >= 0)
        entries_of(shares)[shares->entry].state = IDLE;
}
