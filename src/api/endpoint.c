/* What several endpoints do alike. */
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
