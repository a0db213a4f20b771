/* Sends a request to a peer, and describes why a request failed. */
#include "peers/ask.h"

#include "http/client.h"
#include "store/club/peers.h"

static const char *explain_status(struct arena *arena, long status)
{
    if (status == 401)
        return "rejects our key: it might have removed this club";
    if (status >= 300 && status < 400)
        return "answers with a redirect, which we do not follow: its address might have changed";
    if (status == 404 || status == 405)
        return "does not support peers: it is an older version, or the address is wrong";
    if (status == 429 || status == 503)
        return "limits our requests; the next visit continues";
    return arena_print(arena, "answers with status %ld", status);
}

const char *ask_peer(struct arena *arena, const struct ask *ask, struct client_response *response)
{
    struct client_request request = {
        .method = "POST",
        .most_ms = ask->most_ms,
        .headers = {"Content-Type: application/json", ask->authorization},
        .body = {ask->body->bytes, ask->body->length}};
    request.url = arena_print(arena, "%.*s%s", (int)ask->peer->address.length,
                              ask->peer->address.bytes, ask->path);
    *response = (struct client_response){0};
    if (!client_keeps_secrets(request.url))
        return "is not queried, because others could read our key without TLS; pair again with its "
               "https:// address";
    *response = client_send(&request, arena);
    if (response->failure != CLIENT_ANSWERED)
        return arena_print(arena, "cannot be reached: %s", response->reason);
    return response->status == 200 ? NULL : explain_status(arena, response->status);
}
