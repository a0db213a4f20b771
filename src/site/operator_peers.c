/* Other clubs on the operator's page: which there are and how their visits went, a code for another
 * one, and the end. Entering a code, which asks the other club, is left to the command: workers
 * make no requests. */
#include <string.h>

#include "json/write.h"
#include "site/address.h"
#include "site/operator.h"
#include "site/site_error.h"
#include "store/peers.h"

struct list {
    struct exchange *exchange;
    enum store_result result;
};

static void add_peer(void *context, const struct peer *peer)
{
    struct list *list = context;
    struct buffer *body = &list->exchange->response->body;
    int64_t confirmations = 0;
    if (list->result == STORE_DONE)
        list->result = store_count_confirmations(list->exchange->store, peer->id, &confirmations);
    json_begin_item(body);
    json_write_number_text(body, "number", peer->id);
    json_write_text(body, "name", peer->name);
    json_write_text(body, "club", peer->club);
    json_write_text(body, "address", peer->address);
    json_write_time(body, "pairedAt", peer->paired_at_ms);
    json_write_time(body, "askedAt", peer->asked_at_ms);
    json_write_time(body, "answeredAt", peer->answered_at_ms);
    json_write_integer(body, "claims", peer->claims);
    json_write_integer(body, "confirmations", confirmations);
    json_write_integer(body, "notTaken", peer->skipped);
    json_write_text(body, "notTakenStation", peer->skipped_callsign);
    json_write_text(body, "failure", peer->failure);
    buffer_append(body, "}", 1);
}

static const struct error *answer_list(struct exchange *exchange)
{
    struct list list = {exchange, STORE_DONE};
    buffer_append_string(&exchange->response->body, "{\"items\":[");
    enum store_result result = store_list_peers(exchange->store, add_peer, &list);
    buffer_append_string(&exchange->response->body, "]}");
    return profile_store_error(result == STORE_DONE ? list.result : result);
}

static const struct error *answer_add(struct exchange *exchange)
{
    char code[PEER_CODE_SIZE];
    struct text own = club_of(exchange)->values[CLUB_ADDRESS];
    if (peers_judge_address((struct text){0}, &own))
        return &site_error_no_address;
    struct text address = json_read_text(exchange->sent, "address");
    const char *fault = peers_judge_address(own, &address);
    if (fault)
        return profile_refuse(exchange, "address", fault);
    const struct error *error = operator_store_error(
        exchange, store_add_peer_code(exchange->store, exchange->arena, own, address, code),
        &site_error_paired);
    if (!error) {
        buffer_append(&exchange->response->body, "{", 1);
        json_write_text(&exchange->response->body, "code", text_of(code));
        json_write_integer(&exchange->response->body, "days", PEER_CODE_DAYS);
        buffer_append(&exchange->response->body, "}", 1);
    }
    explicit_bzero(code, sizeof code);
    return error;
}

struct search {
    struct arena *arena;
    int64_t number;
    struct text name; /* no text: not found */
};

static void compare(void *context, const struct peer *peer)
{
    struct search *search = context;
    if (peer->id != search->number)
        return;
    search->name.bytes = arena_copy(search->arena, peer->name.bytes, peer->name.length);
    search->name.length = peer->name.length;
}

/* What is left of the claims after an interruption, the next visit removes. */
static const struct error *answer_remove(struct exchange *exchange)
{
    struct search search = {.arena = exchange->arena, .number = exchange->number};
    const struct error *error =
        profile_store_error(store_list_peers(exchange->store, compare, &search));
    if (error || !search.name.bytes)
        return error ? error : &error_not_found;
    return operator_store_error(
        exchange, store_remove_peer(exchange->store, search.number, search.name), &error_internal);
}

OPERATOR_ROUTE(operator_peers, METHOD_GET, "peers", 200, answer_list);
OPERATOR_ROUTE(operator_add_peer, METHOD_POST, "peers", 201, answer_add);
OPERATOR_ROUTE(operator_remove_peer, METHOD_DELETE, "peers/{number}", 204, answer_remove);
