/* Pairs with another club, which has received a code from an operator of this service.
 * src/site/public/peers.c contains the route. */
#include "peers/answer_pairing.h"

#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "json/write_object.h"
#include "peers/wire.h"
#include "store/club/peers.h"
#include "worker/body.h"
#include "worker/input.h"

const struct route_body answer_pairing_body = {.bytes_max = 4096, .json = {.items_max = 16}};

static const struct error *read_pairing(struct exchange *exchange, struct peer *peer)
{
    const struct json_fields *fields_of = exchange->sent;
    struct text secret = json_read_text(fields_of, WIRE_CODE);
    /* Our key: the field's name is from the other club's point of view. */
    struct text key = json_read_text(fields_of, WIRE_YOUR_KEY);
    struct text their_key = json_read_text(fields_of, WIRE_MY_KEY);
    peer->address = json_read_text(fields_of, WIRE_ADDRESS);
    peer->club = json_read_text(fields_of, WIRE_CLUB);
    if (!secret.bytes || secret.length != API_KEY_COOKIE_LENGTH)
        return input_refuse(exchange, WIRE_CODE,
                            "must be the code printed by qsosync-admin peer add");
    struct web_address address;
    if (!peers_read_address(peer->address, &address))
        return input_refuse(exchange, WIRE_ADDRESS, "must begin with https://");
    if (!api_key_is(API_KEY_PEER, key) || !api_key_is(API_KEY_PEER, their_key))
        return input_refuse(exchange, WIRE_YOUR_KEY, "must be a peer's key, like myKey");
    if (peer->club.bytes &&
        (text_count_code_points(peer->club) > WIRE_CLUB_NAME_MAX || text_has_control(peer->club)))
        return input_refuse(exchange, WIRE_CLUB, "must be at most 80 characters long");
    peer->name = address.name;
    peer->ask_key = key;
    api_key_fingerprint(secret, peer->code);
    api_key_fingerprint(their_key, peer->fingerprint);
    return NULL;
}

const struct error *answer_pairing(struct exchange *exchange)
{
    struct peer peer = {0};
    TRY(body_read_object(exchange, &exchange->sent));
    TRY(read_pairing(exchange, &peer));
    enum store_result result = store_pair_peer(exchange->store, exchange->arena, &peer);
    if (result == STORE_NONE || result == STORE_REFUSED)
        return input_refuse(exchange, WIRE_CODE,
                            result == STORE_NONE
                                ? "was already used, has expired, or is for another address"
                                : "is for an address that is already a peer");
    return route_store_error(result);
}

void answer_pairing_write_club(struct exchange *exchange, struct text name)
{
    json_write_fields(exchange->body, json_text(WIRE_CLUB, name));
}
