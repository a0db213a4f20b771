/* Answers what upload programs ask before they send a QSO: whether the token works, and which
 * stations it is for. The answers are exactly those of Cloudlog and Wavelog, because clients
 * compare them: every value of the station list is a string. QSOs are taken by upload_qso.c. */
#include "site/uploads.h"

#include "base/api_key.h"
#include "json/write.h"
#include "site/routes.h"
#include "store/transaction.h"
#include "transfer/import.h"

#define TOKEN_SEGMENT 3 /* /cloudlog/api/auth/{token} */

void uploads_simplify_path(struct request *request)
{
    if (request->segment_count == 0 || request->segment_count > REQUEST_SEGMENTS_MAX ||
        !text_equals(request->segments[0], text_of("cloudlog")))
        return;
    size_t kept = 1;
    for (size_t i = 1; i < request->segment_count; i++) {
        struct text segment = request->segments[i];
        bool is_ignored =
            segment.length == 0 || (kept == 1 && text_equals(segment, text_of("index.php")));
        if (!is_ignored)
            request->segments[kept++] = segment;
    }
    request->segment_count = kept;
}

static enum store_result identify(struct exchange *exchange, struct text token,
                                  bool (*is_well_formed)(struct text token))
{
    struct identity *identity = &exchange->identity;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    if (!token.bytes || !is_well_formed(text_trim(token)))
        return STORE_NONE;
    api_key_fingerprint(text_trim(token), fingerprint);
    enum store_result result =
        store_find_token(exchange->store, exchange->arena, fingerprint, identity);
    if (result == STORE_DONE)
        store_write_as(exchange->store, exchange->arena, identity);
    return result;
}

enum store_result uploads_identify(struct exchange *exchange, struct text token)
{
    return identify(exchange, token, api_key_is_token);
}

enum store_result uploads_identify_polo(struct exchange *exchange, struct text token)
{
    return identify(exchange, token, api_key_is_polo);
}

const struct error *uploads_refuse_token(struct exchange *exchange)
{
    exchange->status = 401;
    buffer_append_string(&exchange->response->body,
                         "{\"status\":\"failed\",\"reason\":\"missing or wrong api key\"}");
    return NULL;
}

const struct error *uploads_let_in(struct exchange *exchange, struct text token, bool *answered)
{
    enum store_result result = uploads_identify(exchange, token);
    *answered = result != STORE_DONE;
    if (result == STORE_NONE)
        return uploads_refuse_token(exchange);
    return result == STORE_DONE ? NULL : &error_internal;
}

struct text uploads_path_token(const struct exchange *exchange)
{
    return exchange->request->segments[TOKEN_SEGMENT];
}

enum store_result uploads_import(struct exchange *exchange, struct text adif, bool dry_run,
                                 struct report *report, bool *found)
{
    struct import *import = import_create(exchange->store, &exchange->identity, dry_run, report);
    enum store_result result = import_feed(import, adif.bytes, adif.length);
    if (result == STORE_DONE)
        result = import_finish(import);
    *found = import_found_adif(import);
    import_free(import);
    return result;
}

/* GET …/api/auth/TOKEN */
static const struct error *answer_auth(struct exchange *exchange)
{
    enum store_result result = uploads_identify(exchange, uploads_path_token(exchange));
    if (result != STORE_DONE && result != STORE_NONE)
        return &error_internal;
    exchange->response->content_type = "text/xml";
    buffer_append_string(&exchange->response->body,
                         result == STORE_DONE
                             ? "<auth><status>Valid</status><rights>rw</rights></auth>"
                             : "<auth><message>Key Invalid - either not found or disabled"
                               "</message></auth>");
    return NULL;
}

/* GET …/api/station_info/TOKEN */
static const struct error *answer_station_info(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    const struct identity *identity = &exchange->identity;
    bool answered;
    const struct error *error = uploads_let_in(exchange, uploads_path_token(exchange), &answered);
    if (answered)
        return error;
    buffer_append(body, "[{", 2);
    json_write_text(body, "station_id", text_of("1"));
    json_write_text(body, "station_profile_name", identity->callsign);
    json_write_text(body, "station_gridsquare", identity->locator);
    json_write_text(body, "station_callsign", identity->callsign);
    json_write_text(body, "station_active", text_of("1"));
    buffer_append(body, "}]", 2);
    return NULL;
}

/* POST …/api/radio: what the transceiver is tuned to; accepted and not kept. */
static const struct error *answer_radio(struct exchange *exchange)
{
    buffer_append_string(&exchange->response->body, "{\"status\":\"success\"}");
    return NULL;
}

ROUTE(upload_auth) = {
    .method = METHOD_GET,
    .path = "/cloudlog/api/auth/{token}",
    .access = ACCESS_UPLOADS,
    .use = USES_SNAPSHOT,
    .status = 200,
    .answer = answer_auth,
};
ROUTE(upload_station_info) = {
    .method = METHOD_GET,
    .path = "/cloudlog/api/station_info/{token}",
    .access = ACCESS_UPLOADS,
    .use = USES_SNAPSHOT,
    .status = 200,
    .answer = answer_station_info,
};
ROUTE(upload_radio) = {
    .method = METHOD_POST,
    .path = "/cloudlog/api/radio",
    .access = ACCESS_UPLOADS,
    .use = USES_NOTHING,
    .status = 200,
    .answer = answer_radio,
};
