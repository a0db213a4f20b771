/* Writes the results of a batch. */
#include "transfer/batch.h"

#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "json/append.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/render.h"

/* Appends the clientId as it was sent. Invalid characters are written as the escapes that were
 * sent, because a program searches for its own text. */
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

static void render_result(const struct batch_entry *entry, bool names_fields, struct buffer *body)
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
        if (entry->is_matched) {
            json_write_name(body, "matchedClientId");
            render_field(FIELD_CLIENT_ID, &entry->matched_client_id, body);
            json_write_flag(body, "unchanged", entry->is_unchanged);
        }
    } else {
        json_write_null(body, "id");
        json_write_text(body, "error", text_of(entry->rejection->code));
        if (names_fields)
            json_write_text(body, "field", text_of(entry->rejection->field));
        if (entry->rejection == &rejection_no_match)
            json_write_flag(body, "permanent", false);
        else if (entry->rejection == &rejection_conflict)
            json_write_fields(body, json_flag("permanent", false),
                              json_time("syncedAt", entry->synced_at_ms));
        else if (entry->rejection->permanent)
            json_write_flag(body, "permanent", true);
    }
    buffer_append(body, "}", 1);
}

void batch_append_results(const struct batch *batch, bool names_fields, struct buffer *body)
{
    buffer_append_string(body, "{\"results\":[");
    for (size_t i = 0; i < batch->count; i++)
        render_result(&batch->entries[i], names_fields, body);
    buffer_append_string(body, "]}");
}
