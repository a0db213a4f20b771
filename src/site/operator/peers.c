/* Other clubs on the operator's page: lists clubs with their last visits, creates a code for
 * another club, and removes a club. Only the command accepts a code, because workers send no
 * requests. */
#include "base/host_local.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/operator/operator.h"
#include "site/operator/routes.h"
#include "site/shared/club.h"
#include "site/shared/site_error.h"
#include "store/club/club.h"
#include "store/club/peers.h"

struct list {
    struct exchange *exchange;
    enum store_result result;
};

static void add_peer(void *context, const struct peer *peer)
{
    struct list *list = context;
    int64_t confirmations = 0;
    THEN(list->result, store_count_confirmations(list->exchange->store, peer->id, &confirmations));
    json_write_item(
        list->exchange->body, json_number("number", peer->id), json_text("name", peer->name),
        json_text("club", peer->club), json_text("address", peer->address),
        json_time("pairedAt", peer->paired_at_ms), json_time("askedAt", peer->asked_at_ms),
        json_time("answeredAt", peer->answered_at_ms), json_integer("claims", peer->claims),
        json_integer("confirmations", confirmations), json_integer("notTaken", peer->skipped),
        json_text("notTakenStation", peer->skipped_callsign), json_text("failure", peer->failure));
}

static const struct error *answer_list(struct exchange *exchange)
{
    struct list list = {exchange, STORE_DONE};
    json_begin_array(exchange->body, "items");
    enum store_result result = store_list_peers(exchange->store, add_peer, &list);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(THEN(list.result, result));
}

/* Returns whether an address is local. Operators must not use the page to reach addresses that only
 * this machine or its network can reach. */
static bool is_local(struct text address)
{
    struct web_address read;
    return host_read_address(address, &read) && host_is_local(&read.host);
}

static const struct error *answer_add(struct exchange *exchange)
{
    char *code = arena_allocate(exchange->arena, PEER_CODE_SIZE);
    struct text own = club_of(exchange)->values[CLUB_ADDRESS];
    if (peers_check_address((struct text){0}, &own))
        return &site_error_no_address;
    struct text address = json_read_text(exchange->sent, "address");
    const char *fault = peers_check_address(own, &address);
    if (!fault && is_local(address) && !is_local(own))
        fault = "is an address of this machine or of a private network: add it with qsosync-admin "
                "peer add";
    if (fault)
        return input_refuse(exchange, "address", fault);
    TRY(operator_store_error(
        exchange, store_add_peer_code(exchange->store, exchange->arena, own, address, code),
        &site_error_paired));
    json_write_fields(exchange->body, json_text("code", text_of(code)),
                      json_integer("days", PEER_CODE_DAYS));
    return NULL;
}

/* Removes a club. The next "peer pull" removes claims that remain after an interruption. */
static const struct error *answer_remove(struct exchange *exchange)
{
    return operator_store_error(exchange, store_remove_peer(exchange->store, exchange->number),
                                &error_internal);
}

OPERATOR_ROUTE(operator_peers, METHOD_GET, "peers", 200, answer_list);
OPERATOR_ROUTE(operator_add_peer, METHOD_POST, "peers", 201, answer_add,
               .body = &body_small_object);
OPERATOR_ROUTE(operator_remove_peer, METHOD_DELETE, "peers/{number}", 204, answer_remove);
