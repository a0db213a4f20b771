/* Commands that list and remove peers, which are other clubs' services. src/store/club/peers.c
 * decides what is deleted with a peer. */
#include "admin/peers.h"

#include <string.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "admin/output.h"
#include "store/club/peers.h"

struct rows {
    struct store *store;
    struct listing listing;
};

static void add_row(void *context, const struct peer *peer)
{
    struct rows *rows = context;
    struct listing *listing = &rows->listing;
    int64_t confirmations = 0;
    bool counted = store_count_confirmations(rows->store, peer->id, &confirmations) == STORE_DONE;
    listing_add(listing, cell(peer->name), cell(peer->club), cell(peer->address),
                cell_time(peer->paired_at_ms), cell_time(peer->asked_at_ms),
                cell_time(peer->answered_at_ms), cell(peer->claims),
                cell_if(counted, confirmations), cell(peer->skipped), cell(peer->skipped_callsign),
                cell(peer->failure));
}

void run_peer_list(struct invocation *invocation)
{
    struct rows rows = {.store = invocation->store,
                        .listing = {.list = LIST_PEERS, .arena = invocation->arena}};
    command_require_done(store_list_peers(invocation->store, add_row, &rows));
    listing_print(invocation, &rows.listing);
}

struct peer peers_find_named(struct invocation *invocation)
{
    struct peer peer = {0};
    const struct text name = text_trim(text_of(invocation->arguments[0]));
    command_expect(store_find_peer(invocation->store, invocation->arena, name, &peer), STORE_NONE,
                   "no peer has the name %s; see qsosync-admin peer list",
                   invocation->arguments[0]);
    return peer;
}

void run_peer_remove(struct invocation *invocation)
{
    const struct peer peer = peers_find_named(invocation);
    enum store_result result = store_remove_peer(invocation->store, peer.id);
    command_require_done(result == STORE_NONE ? STORE_DONE : result);
    output_report("removed %.*s and its confirmations", (int)peer.name.length, peer.name.bytes);
}
