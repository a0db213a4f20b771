/* POST /logs/batch: adds and updates QSOs (API section 4.4). src/transfer/batch_read.c and
 * batch_save.c read and save the batch. This file records rejected entries: counts by code for the
 * operator, and the first rejection for the key's owner. */
#include "api/endpoint.h"
#include "store/log/rejection_counts.h"
#include "transfer/batch.h"
#include "worker/body.h"

/* Counts rejections by code for the operator. Keeps the first rejection and the number of
 * rejections for the key's owner, without conflicts, which are not the client's fault. Ignores
 * rejection_no_match. */
static void note_rejections(struct exchange *exchange, const struct batch *batch)
{
    struct refusal *refusal = &exchange->refusal;
    for (size_t i = 0; i < batch->count; i++) {
        const struct rejection *rejection = batch->entries[i].rejection;
        if (!rejection || rejection == &rejection_no_match)
            continue;
        store_count_rejection(exchange->store, rejection);
        if (rejection == &rejection_conflict) /* the client is not at fault */
            continue;
        if (refusal->entries++ > 0)
            continue;
        refusal->code = text_of(rejection->code);
        refusal->field = text_of(rejection->field);
    }
}

static const struct error *answer(struct exchange *exchange)
{
    struct transaction transaction;
    struct batch batch;
    const struct json_fields *sent;
    TRY(body_read_object(exchange, &sent));
    if (!batch_read(sent, exchange->arena, &batch))
        return input_refuse(exchange, BATCH_LIST, BATCH_RULE);
    TRY(endpoint_begin_write(exchange, &transaction));
    enum store_result result =
        batch_save(&transaction, &exchange->identity, &batch, exchange->arena);
    TRY(route_store_error(store_finish(&transaction, result)));
    batch_append_results(&batch, false, exchange->body);
    note_rejections(exchange, &batch);
    return NULL;
}

static const struct route_body body = {.bytes_max = REQUEST_BODY_MAX_BYTES, .json = BATCH_BOUNDS};

ROUTE(logs_batch) = {
    .method = METHOD_POST,
    .path = "/logs/batch",
    .access = ACCESS_WRITE_KEY,
    .use = USES_STORE,
    .body = &body,
    .status = 200,
    .answer = answer,
};
