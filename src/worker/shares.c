/* The table has a part for each program, under one lock. The entries of the workers give their
 * number: workers on one socket share its requests, so half of them is the share.
 *
 * A front server that starts workers on demand gives each a socket of its own (mod_fcgid), or none
 * (plain CGI), and one request at a time. The number that it would start is unknown here, and a
 * request that waits holds a worker. Therefore the share has fixed bounds there, and few may wait.
 */
#include "worker/shares.h"

#include <errno.h>
#include <string.h>

#define ENTRIES 256 /* more than any front server starts by default */

/* Workers that are started on demand. */
#define STARTED_SHARE 2
#define STARTED_WAITING_MAX 12 /* waiting requests of an address or member */
#define STARTED_MANY 8         /* with this many workers, */
#define STARTED_SPARE 2        /* this many stay free */
#define CGI_WAITING_MAX 60

/* Bytes of the file that are locked: one for each program, then one for each entry. */
#define LOCKS 2048
#define LOCKS_OF_ENTRIES 4096

enum state { VACANT, IDLE, SERVES, WAITS };

struct entry {
    _Atomic uint64_t state;
    uint64_t socket; /* 0: a plain CGI program */
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
    struct entry *entries = entries_of(shares);
    shares->entry = -1;
    if (!rate_limit_room(shares->table) || !lock(shares))
        return;
    for (int i = 0; shares->entry < 0 && i < ENTRIES; i++)
        if (shared_file_try_lock(shares->table, lock_of(shares, i)))
            shares->entry = i;
    if (shares->entry >= 0) {
        entries[shares->entry].socket = shares->socket;
        entries[shares->entry].state = IDLE;
    }
    unlock(shares);
}

/* -- Counting ---------------------------------------------------------------------------------- */

/* Counts of other workers. */
struct counts {
    int on_socket;     /* on the same socket */
    int started, idle; /* on any socket; 0 if all programs are plain CGI */
    int serve_address, serve_member;
    int wait_address, wait_member;
};

/* An entry without its worker becomes vacant. */
static bool is_alive(const struct shares *shares, struct entry *entry, int number)
{
    if (entry->state != VACANT && !shared_file_is_held(shares->table, lock_of(shares, number)))
        entry->state = VACANT;
    return entry->state != VACANT;
}

static bool is_of_address(const struct entry *entry, const struct client *client)
{
    return memcmp(&entry->client.network, &client->network, sizeof client->network) == 0;
}

static bool is_of_member(const struct entry *entry, const struct client *client)
{
    return client->member_id && entry->client.member_id == client->member_id;
}

static void count_entry(const struct shares *shares, const struct client *client,
                        const struct entry *entry, struct counts *counts)
{
    const bool serves = entry->state == SERVES, waits = entry->state == WAITS;
    counts->on_socket += shares->socket && entry->socket == shares->socket;
    counts->started += entry->socket != 0;
    counts->idle += entry->socket != 0 && entry->state == IDLE;
    counts->serve_address += serves && is_of_address(entry, client);
    counts->serve_member += serves && is_of_member(entry, client);
    counts->wait_address += waits && is_of_address(entry, client);
    counts->wait_member += waits && is_of_member(entry, client);
}

/* What a turn depends on: requests that wait look for that alone, again and again. */
static bool decides_turn(const struct shares *shares, const struct client *client,
                         const struct entry *entry)
{
    return (shares->socket && entry->socket == shares->socket) ||
           (entry->state == SERVES &&
            (is_of_address(entry, client) || is_of_member(entry, client)));
}

static struct counts count_others(const struct shares *shares, const struct client *client,
                                  bool only_turn)
{
    struct entry *entries = entries_of(shares);
    struct counts counts = {0};
    for (int i = 0; i < ENTRIES; i++)
        if (i != shares->entry && (!only_turn || decides_turn(shares, client, &entries[i])) &&
            is_alive(shares, &entries[i], i))
            count_entry(shares, client, &entries[i], &counts);
    return counts;
}

/* -- Turns ------------------------------------------------------------------------------------- */

static void note(const struct shares *shares, enum state state, const struct client *client)
{
    struct entry *entry = &entries_of(shares)[shares->entry];
    entry->state = IDLE; /* others may look */
    entry->client = *client;
    entry->state = state;
}

bool shares_take(const struct shares *shares, const struct client *client)
{
    if (shares->entry < 0 || !lock(shares))
        return true;
    const struct counts counts = count_others(shares, client, true);
    const int share = counts.on_socket > 0 ? (counts.on_socket + 1) / 2 : STARTED_SHARE;
    const bool may_take = counts.serve_address < share && counts.serve_member < share;
    if (may_take)
        note(shares, SERVES, client);
    unlock(shares);
    return may_take;
}

static bool may_hold(const struct shares *shares, const struct counts *counts)
{
    const int most = shares->socket ? STARTED_WAITING_MAX : CGI_WAITING_MAX;
    const bool leaves_some =
        shares->socket == 0 || counts->started + 1 < STARTED_MANY || counts->idle >= STARTED_SPARE;
    return leaves_some && counts->wait_address < most && counts->wait_member < most;
}

bool shares_wait(const struct shares *shares, const struct client *client)
{
    if (shares->entry < 0 || !lock(shares))
        return true;
    const struct counts counts = count_others(shares, client, false);
    const bool is_held = counts.on_socket == 0;
    const bool may_wait = !is_held || may_hold(shares, &counts);
    note(shares, is_held && may_wait ? WAITS : IDLE, client);
    unlock(shares);
    return may_wait;
}

void shares_release(const struct shares *shares)
{
    if (shares->entry >= 0)
        entries_of(shares)[shares->entry].state = IDLE;
}
