/* Pairs with another club, using a code from that club. src/peers/answer_pairing.c answers such
 * requests from other clubs. */
#include "peers/pairing.h"

#include <string.h>

#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "http/client.h"
#include "json/read.h"
#include "json/write_object.h"
#include "peers/ask.h"
#include "peers/wire.h"
#include "store/club/peers.h"

const char *pairing_ask(struct arena *arena, struct pairing *pairing)
{
    static const struct json_bounds bounds = ASK_BOUNDS;
    const struct peer *peer = pairing->peer;
    struct buffer body = {0};
    struct client_response response;
    const char *message;
    json_write_item(&body, json_text(WIRE_CODE, text_of(pairing->secret)),
                    json_text(WIRE_ADDRESS, text_of(pairing->own_address)),
                    json_text(WIRE_CLUB, pairing->own_club),
                    json_text(WIRE_YOUR_KEY, peer->given_key),
                    json_text(WIRE_MY_KEY, peer->ask_key));
    const struct ask ask = {.peer = peer, .path = WIRE_PAIR, .body = &body};
    const char *failure = ask_peer(arena, &ask, &response);
    explicit_bzero(body.bytes, body.length);
    buffer_free(&body);
    pairing->is_refused = response.status == 400;
    if (pairing->is_refused)
        return "rejects the code: it was already used, has expired, or is for an address other "
               "than ours";
    if (failure)
        return failure;
    const struct json_fields *answer =
        json_read_object(text_of(response.body), &bounds, arena, &message);
    if (!answer)
        return "sent an answer that cannot be read";
    struct text name = json_read_text(answer, WIRE_CLUB);
    bool fits = name.length > 0 && text_count_code_points(name) <= WIRE_CLUB_NAME_MAX &&
                !text_has_control(name);
    pairing->club = fits ? name : (struct text){0};
    return NULL;
}
