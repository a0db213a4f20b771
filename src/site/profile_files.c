/* GET /profile/data/... for files: the member's log as ADIF or CSV for other programs, and
 * everything that the service holds about the member as JSON. The formats are left to src/transfer;
 * a log of any length goes out page by page. */
#include "base/datetime.h"
#include "transfer/export.h"
#include "installation.h"
#include "qso/render.h"
#include "qso/spot.h"
#include "json/write.h"
#include "site/profile.h"
#include "store/keys.h"
#include "store/logbook.h"
#include "store/qsos.h"
#include "store/spots.h"

#define PAGE_QSOS 500

/* -- ADIF -------------------------------------------------------------------------------------- */

static const struct error *read_since(struct exchange *exchange, int64_t *since_ms)
{
    struct text value;
    const char *message = request_find_parameter(exchange->request, "since", &value);
    if (message)
        return profile_refuse(exchange, "since", message);
    if (value.bytes && !datetime_parse(value, since_ms))
        return profile_refuse(exchange, "since", "must be an ISO 8601 date-time with a time zone");
    return NULL;
}

static bool write_piece(void *context, const char *bytes, size_t length)
{
    struct exchange *exchange = context;
    buffer_append(&exchange->response->body, bytes, length);
    return response_flush(exchange->response);
}

static const struct error *answer_export(struct exchange *exchange)
{
    struct export_wish wish = {
        .format = EXPORT_ADIF, .band = -1, .heard = true, .version = QSOSYNC_VERSION};
    struct export_counts counts;
    const struct error *error = read_since(exchange, &wish.since_ms);
    if (error)
        return error;
    exchange->response->content_type = "text/x-adif; charset=utf-8";
    exchange->file_name = "qsosync.adi";
    return profile_store_error(
        export_log(exchange->store, &exchange->member, &wish, write_piece, exchange, &counts));
}

/* -- Everything -------------------------------------------------------------------------------- */

static void write_member(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    const struct member *member = &exchange->member;
    json_write_name(body, "member");
    buffer_append(body, "{", 1);
    json_write_text(body, "callsign", member->callsign);
    json_write_text(body, "locator", member->locator);
    json_write_text(body, "login", member->login);
    json_write_time(body, "createdAt", member->created_at_ms);
    buffer_append(body, "}", 1);
}

static void add_key(void *context, const struct key *key)
{
    struct buffer *body = context;
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_number_text(body, "number", key->number);
    json_write_text(body, "name", key->name);
    json_write_text(body, "scope", text_of(store_scope_name(key->scope)));
    json_write_text(body, "hint", key->hint);
    json_write_time(body, "createdAt", key->created_at_ms);
    json_write_day(body, "lastUsedOn", key->last_used_day);
    json_write_time(body, "revokedAt", key->revoked_at_ms);
    buffer_append(body, "}", 1);
}

static bool add_spot(void *context, const struct spot *spot)
{
    struct exchange *exchange = context;
    struct buffer *body = &exchange->response->body;
    json_write_element(body);
    buffer_append(body, "{", 1);
    json_write_number_text(body, "qso", spot->qso_id);
    json_write_time(body, "spottedAt", spot->spotted_at_ms);
    json_write_text(body, "spotter", spot->spotter);
    json_write_text(body, "spotted", spot->dx_callsign);
    buffer_append(body, "}", 1);
    return response_flush(exchange->response);
}

struct pages {
    struct exchange *exchange;
    struct position last;
    int64_t count; /* QSOs of the page */
    int64_t all;
    bool is_first;
};

static void add_qso(void *context, const struct qso *qso)
{
    struct pages *pages = context;
    struct buffer *body = &pages->exchange->response->body;
    buffer_append_string(body, pages->is_first ? "\n" : ",\n");
    render_qso(qso, body);
    pages->is_first = false;
    pages->count++;
    pages->all++;
    pages->last =
        (struct position){qso->values[FIELD_SYNCED_AT].integer, qso->values[FIELD_ID].integer};
}

static enum store_result write_qsos(struct exchange *exchange)
{
    struct pages pages = {.exchange = exchange, .last = {INT64_MIN, INT64_MAX}, .is_first = true};
    enum store_result result = STORE_DONE;
    do {
        pages.count = 0;
        result = store_list_qsos(exchange->store, exchange->member.id, pages.last, PAGE_QSOS,
                                 add_qso, &pages);
    } while (result == STORE_DONE && pages.count == PAGE_QSOS &&
             response_flush(exchange->response));
    buffer_append_string(&exchange->response->body, "\n]");
    json_write_integer(&exchange->response->body, "qsoCount", pages.all);
    return result;
}

static enum store_result write_everything(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    int64_t member_id = exchange->member.id;
    buffer_append(body, "{", 1);
    json_write_time(body, "exportedAt", exchange->request->arrived_ms);
    write_member(exchange);
    json_write_name(body, "keys");
    buffer_append(body, "[", 1);
    enum store_result result = store_list_keys(exchange->store, member_id, add_key, body);
    buffer_append_string(body, "],\"tokens\":[");
    if (result == STORE_DONE)
        result = store_list_tokens(exchange->store, member_id, add_key, body);
    buffer_append_string(body, "],\"spots\":[");
    if (result == STORE_DONE)
        result = store_list_member_spots(exchange->store, member_id, add_spot, exchange);
    buffer_append_string(body, "],\"qsos\":[");
    if (result == STORE_DONE)
        result = write_qsos(exchange);
    buffer_append_string(body, "}\n");
    return result;
}

static const struct error *answer_everything(struct exchange *exchange)
{
    int64_t now_ms = exchange->request->arrived_ms;
    if (store_begin_read(exchange->store, &now_ms) != STORE_DONE)
        return &error_internal;
    exchange->file_name = "qsosync-everything.json";
    enum store_result result = write_everything(exchange);
    store_end_read(exchange->store);
    return profile_store_error(result);
}

PROFILE_ROUTE(profile_export, METHOD_GET, "export.adi", USES_STORE, 200, answer_export);
PROFILE_ROUTE(profile_everything, METHOD_GET, "everything.json", USES_STORE, 200,
              answer_everything);
