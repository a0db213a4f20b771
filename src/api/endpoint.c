/* Helpers that several endpoints need: refusing a request by the field that is wrong, beginning a
 * write for the key that was sent, and the error that answers a failure of the store. An endpoint
 * is a row and a function in a file of its own. */
#include "api/endpoint.h"

#include "base/api_key.h"
#include "base/datetime.h"
#include "store/keys.h"

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

/* -- Who sends a request ----------------------------------------------------------------------- */

/* The key in its headers becomes a member and a scope. Keys are known by their fingerprint only,
 * are never logged, and are never taken from the query. Which scope is needed the route's row says.
 */

const struct error *authentication_identify(const struct request *request, struct store *store,
                                            struct identity *identity)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    if (!request->key.bytes || !api_key_is_well_formed(request->key))
        return &error_key_invalid;
    api_key_fingerprint(request->key, fingerprint);
    switch (store_find_identity(store, request->arena, fingerprint, identity)) {
    case STORE_DONE:
        return NULL;
    case STORE_NONE:
        return &error_key_invalid;
    default:
        return &error_internal;
    }
}

const struct error *authentication_check(struct exchange *exchange)
{
    struct identity *identity = &exchange->identity;
    enum scope needed = exchange->route->access == ACCESS_WRITE_KEY ? SCOPE_WRITE : SCOPE_READ;
    const struct error *error =
        authentication_identify(exchange->request, exchange->store, identity);
    return error || identity->scope >= needed ? error : &error_read_only;
}

void authentication_note_use(const struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    int64_t day = exchange->request->arrived_ms / DATETIME_DAY_MS;
    if (identity->key_number && identity->last_used_day < day)
        store_note_use(exchange->store, CREDENTIAL_KEY, identity->key_number, day);
}
