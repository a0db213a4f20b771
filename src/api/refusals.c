/* Keeps what a key was refused last, so that its owner sees on the profile page why a program does
 * not save. A client that is refused often sends the same request again: a worker does not write
 * again what it has just written. */
#include "api/refusals.h"

#include "api/endpoint.h"
#include "store/logbook.h"

#define REPEATED_MS 60000
#define LOOK_UP_MS 1000 /* keys of requests over the limit are looked up at most this often */

static bool is_noted(const struct error *error)
{
    return error->status == 400 || error->status == 403 || error->status == 413 ||
           error->status == 429;
}

/* The number of the key of a request that was refused before its key was looked up; 0: none. */
static int64_t find_key(const struct request *request, struct store *store)
{
    static int64_t last_ms = -LOOK_UP_MS;
    struct identity identity = {0};
    int64_t now_ms = request->arrived_ms;
    if (request->arrived_monotonic_ms - last_ms < LOOK_UP_MS || !request->key.bytes ||
        store_begin_read(store, &now_ms) != STORE_DONE)
        return 0;
    last_ms = request->arrived_monotonic_ms;
    const struct error *error = authentication_identify(request, store, &identity);
    store_end_read(store);
    return error ? 0 : identity.key_number;
}

static bool is_repeated(const struct request *request, int64_t key_number,
                        const struct refusal *refusal)
{
    static int64_t last_ms;
    static uint64_t last_hash;
    uint64_t hash = text_hash(TEXT_HASH_START, &key_number, sizeof key_number);
    hash = text_hash(hash, refusal->code.bytes, refusal->code.length);
    hash = text_hash(hash, refusal->field.bytes, refusal->field.length);
    bool repeated = hash == last_hash && request->arrived_monotonic_ms - last_ms < REPEATED_MS;
    if (!repeated) {
        last_hash = hash;
        last_ms = request->arrived_monotonic_ms;
    }
    return repeated;
}

void refusals_note(const struct exchange *exchange, const struct error *error)
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
    if (key_number && !is_repeated(request, key_number, &refusal))
        store_note_key_refusal(exchange->store, key_number, &refusal);
}
