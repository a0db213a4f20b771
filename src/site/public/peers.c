/* The routes for other clubs' services, and their guard. Browsers must not use these routes: a
 * request with a session's cookie is refused. src/peers creates the answers. */
#include "peers/answer.h"
#include "peers/answer_pairing.h"
#include "peers/wire.h"
#include "site/public/routes.h"
#include "site/shared/club.h"
#include "site/shared/session.h"

static const struct error *pair(struct exchange *exchange)
{
    if (session_cookie(exchange).bytes)
        return &error_key_invalid;
    TRY(answer_pairing(exchange));
    answer_pairing_write_club(exchange, club_of(exchange)->values[CLUB_NAME]);
    return NULL;
}

#define PEER_ROUTE(name, where, who, holds, function)                                              \
    SITE_ROUTE(name, METHOD_POST, where, .access = who, .use = USES_STORE, .body = holds,          \
               .status = 200, .is_object = true, .answer = function)

PEER_ROUTE(peer_claims, WIRE_CLAIMS, ACCESS_PEER, &answer_claims_body, answer_claims);
PEER_ROUTE(peer_pair, WIRE_PAIR, ACCESS_PUBLIC, &answer_pairing_body, pair);
