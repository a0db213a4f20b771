/* The command peer pull: visits the other clubs' services to fetch confirmations. src/peers/visit.c
 * makes the visits. */
#include <stdlib.h>

#include "admin/command.h"
#include "admin/peers.h"
#include "admin/values.h"
#include "base/table.h"
#include "peers/visit.h"
#include "store/club/peers.h"

static void add_name(void *names, const struct peer *peer)
{
    table_at(names, peer->name);
}

#define SECONDS_DEFAULT 60
#define SECONDS_MAX 3600

/* Visits a peer. Returns false after a failure, which was reported. */
static bool visit(struct invocation *invocation, struct text name)
{
    const int64_t seconds =
        command_read_number(invocation, "seconds", SECONDS_MAX, SECONDS_DEFAULT);
    struct visit_end end;
    struct peer peer;
    enum store_result result = store_find_peer(invocation->store, invocation->arena, name, &peer);
    if (result == STORE_NONE) /* the peer was removed meanwhile */
        return true;
    command_require_done(result);
    result = visit_peer(invocation->store, invocation->arena, &peer, seconds * 1000, &end);
    if (end.reason)
        command_print_error(end.has_failed ? EXIT_REFUSED : EXIT_DONE, "%.*s %s", (int)name.length,
                            name.bytes, end.reason);
    return !end.has_failed && result == STORE_DONE;
}

/* Visits the peer that the argument names, or all paired peers. After a failed visit, the other
 * visits continue. The names are collected first, because a visit can change the list of peers. */
void run_peer_pull(struct invocation *invocation)
{
    struct table names;
    bool all = true;
    command_require_done(store_resume_peer_removal(invocation->store));
    table_begin(&names, invocation->arena, 0);
    if (invocation->arguments[0]) {
        const struct peer peer = peers_find_named(invocation);
        add_name(&names, &peer);
        if (!peer.paired_at_ms)
            command_refuse("%s is not paired yet; enter its code again", invocation->arguments[0]);
    } else {
        command_require_done(store_list_peers_to_visit(invocation->store, add_name, &names));
    }
    for (const struct table_entry *entry = names.first; entry; entry = entry->next)
        all = visit(invocation, entry->key) && all;
    if (!all)
        exit(EXIT_REFUSED);
}
