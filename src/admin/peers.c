/* Commands about services of other clubs: pairing, the visits that fetch confirmations, and the
 * end. src/peers/visit.c makes the visits; src/store/club/peers.c decides how long a code works,
 * and what is deleted with a peer. */
#include <stdlib.h>
#include <string.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/table.h"
#include "peers/pairing.h"
#include "peers/visit.h"
#include "store/club/peers.h"

/* Our address, and the club's name. */
static const char *read_own(struct invocation *invocation, struct text *name)
{
    const char *address = service_address_find(invocation, NULL);
    struct web_address own;
    if (!peers_read_address(text_of(address), &own))
        command_refuse("other clubs cannot reach %s: qsosync-admin club set --address "
                       "https://...",
                       address);
    *name = command_read_club(invocation).values[CLUB_NAME];
    return address;
}

void run_peer_add(struct invocation *invocation)
{
    char code[PEER_CODE_SIZE];
    struct text address = text_of(invocation->arguments[0]), own_name;
    const struct text own_address = text_of(read_own(invocation, &own_name));
    const char *fault = peers_judge_address(own_address, &address);
    if (fault)
        command_refuse("%s %s", invocation->arguments[0], fault);
    command_expect(
        store_add_peer_code(invocation->store, invocation->arena, own_address, address, code),
        STORE_REFUSED, "%.*s is already a peer; to start over, remove it first",
        (int)address.length, address.bytes);
    const bool printed = keys_print_secret(code, strlen(code));
    explicit_bzero(code, sizeof code);
    if (!printed)
        command_refuse("the code could not be shown; create another one");
    command_report(
        "The operator of %.*s enters it within %d days: qsosync-admin peer enter CODE. It "
        "works once.",
        (int)address.length, address.bytes, PEER_CODE_DAYS);
}

/* -- Entering ---------------------------------------------------------------------------------- */

/* The club that made the code, and its secret. */
static bool read_code(struct invocation *invocation, struct peer *peer, const char **secret)
{
    struct text rest = text_trim(text_of(invocation->arguments[0]));
    struct web_address address;
    peer->address = text_split_next(&rest, PEER_CODE_MARK);
    *secret = arena_copy(invocation->arena, rest.bytes ? rest.bytes : "", rest.length);
    if (rest.length != API_KEY_COOKIE_LENGTH || !peers_read_address(peer->address, &address))
        return false;
    peer->name = address.name;
    return true;
}

void run_peer_enter(struct invocation *invocation)
{
    char given[API_KEY_PEER_LENGTH + 1], asked[API_KEY_PEER_LENGTH + 1];
    struct peer peer = {0};
    struct pairing pairing = {.peer = &peer};
    if (!read_code(invocation, &peer, &pairing.secret))
        command_refuse("this is not a code from qsosync-admin peer add");
    pairing.own_address = read_own(invocation, &pairing.own_club);
    api_key_make(API_KEY_PEER, given);
    api_key_make(API_KEY_PEER, asked);
    const struct text name = peer.name;
    peer.given_key = text_of(given);
    peer.ask_key = text_of(asked);
    api_key_fingerprint(text_of(pairing.secret), peer.code);
    api_key_fingerprint(peer.given_key, peer.fingerprint);
    command_expect(store_begin_peer(invocation->store, invocation->arena, &peer), STORE_REFUSED,
                   "%.*s is already a peer", (int)name.length, name.bytes);
    const char *failure = pairing_ask(invocation->arena, &pairing);
    explicit_bzero(given, sizeof given);
    explicit_bzero(asked, sizeof asked);
    if (failure && pairing.is_refused)
        store_remove_peer(invocation->store, peer.id);
    if (failure)
        command_refuse("%.*s %s%s", (int)name.length, name.bytes, failure,
                       pairing.is_refused ? "" : "; the same code can be entered again");
    command_require_done(store_finish_peer(invocation->store, peer.id, name, pairing.club));
    command_report("%.*s is now a peer", (int)name.length, name.bytes);
}

/* -- Listing, removing ------------------------------------------------------------------------- */

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

static struct peer find(struct invocation *invocation)
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
    const struct peer peer = find(invocation);
    enum store_result result = store_remove_peer(invocation->store, peer.id);
    command_require_done(result == STORE_NONE ? STORE_DONE : result);
    command_report("removed %.*s and the confirmations it gave", (int)peer.name.length,
                   peer.name.bytes);
}

/* -- Visits ------------------------------------------------------------------------------------ */

static void add_name(void *names, const struct peer *peer)
{
    table_at(names, peer->name);
}

#define SECONDS_DEFAULT 60
#define SECONDS_MAX 3600

/* False after a failure, which has its line. */
static bool visit(struct invocation *invocation, struct text name)
{
    const int64_t seconds =
        command_read_number(invocation, "seconds", SECONDS_MAX, SECONDS_DEFAULT);
    struct visit_end end;
    struct peer peer;
    enum store_result result = store_find_peer(invocation->store, invocation->arena, name, &peer);
    if (result == STORE_NONE) /* removed meanwhile */
        return true;
    command_require_done(result);
    result = visit_peer(invocation->store, invocation->arena, &peer, seconds * 1000, &end);
    if (end.reason)
        command_print_error(end.has_failed ? EXIT_REFUSED : EXIT_DONE, "%.*s %s", (int)name.length,
                            name.bytes, end.reason);
    return !end.has_failed && result == STORE_DONE;
}

/* The failure of one visit does not stop others. A visit may change the list, so its names are read
 * before. */
void run_peer_pull(struct invocation *invocation)
{
    struct table names;
    bool all = true;
    command_require_done(store_resume_peer_removal(invocation->store));
    table_begin(&names, invocation->arena, 0);
    if (invocation->arguments[0]) {
        const struct peer peer = find(invocation);
        add_name(&names, &peer);
        if (!peer.paired_at_ms)
            command_refuse("%s is not paired yet: enter its code again", invocation->arguments[0]);
    } else {
        command_require_done(store_list_peers_to_visit(invocation->store, add_name, &names));
    }
    for (const struct table_entry *entry = names.first; entry; entry = entry->next)
        all = visit(invocation, entry->key) && all;
    if (!all)
        exit(EXIT_REFUSED);
}
