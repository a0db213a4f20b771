/* Reads, saves and answers a batch. Reading an entry is left to src/qso/values.c, saving it and
 * looking for its other side to src/store; who may write, and when the transaction begins, to the
 * caller. */
#include "transfer/batch.h"

#include <string.h>

#include "base/datetime.h"
#include "json/write.h"
#include "qso/fields.h"
#include "qso/values.h"

/* What an entry may hold beside the QSO's fields. */
#define BASE FIELD_COUNT
#define BASE_NAME "baseSyncedAt"

static int find_value(struct text name)
{
    return text_equals(name, text_of(BASE_NAME)) ? BASE : fields_find_sent(name);
}

static const struct json_list_plan plan = {
    .list = BATCH_LIST,
    .elements_max = BATCH_ENTRIES_MAX,
    .fields_max = FIELD_COUNT + 1,
    .find = find_value,
};

/* Null is none. */
static const struct rejection *read_base(const struct json_value *sent, struct batch_entry *entry)
{
    static const struct rejection no_time = {
        .code = BASE_NAME " must be the syncedAt of the QSO that was changed", .permanent = true};
    entry->has_base = sent->kind != JSON_MISSING && sent->kind != JSON_NULL;
    if (!entry->has_base ||
        (sent->kind == JSON_STRING && datetime_parse(text_trim(sent->text), &entry->base_ms)))
        return NULL;
    return &no_time;
}

/* All of them before the writer lock is taken, so that no writer waits while another one's JSON is
 * parsed. */
static void validate_entries(const struct json_list *entries, struct arena *arena,
                             struct batch *batch)
{
    batch->count = entries->count;
    batch->entries = arena_allocate(arena, batch->count * sizeof *batch->entries);
    for (size_t i = 0; i < batch->count; i++) {
        struct batch_entry *entry = &batch->entries[i];
        const struct json_value *values = entries->elements[i];
        entry->client_id = values ? &values[FIELD_CLIENT_ID] : NULL;
        entry->rejection = validate_qso(values, arena, &entry->qso);
        if (!entry->rejection)
            entry->rejection = read_base(&values[BASE], entry);
    }
}

bool batch_read(const struct json_fields *sent, struct arena *arena, struct batch *batch)
{
    struct json_list entries;
    json_list_of(sent, &plan, arena, &entries);
    if (!entries.is_array || entries.count < 1)
        return false;
    validate_entries(&entries, arena, batch);
    return true;
}

/* Inside the transaction that would write it. */
static enum store_result compare_base(struct transaction *transaction,
                                      const struct identity *member, struct batch_entry *entry)
{
    struct arena arena = {0};
    struct qso stored;
    enum store_result result = store_find_qso(
        transaction->store, member->member_id,
        (const unsigned char *)entry->qso.values[FIELD_CLIENT_ID].text, &arena, &stored);
    if (result == STORE_DONE)
        entry->synced_at_ms = stored.values[FIELD_SYNCED_AT].integer;
    arena_free(&arena);
    if (result == STORE_DONE && entry->synced_at_ms > entry->base_ms)
        entry->rejection = &rejection_conflict;
    return result == STORE_NONE || result == STORE_CONFLICT ? STORE_DONE : result;
}

static enum store_result save_entry(struct transaction *transaction, const struct identity *member,
                                    struct batch_entry *entry)
{
    enum store_result result =
        entry->has_base ? compare_base(transaction, member, entry) : STORE_DONE;
    if (result != STORE_DONE || entry->rejection)
        return result;
    result = store_save_qso(transaction, member, &entry->qso, (struct text){0}, &entry->saved);
    if (result == STORE_CONFLICT)
        entry->rejection = &rejection_client_id_conflict;
    else if (result == STORE_REFUSED)
        entry->rejection = &rejection_internal;
    else
        return result;
    return STORE_DONE;
}

enum store_result batch_save(struct transaction *transaction, const struct identity *member,
                             struct batch *batch)
{
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < batch->count && result == STORE_DONE; i++)
        if (!batch->entries[i].rejection)
            result = save_entry(transaction, member, &batch->entries[i]);
    return result;
}

/* With the escapes that were sent of what is no character: a program looks for its own text. */
static void append_client_id(const struct json_value *sent, struct buffer *body)
{
    size_t at = body->length;
    const char *lost = sent->lost;
    json_append_string(body, sent->text.bytes, sent->text.length);
    for (; lost && at < body->length; at++) {
        if (body->bytes[at] != '\\')
            continue;
        if (strncmp(body->bytes + at, "\\u0000", 6) == 0) {
            memcpy(body->bytes + at + 2, lost, 4);
            lost += 4;
        }
        at++;
    }
}

static void render_result(const struct batch_entry *entry, struct buffer *body)
{
    json_begin_item(body);
    if (entry->client_id && entry->client_id->kind == JSON_STRING) {
        json_write_name(body, "clientId");
        append_client_id(entry->client_id, body);
    } else {
        json_write_null(body, "clientId");
    }
    if (!entry->rejection) {
        json_write_fields(body, json_number("id", entry->saved.id),
                          json_time("spottedAt", entry->saved.spotted_at_ms));
    } else {
        json_write_null(body, "id");
        json_write_text(body, "error", text_of(entry->rejection->code));
        if (entry->rejection == &rejection_conflict)
            json_write_fields(body, json_flag("permanent", false),
                              json_time("syncedAt", entry->synced_at_ms));
        else if (entry->rejection->permanent)
            json_write_flag(body, "permanent", true);
    }
    buffer_append(body, "}", 1);
}

void batch_append_results(const struct batch *batch, struct buffer *body)
{
    buffer_append_string(body, "{\"results\":[");
    for (size_t i = 0; i < batch->count; i++)
        render_result(&batch->entries[i], body);
    buffer_append_string(body, "]}");
}
