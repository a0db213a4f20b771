/* DELETE /logs/{clientId}: removes a QSO and its spot (API section 4.5). */
#include "base/uuid.h"
#include "endpoints/endpoint.h"

static const struct fault *answer(struct exchange *exchange)
{
    unsigned char client_id[UUID_BYTES];
    int64_t stamp_ms;
    if (!uuid_read(exchange->request->segments[1], client_id))
        return endpoint_refuse(exchange, "clientId", "must be a UUID");
    enum store_result result = store_begin_write(exchange->store, &stamp_ms);
    if (result != STORE_DONE)
        return endpoint_store_fault(result);
    result = store_finish(exchange->store, store_delete_qso(exchange->store, &exchange->identity,
                                                            stamp_ms, client_id));
    if (result == STORE_NONE)
        return &fault_not_found;
    if (result == STORE_DONE)
        response_send(exchange->response, 204);
    return endpoint_store_fault(result);
}

const struct endpoint endpoint_logs_delete = {
    .method = METHOD_DELETE,
    .path = "/logs/{clientId}",
    .scope = SCOPE_WRITE,
    .use = USES_WRITES,
    .answer = answer,
    .operation = "deleteQso",
    .summary = "Delete a QSO",
    .description = "Removes the QSO from the log, and its spot if it had been published as one.",
    .parameters = {{"clientId", "path", "{\"type\":\"string\",\"format\":\"uuid\"}",
                    "The clientId of the QSO."}},
    .status = 204,
    .success = "The QSO is deleted.",
    .faults = {&fault_validation_failed, &fault_key_invalid, &fault_read_only, &fault_not_found,
               &fault_rate_limited},
};
