/* Commands that pair this service with another club's service: peer add prints a code, and peer
 * enter uses the other club's code. src/store/club/peers.c decides how long a code works. */
#include <string.h>

#include "admin/club.h"
#include "admin/command.h"
#include "admin/output.h"
#include "admin/secret.h"
#include "admin/service_address.h"
#include "base/api_key.h"
#include "peers/pairing.h"
#include "peers/visit.h"
#include "store/club/peers.h"

/* Returns this service's address, and sets *name to the club's name. */
static const char *read_own(struct invocation *invocation, struct text *name)
{
    const char *address = service_address_find(invocation, NULL);
    struct web_address own;
    if (!peers_read_address(text_of(address), &own))
        command_refuse(
            "other clubs cannot reach %s; set another address with: qsosync-admin club set "
            "--address https://...",
            address);
    *name = club_read(invocation).values[CLUB_NAME];
    return address;
}

void run_peer_add(struct invocation *invocation)
{
    char code[PEER_CODE_SIZE];
    struct text address = text_of(invocation->arguments[0]), own_name;
    const struct text own_address = text_of(read_own(invocation, &own_name));
    const char *fault = peers_check_address(own_address, &address);
    if (fault)
        command_refuse("%s %s", invocation->arguments[0], fault);
    command_expect(
        store_add_peer_code(invocation->store, invocation->arena, own_address, address, code),
        STORE_REFUSED, "%.*s is already a peer; to start over, remove it first",
        (int)address.length, address.bytes);
    const bool printed = secret_print(code, strlen(code));
    explicit_bzero(code, sizeof code);
    if (!printed)
        command_refuse("the code could not be shown; create another code");
    output_report(
        "The operator of %.*s must enter the code within %d days: qsosync-admin peer enter CODE. "
        "The code works only once.",
        (int)address.length, address.bytes, PEER_CODE_DAYS);
}

/* Splits the code in the first argument into the other club's address and the secret. Returns false
 * if the code is malformed. */
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
    output_report("%.*s is now a peer", (int)name.length, name.bytes);
}
