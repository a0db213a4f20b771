/* DELETE /logs/{clientId}: deletes a QSO and its spot (API section 4.5). The store records the
 * deletion for clients that synchronise later, and updates the confirmation in the other member's
 * log. */
#include "api/endpoint.h"
#include "base/uuid.h"
#include "store/log/qsos_delete.h"

static const struct error *answer(struct exchange *exchange)
{
    unsigned char client_id[UUID_BYTES];
    struct transaction transaction;
    if (!uuid_parse_text(exchange->request->segments[1], client_id))
        return input_refuse(exchange, "clientId", "must be a UUID");
    TRY(endpoint_begin_write(exchange, &transaction));
    enum store_result result = store_delete_qso(&transaction, &exchange->identity, client_id);
    result = store_finish(&transaction, result);
    return result == STORE_NONE ? &error_not_found : route_store_error(result);
}

ROUTE(logs_delete) = {
    .method = METHOD_DELETE,
    .path = "/logs/{clientId}",
    .access = ACCESS_WRITE_KEY,
    .use = USES_STORE,
    .status = 204,
    .answer = answer,
};
