/* Functions that the endpoints share: they start a write with the request's key, identify the
 * sender, and record why a request was refused. Each endpoint is a row and a function in its own
 * file; src/worker/input.c reads parameters. */
#include "api/endpoint.h"

#include "base/api_key.h"
#include "base/datetime.h"
#include "http/device.h"
#include "store/people/keys.h"
#include "store/log/logbook.h"
#include "worker/last_use.h"

const struct error *endpoint_begin_write(struct exchange *exchange, struct transaction *transaction)
{
    enum store_result result = store_begin_write(exchange->store, transaction);
    return result == STORE_DENIED ? &error_key_invalid : route_store_error(result);
}

/* Turns the key in the headers into a member and a scope. Keys are looked up only by fingerprint,
 * are never logged, and are never read from the query. */
static const struct error *identify(const struct request *request, struct store *store,
                                    struct identity *identity)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    if (!request->key.bytes || !api_key_is(API_KEY_KEY, request->key))
        return &error_key_invalid;
    api_key_fingerprint(request->key, fingerprint);
    return route_find_error(store_find_credential(store, CREDENTIAL_KEY, request->arena,
                                                  fingerprint, request->arrived_ms, identity),
                            &error_key_invalid);
}

const struct error *endpoint_identify(struct exchange *exchange)
{
    struct identity *identity = &exchange->identity;
    enum scope needed = exchange->route->access == ACCESS_WRITE_KEY ? SCOPE_WRITE : SCOPE_READ;
    const struct error *error = identify(exchange->request, exchange->store, identity);
    /* Copies the program's name now, because a long answer ends the gateway's request before
     * endpoint_finish is called. */
    exchange->program =
        device_program(exchange->arena, request_variable(exchange->request, "HTTP_USER_AGENT"));
    if (!error && needed == SCOPE_WRITE && exchange->is_full)
        return error_with_details(exchange->arena, &error_body_too_large, "body",
                                  "does not fit, because the sandbox is full");
    return error || identity->scope >= needed ? error : &error_read_only;
}

/* Records the last reason why a request with a key was refused. The key's owner then sees on the
 * profile page why a program cannot save. A refused client often repeats the same request, so a
 * reason that was recorded less than REPEATED_MS ago is not written again. */
#define REPEATED_MS 60000
#define LOOK_UP_MS 1000 /* minimum time between two lookups of keys in requests over the limit */

static bool is_noted(const struct error *error)
{
    return error->status == 400 || error->status == 403 || error->status == 413 ||
           error->status == 429 || error->status == 503;
}

/* Returns the number of the key in a request that was refused before its key was looked up. Returns
 * 0 if the key is unknown, or was not looked up. */
static int64_t find_key(const struct request *request, struct store *store)
{
    static int64_t last_ms = -LOOK_UP_MS;
    struct identity identity = {0};
    int64_t now_ms = request->arrived_ms;
    if (request->arrived_monotonic_ms - last_ms < LOOK_UP_MS || !request->key.bytes ||
        store_begin_read(store, &now_ms) != STORE_DONE)
        return 0;
    last_ms = request->arrived_monotonic_ms;
    const struct error *error = identify(request, store, &identity);
    store_end_read(store);
    return error ? 0 : identity.key_number;
}

static bool is_repeated(const struct exchange *exchange, int64_t key_number,
                        const struct refusal *refusal)
{
    struct refusal last;
    return store_find_key_refusal(exchange->store, exchange->arena, key_number, &last) ==
               STORE_DONE &&
           text_equals(last.code, refusal->code) && text_equals(last.field, refusal->field) &&
           last.refused_at_ms > refusal->refused_at_ms - REPEATED_MS &&
           last.refused_at_ms <= refusal->refused_at_ms;
}

static void note_refusal(const struct exchange *exchange, const struct error *error)
{
    const struct request *request = exchange->request;
    struct refusal refusal = exchange->refusal;
    if (error ? !is_noted(error) : !refusal.code.bytes)
        return;
    if (error)
        refusal = (struct refusal){
            .code = text_of(error->code), .field = text_of(error->field), .entries = 1};
    refusal.refused_at_ms = request->arrived_ms;
    int64_t key_number = exchange->identity.key_number;
    if (key_number == 0 && error && error->status == 429)
        key_number = find_key(request, exchange->store);
    if (key_number && !is_repeated(exchange, key_number, &refusal))
        store_record_key_refusal(exchange->store, key_number, &refusal);
}

void endpoint_finish(const struct exchange *exchange, const struct error *error)
{
    last_use_note(exchange);
    note_refusal(exchange, error);
}
