/* POST /logs/batch: adds and updates QSOs, each accepted or rejected on its own, all saved in one
 * transaction (API section 4.4). Reading an entry is left to src/qso/validate.c, saving it and
 * looking for its other side to src/store. */
#include <string.h>

#include "api/endpoint.h"
#include "json/list.h"
#include "json/write.h"
#include "qso/fields.h"
#include "qso/render.h"
#include "qso/validate.h"
#include "store/qsos.h"

struct entry {
    struct text client_id; /* as it was sent, with its quotes; no text: not a string */
    struct qso qso;
    const struct rejection *rejection; /* NULL: accepted */
    struct saved_qso saved;
};

struct batch {
    struct entry *entries;
    size_t count;
};

static const struct json_list_plan plan = {
    .list = "entries",
    .elements_max = BATCH_ENTRIES_MAX,
    .fields_max = FIELD_COUNT,
    .find = fields_find_sent,
};

static const struct error *read_entries(struct exchange *exchange, struct json_list *entries)
{
    struct text text;
    const char *message;
    const struct error *error = request_read_body(exchange->request, &text);
    if (error)
        return error;
    if (!json_list_scan(text, &plan, exchange->arena, entries, &message))
        return endpoint_refuse(exchange, "body", message);
    if (!entries->is_array || entries->count < 1 || entries->count > BATCH_ENTRIES_MAX)
        return endpoint_refuse(exchange, plan.list,
                               "must be an array of 1 to " TEXT_OF(BATCH_ENTRIES_MAX) " QSOs");
    return NULL;
}

/* As it was sent, with its quotes. */
static struct text quote_client_id(const struct json_value *values)
{
    const struct json_value *value = values ? &values[FIELD_CLIENT_ID] : NULL;
    if (!value || value->kind != JSON_STRING)
        return (struct text){0};
    return (struct text){value->text.bytes - 1, value->text.length + 2};
}

/* All of them before the writer lock is taken, so that no writer waits while another one's JSON is
 * parsed. */
static void validate_entries(struct exchange *exchange, const struct json_list *entries,
                             struct batch *batch)
{
    batch->count = entries->count;
    batch->entries = arena_allocate(exchange->arena, batch->count * sizeof *batch->entries);
    for (size_t i = 0; i < batch->count; i++) {
        struct entry *entry = &batch->entries[i];
        entry->client_id = quote_client_id(entries->elements[i]);
        entry->rejection = validate_qso(entries->elements[i], exchange->arena, &entry->qso);
    }
}

static enum store_result save_entry(const struct exchange *exchange,
                                    struct transaction *transaction, struct entry *entry)
{
    enum store_result result =
        store_save_qso(transaction, &exchange->identity, &entry->qso, &entry->saved);
    if (result == STORE_CONFLICT)
        entry->rejection = &rejection_client_id_conflict;
    else if (result == STORE_REFUSED)
        entry->rejection = &rejection_internal;
    else
        return result;
    return STORE_DONE;
}

static const struct error *save_entries(struct exchange *exchange, struct batch *batch)
{
    struct transaction transaction;
    const struct error *error = endpoint_begin_write(exchange, &transaction);
    if (error)
        return error;
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < batch->count && result == STORE_DONE; i++)
        if (!batch->entries[i].rejection)
            result = save_entry(exchange, &transaction, &batch->entries[i]);
    return endpoint_store_error(store_finish(&transaction, result));
}

static void render_result(const struct entry *entry, struct buffer *body)
{
    buffer_append_string(body, "{\"clientId\":");
    if (entry->client_id.bytes)
        buffer_append(body, entry->client_id.bytes, entry->client_id.length);
    else
        buffer_append_string(body, "null");
    if (!entry->rejection) {
        buffer_append_string(body, ",\"id\":\"");
        buffer_append_integer(body, entry->saved.id);
        buffer_append_string(body, "\",\"spottedAt\":");
        json_append_time(body, entry->saved.spotted_at_ms);
    } else {
        buffer_append_string(body, ",\"id\":null,\"error\":");
        json_append_string(body, entry->rejection->code, strlen(entry->rejection->code));
        if (entry->rejection->permanent)
            buffer_append_string(body, ",\"permanent\":true");
    }
    buffer_append(body, "}", 1);
}

static void append_results(struct exchange *exchange, const struct batch *batch)
{
    struct buffer *body = &exchange->response->body;
    buffer_append_string(body, "{\"results\":[");
    for (size_t i = 0; i < batch->count; i++) {
        if (i > 0)
            buffer_append(body, ",", 1);
        render_result(&batch->entries[i], body);
    }
    buffer_append_string(body, "]}");
}

/* A sentence names its field first. */
static void fill_refusal(const struct rejection *rejection, struct refusal *refusal)
{
    size_t field_length = strcspn(rejection->code, " ");
    refusal->code = text_of(rejection->code);
    if (rejection->code[field_length])
        refusal->field = (struct text){rejection->code, field_length};
}

/* Counts all of them by code, for the operator; keeps the first one and their number for the key's
 * owner. */
static void note_rejections(struct exchange *exchange, const struct batch *batch)
{
    struct refusal *refusal = &exchange->refusal;
    for (size_t i = 0; i < batch->count; i++) {
        const struct rejection *rejection = batch->entries[i].rejection;
        if (!rejection)
            continue;
        store_count_rejection(exchange->store, rejection);
        if (refusal->entries++ == 0)
            fill_refusal(rejection, refusal);
    }
}

static const struct error *answer(struct exchange *exchange)
{
    struct json_list entries;
    struct batch batch;
    const struct error *error = read_entries(exchange, &entries);
    if (error)
        return error;
    validate_entries(exchange, &entries, &batch);
    error = save_entries(exchange, &batch);
    if (!error) {
        append_results(exchange, &batch);
        note_rejections(exchange, &batch);
    }
    return error;
}

ENDPOINT(logs_batch) = {
    .route.method = METHOD_POST,
    .route.path = "/logs/batch",
    .route.access = ACCESS_WRITE_KEY,
    .route.use = USES_STORE,
    .route.status = 200,
    .route.answer = answer,
    .operation_id = "saveQsos",
    .summary = "Add and update QSOs",
    .description =
        "A QSO with an unknown clientId is created, one with a known clientId is replaced. "
        "Each entry is judged on its own: read every result. The answer comes after "
        "everything accepted is on the disk.",
    .request_schema = "Batch",
    .success = "A result for each entry, in their order.",
    .response_schema = "BatchResults",
    .errors = {&error_validation_failed, &error_body_too_large, &error_key_invalid,
               &error_read_only, &error_rate_limited},
};
