/* Commands about services of other clubs: pairing, the visits by which confirmations come, and the
 * end. Who asks what is left to visit.c; how long a code works, and what goes with a peer, to
 * src/store/peers.c. */
#include <string.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "admin/visit.h"
#include "store/club.h"
#include "store/peers.h"

/* Our address, and the club's name; an exit status after a line on standard error. */
static int read_own(struct invocation *invocation, const char **address, struct text *name)
{
    struct club club;
    int status = service_address_find(invocation, NULL, address);
    if (status != EXIT_DONE)
        return status;
    if (!peers_read_address(text_of(*address)))
        return command_refuse("%s is no address for other clubs: qsosync-admin club set --address "
                              "https://...",
                              *address);
    enum store_result result = store_read_club(invocation->store, invocation->arena, &club);
    if (result == STORE_DONE)
        *name = club.values[CLUB_NAME];
    return command_finish(result);
}

static int show_code(char code[PEER_CODE_SIZE], struct text address)
{
    if (!keys_print_secret(code, strlen(code)))
        return command_refuse("the code could not be shown; make another one");
    return command_say("The operator of %.*s enters it within %d days: qsosync-admin peer enter "
                       "CODE. It works once.",
                       (int)address.length, address.bytes, PEER_CODE_DAYS);
}

static int add(struct invocation *invocation)
{
    char code[PEER_CODE_SIZE];
    const char *own_address;
    struct text address = text_of(invocation->arguments[0]), own_name;
    int status = read_own(invocation, &own_address, &own_name);
    if (status != EXIT_DONE)
        return status;
    const char *fault = peers_judge_address(text_of(own_address), &address);
    if (fault)
        return command_refuse("%s %s", invocation->arguments[0], fault);
    enum store_result result = store_add_peer_code(invocation->store, invocation->arena,
                                                   text_of(own_address), address, code);
    status = result == STORE_REFUSED
                 ? command_refuse("%.*s is a peer already; to begin again, remove it first",
                                  (int)address.length, address.bytes)
             : result == STORE_DONE ? show_code(code, address)
                                    : command_finish(result);
    explicit_bzero(code, sizeof code);
    return status;
}

/* -- Entering ---------------------------------------------------------------------------------- */

/* The address in a code, and its secret. */
static bool read_code(struct invocation *invocation, struct text *address, const char **secret)
{
    struct text code = text_trim(text_of(invocation->arguments[0]));
    const char *mark = memchr(code.bytes, PEER_CODE_MARK, code.length);
    if (!mark)
        return false;
    struct text rest = {mark + 1, code.length - (size_t)(mark + 1 - code.bytes)};
    *address = (struct text){code.bytes, (size_t)(mark - code.bytes)};
    *secret = arena_copy(invocation->arena, rest.bytes, rest.length);
    return rest.length == API_KEY_COOKIE_LENGTH && peers_read_address(*address);
}

static int send(struct invocation *invocation, struct peer *peer, const char *secret,
                const char *own_address, struct text own_name)
{
    struct text club = {0};
    bool refused;
    enum store_result result = store_begin_peer(invocation->store, invocation->arena, peer);
    if (result == STORE_REFUSED)
        return command_refuse("%.*s is a peer already", (int)peer->name.length, peer->name.bytes);
    if (result != STORE_DONE)
        return command_finish(result);
    const char *failure =
        visit_pair(invocation, peer, secret, own_address, own_name, &club, &refused);
    if (failure && refused)
        store_remove_peer(invocation->store, peer->id);
    if (failure)
        return command_refuse("%.*s %s%s", (int)peer->name.length, peer->name.bytes, failure,
                              refused ? "" : "; the same code can be entered again");
    result = store_finish_peer(invocation->store, peer->id, peer->name, club);
    return result == STORE_DONE
               ? command_say("%.*s is a peer from now on", (int)peer->name.length, peer->name.bytes)
               : command_finish(result);
}

static int enter(struct invocation *invocation)
{
    char given[API_KEY_PEER_LENGTH + 1], asked[API_KEY_PEER_LENGTH + 1];
    const char *own_address, *secret;
    struct text own_name;
    struct peer peer = {0};
    if (!read_code(invocation, &peer.address, &secret))
        return command_refuse("this is no code: it is what qsosync-admin peer add has printed");
    int status = read_own(invocation, &own_address, &own_name);
    if (status != EXIT_DONE)
        return status;
    if (!api_key_make(API_KEY_PEER, given) || !api_key_make(API_KEY_PEER, asked))
        return command_refuse("the system has no random numbers");
    const char *name = peers_read_address(peer.address);
    peer.name = (struct text){name, peer.address.length - (size_t)(name - peer.address.bytes)};
    peer.given_key = text_of(given);
    peer.ask_key = text_of(asked);
    api_key_fingerprint(text_of(secret), peer.code);
    api_key_fingerprint(peer.given_key, peer.fingerprint);
    status = send(invocation, &peer, secret, own_address, own_name);
    explicit_bzero(given, sizeof given);
    explicit_bzero(asked, sizeof asked);
    return status;
}

