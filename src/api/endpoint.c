/* Helpers that several endpoints need: refusing a request by the field that is wrong, beginning a
 * write for the key that was sent, and the error that answers a failure of the store. An endpoint
 * is a row and a function in a file of its own. */
#include "api/endpoint.h"

const struct error *endpoint_refuse(struct exchange *exchange, const char *field,
                                    const char *message)
{
    return error_with_details(exchange->arena, &error_validation_failed, field, message);
}

const struct error *endpoint_begin_write(struct exchange *exchange, struct transaction *transaction)
{
    enum store_result result = store_begin_write(exchange->store, transaction);
    return result == STORE_DENIED ? &error_key_invalid : endpoint_store_error(result);
}

const struct error *endpoint_store_error(enum store_result result)
{
    return result == STORE_DONE ? NULL : result == STORE_BUSY ? &error_busy : &error_internal;
}