/* -- Listing, removing ------------------------------------------------------------------------- */

static const struct column peer_columns[] = {
    {"NAME", "name", CELL_TEXT},
    {"CLUB", "club", CELL_TEXT},
    {"ADDRESS", "address", CELL_TEXT},
    {"PAIRED", "pairedAt", CELL_TIME},
    {"ASKED", "askedAt", CELL_TIME},
    {"ANSWERED", "answeredAt", CELL_TIME},
    {"CLAIMS", "claims", CELL_NUMBER},
    {"CONFIRMED", "confirmations", CELL_NUMBER},
    {"NOT TAKEN", "notTaken", CELL_NUMBER},
    {"OF STATION", "notTakenStation", CELL_TEXT},
    {"FAILURE", "failure", CELL_TEXT},
    {NULL, NULL, CELL_TEXT},
};

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
                cell_if(peer->paired_at_ms != 0, peer->paired_at_ms),
                cell_if(peer->asked_at_ms != 0, peer->asked_at_ms),
                cell_if(peer->answered_at_ms != 0, peer->answered_at_ms), cell(peer->claims),
                cell_if(counted, confirmations), cell(peer->skipped), cell(peer->skipped_callsign),
                cell(peer->failure));
}

static int list(struct invocation *invocation)
{
    struct rows rows = {.store = invocation->store,
                        .listing = {.columns = peer_columns, .arena = invocation->arena}};
    enum store_result result = store_list_peers(invocation->store, add_row, &rows);
    return listing_finish(invocation, &rows.listing, result);
}

static int find(struct invocation *invocation, struct peer *peer)
{
    struct text name = text_trim(text_of(invocation->arguments[0]));
    enum store_result result = store_find_peer(invocation->store, invocation->arena, name, peer);
    return result == STORE_NONE
               ? command_refuse("no peer has the name %s; see qsosync-admin peer list",
                                invocation->arguments[0])
               : command_finish(result);
}

static int remove_peer(struct invocation *invocation)
{
    struct peer peer;
    int status = find(invocation, &peer);
    if (status != EXIT_DONE)
        return status;
    enum store_result result = store_remove_peer(invocation->store, peer.id);
    return result == STORE_DONE || result == STORE_NONE
               ? command_say("removed %.*s, and what it had confirmed", (int)peer.name.length,
                             peer.name.bytes)
               : command_finish(result);
}

/* -- Visits ------------------------------------------------------------------------------------ */

static int visit(struct invocation *invocation, const struct peer *peer)
{
    const char *failure;
    enum store_result result = visit_peer(invocation, peer, &failure);
    return failure ? command_refuse("%.*s %s", (int)peer->name.length, peer->name.bytes, failure)
                   : command_finish(result);
}

/* The names of all who are paired: a visit may change the list. */
struct names {
    struct invocation *invocation;
    struct text names[256];
    size_t count;
};

static void add_name(void *context, const struct peer *peer)
{
    struct names *names = context;
    struct arena *arena = names->invocation->arena;
    if (peer->paired_at_ms && names->count < sizeof names->names / sizeof *names->names)
        names->names[names->count++] = (struct text){
            arena_copy(arena, peer->name.bytes, peer->name.length), peer->name.length};
}

static int visit_all(struct invocation *invocation)
{
    struct names names = {.invocation = invocation};
    struct peer peer;
    int status = EXIT_DONE;
    enum store_result result = store_list_peers(invocation->store, add_name, &names);
    for (size_t i = 0; i < names.count && result == STORE_DONE; i++) {
        result = store_find_peer(invocation->store, invocation->arena, names.names[i], &peer);
        if (result == STORE_DONE && visit(invocation, &peer) != EXIT_DONE)
            status = EXIT_REFUSED;
        result = result == STORE_NONE ? STORE_DONE : result;
    }
    return result == STORE_DONE ? status : command_finish(result);
}

static int pull(struct invocation *invocation)
{
    struct peer peer;
    enum store_result result = store_clear_removed_peers(invocation->store);
    if (result != STORE_DONE)
        return command_finish(result);
    if (!invocation->arguments[0])
        return visit_all(invocation);
    int status = find(invocation, &peer);
    if (status == EXIT_DONE && !peer.paired_at_ms)
        return command_refuse("%s is not paired yet: enter its code again",
                              invocation->arguments[0]);
    return status == EXIT_DONE ? visit(invocation, &peer) : status;
}

const struct command peers_commands[] = {
    {"peer add", "URL", "print a code by which another club's service is paired with this one",
     .run = add},
    {"peer enter", "CODE", "enter the code that another club has sent", .run = enter},
    {"peer list", "[--json]", "list the other clubs, what they claim and what failed",
     .opening = OPENS_TO_READ, .run = list},
    {"peer remove", "NAME", "end the exchange with another club, and its confirmations",
     .run = remove_peer},
    {"peer pull", "[NAME]", "ask the other clubs now which QSOs they claim",
     .opening = OPENS_BRIEFLY, .run = pull},
    {0},
};
