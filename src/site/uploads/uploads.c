/* Uploads in the form of Cloudlog and Wavelog, and functions shared by all upload programs. The
 * answers are exactly those of Cloudlog and Wavelog, because clients compare them: every value of
 * the station list is a string. */
#include "site/uploads/uploads.h"

#include <string.h>

#include "base/api_key.h"
#include "installation.h"
#include "json/append.h"
#include "json/read.h"
#include "json/write.h"
#include "json/write_object.h"
#include "site/uploads/body.h"
#include "site/uploads/routes.h"
#include "store/log/log.h"
#include "store/transaction.h"
#include "transfer/export.h"
#include "transfer/import.h"
#include "worker/body.h"

#define UPLOAD_ROUTE(name, verb, where, uses, success, function, ...)                              \
    SITE_ROUTE(name, verb, "/cloudlog/api/" where, .access = ACCESS_UPLOADS, .use = uses,          \
               .status = success, .answer = function, __VA_ARGS__)

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

enum store_result uploads_identify(struct exchange *exchange, struct text token,
                                   enum api_key_kind kind)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    if (!token.bytes || !api_key_is(kind, text_trim(token)))
        return STORE_NONE;
    api_key_fingerprint(text_trim(token), fingerprint);
    enum store_result result =
        store_find_credential(exchange->store, CREDENTIAL_TOKEN, exchange->arena, fingerprint,
                              exchange->request->arrived_ms, &exchange->identity);
    if (result == STORE_DONE && route_take_turn(exchange, exchange->identity.member_id))
        return STORE_BUSY;
    if (result == STORE_DONE)
        store_write_as(exchange->store, exchange->arena, &exchange->identity);
    return result;
}

/* In the form that clients expect. */
static const struct error *refuse(struct exchange *exchange, int status, const char *reason)
{
    exchange->status = status;
    json_write_item(exchange->body, json_text("status", text_of("failed")),
                    json_text("reason", text_of(reason)));
    return &route_answered;
}

static const struct error *refuse_token(struct exchange *exchange)
{
    return refuse(exchange, 401, "missing or wrong api key");
}

static const struct error *let_in(struct exchange *exchange, struct text token)
{
    enum store_result result = uploads_identify(exchange, token, API_KEY_TOKEN);
    return result == STORE_NONE ? refuse_token(exchange) : route_store_error(result);
}

/* The token of a path such as /cloudlog/api/station_info/TOKEN. */
static struct text path_token(const struct exchange *exchange)
{
    return exchange->request->segments[TOKEN_SEGMENT];
}

enum store_result uploads_import(struct exchange *exchange, struct text adif, bool dry_run,
                                 struct report *report)
{
    return import_take(
        import_create(exchange->store, &exchange->identity, dry_run, report, exchange->arena), adif,
        NULL);
}

/* GET …/api/auth/TOKEN */
static const struct error *answer_auth(struct exchange *exchange)
{
    enum store_result result = uploads_identify(exchange, path_token(exchange), API_KEY_TOKEN);
    TRY(route_find_error(result, NULL));
    exchange->response->content_type = "text/xml";
    buffer_append_string(exchange->body,
                         result == STORE_DONE
                             ? "<auth><status>Valid</status><rights>rw</rights></auth>"
                             : "<auth><message>Key Invalid - either not found or disabled"
                               "</message></auth>");
    return NULL;
}

/* GET …/api/station_info/TOKEN */
static const struct error *answer_station_info(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    TRY(let_in(exchange, path_token(exchange)));
    buffer_append(exchange->body, "[{", 2);
    json_write_fields(exchange->body, json_text("station_id", text_of("1")),
                      json_text("station_profile_name", identity->callsign),
                      json_text("station_gridsquare", identity->locator),
                      json_text("station_callsign", identity->callsign),
                      json_text("station_active", text_of("1")));
    buffer_append(exchange->body, "}]", 2);
    return NULL;
}

/* POST …/api/radio: the transceiver's frequency; accepted but not stored. */
static const struct error *answer_radio(struct exchange *exchange)
{
    buffer_append_string(exchange->body, "{\"status\":\"success\"}");
    return NULL;
}

UPLOAD_ROUTE(upload_auth, METHOD_GET, "auth/{token}", USES_SNAPSHOT, 200, answer_auth);
UPLOAD_ROUTE(upload_station_info, METHOD_GET, "station_info/{token}", USES_SNAPSHOT, 200,
             answer_station_info);
UPLOAD_ROUTE(upload_radio, METHOD_POST, "radio", USES_NOTHING, 200, answer_radio,
             .body = &body_unread);

/* -- QSOs -------------------------------------------------------------------------------------- */

/* POST …/api/qso: records of ADIF become QSOs, by the rules of an imported file. A bad record does
 * not stop the good ones. A repeated record is answered like a new one, because clients stop their
 * whole upload at any other answer. */

#define DRY_RUN_SEGMENT 3 /* /cloudlog/api/qso/{dryRun} */
#define MESSAGES_MAX 50   /* reasons per answer */

static void add_message(struct exchange *exchange, const char *message)
{
    json_write_element(exchange->body);
    json_append_string(exchange->body, message, strlen(message));
}

static void begin_answer(struct exchange *exchange, const char *status, const char *message,
                         int64_t count, int64_t bad)
{
    buffer_append(exchange->body, "{", 1);
    json_write_fields(exchange->body, json_text("status", text_of(status)),
                      json_text("type", text_of("adif")), json_text("string", text_of("")),
                      json_integer("adif_count", count), json_integer("adif_errors", bad));
    json_begin_array(exchange->body, "messages");
    add_message(exchange, message);
}

static const struct error *abort_upload(struct exchange *exchange, const char *message)
{
    exchange->status = 400;
    begin_answer(exchange, "abort", "", 0, 0);
    add_message(exchange, message);
    buffer_append_string(exchange->body, "]}");
    return &route_answered;
}

static void add_reason(struct exchange *exchange, const struct report_reason *reason)
{
    int64_t shown = report_cases_kept(reason);
    const char *notice =
        reason->notice == NOTICE_REFUSED
            ? ""
            : arena_print(exchange->arena, "%s: ", report_notice_name(reason->notice));
    for (int64_t i = 0; i < shown; i++) {
        const struct report_case *one = &reason->first[i];
        add_message(exchange,
                    arena_print(exchange->arena, "%sline %lld: %.*s%s%s", notice,
                                (long long)one->line, (int)one->field.length, one->field.bytes,
                                one->field.length ? " " : "", reason->text));
    }
    if (reason->count > shown)
        add_message(exchange, arena_print(exchange->arena, "%s%lld more: %s", notice,
                                          (long long)(reason->count - shown), reason->text));
}

/* Stored values that differ from those of the records, and are kept. */
static void add_kept_values(struct exchange *exchange, const struct report *report)
{
    int shown = 0;
    for (const struct report_value *value = report->values; value && shown < MESSAGES_MAX;
         value = value->next)
        if (value->is_kept) {
            add_message(exchange,
                        arena_print(exchange->arena, "line %lld: %s %s", (long long)value->line,
                                    value->field, report_tell_value(value, exchange->arena)));
            shown++;
        }
    if (report->keeps > shown)
        add_message(exchange, arena_print(exchange->arena, "%lld more values stay as they are",
                                          (long long)(report->keeps - shown)));
}

static void answer_report(struct exchange *exchange, const struct report *report, bool dry_run)
{
    const struct report_counts *counts = &report->counts;
    int64_t good = counts->imported + counts->corrected + counts->completed + counts->unchanged +
                   counts->repeated;
    bool created = good > 0 || report->rejected == 0;
    int messages = 0;
    if (!created)
        exchange->status = 400;
    begin_answer(exchange, created ? "created" : "abort", created && dry_run ? "Dryrun works" : "",
                 good, report->rejected);
    for (const struct report_reason *reason = report->reasons; reason && messages < MESSAGES_MAX;
         reason = reason->next)
        if (created || reason->notice == NOTICE_REFUSED) {
            add_reason(exchange, reason);
            messages++;
        }
    add_kept_values(exchange, report);
    if (report->other_bands)
        add_message(exchange, arena_print(exchange->arena, "%lld on other bands: skipped",
                                          (long long)report->other_bands));
    buffer_append_string(exchange->body, "]}");
}

static const struct error *save(struct exchange *exchange, struct text adif, bool dry_run)
{
    struct report report;
    report_begin(&report, exchange->arena);
    enum store_result result = uploads_import(exchange, adif, dry_run, &report);
    if (result == STORE_DENIED)
        return refuse_token(exchange);
    if (result != STORE_DONE)
        return route_store_error(result);
    if (!report.found_adif)
        return abort_upload(exchange, "string contains no ADIF record");
    answer_report(exchange, &report, dry_run);
    return NULL;
}

/* The key is searched in the first BODY_UNKNOWN_MAX_BYTES: all programs send it before the ADIF.
 * Only a member's body is read to its end, and in several ways. A short body without a key that is
 * not JSON gets that error. */
static const struct error *find_member(struct exchange *exchange, struct text *token)
{
    struct text start;
    const char *message;
    TRY(body_read(exchange, &start));
    const bool has_key = upload_body_find_token(start, token);
    enum store_result result = uploads_identify(exchange, *token, API_KEY_TOKEN);
    if (result != STORE_NONE)
        return route_store_error(result);
    if (has_key || start.length == BODY_UNKNOWN_MAX_BYTES ||
        json_read_object(start, &exchange->route->body->json, exchange->arena, &message))
        return refuse_token(exchange);
    return abort_upload(exchange, message);
}

/* Wavelog's test button appends /true to the path, its own tests /1. An empty segment does not
 * arrive here. */
static const struct error *answer(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    struct text word = request->segment_count > DRY_RUN_SEGMENT ? request->segments[DRY_RUN_SEGMENT]
                                                                : text_of("false");
    bool dry_run = !text_equals(word, text_of("0")) && !text_equals_ignoring_case(word, "false");
    struct upload_body body;
    struct text text, token;
    const char *message;
    TRY(find_member(exchange, &token));
    TRY(body_read(exchange, &text));
    if (!upload_body_parse(text, &exchange->route->body->json, exchange->arena, &body, &message))
        return abort_upload(exchange, message);
    if (!body.key.bytes || !text_equals(text_trim(body.key), token))
        return refuse_token(exchange);
    if (!body.type.bytes || !text_equals_ignoring_case(body.type, "adif"))
        return abort_upload(exchange, "type must be adif");
    if (!body.adif.bytes)
        return abort_upload(exchange, "string is missing");
    return save(exchange, body.adif, dry_run);
}

static const struct route_body qso_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = REQUEST_BODY_MAX_BYTES, .json = {.items_max = 64}};

UPLOAD_ROUTE(upload_qso, METHOD_POST, "qso", USES_STORE, 201, answer, .body = &qso_body);
UPLOAD_ROUTE(upload_qso_dry, METHOD_POST, "qso/{dryRun}", USES_STORE, 201, answer,
             .body = &qso_body);

/* -- What programs ask ------------------------------------------------------------------------- */

/* Answers other requests that logging programs send to Cloudlog and Wavelog. They are the version
 * and a key's rights, to test it, the numbers of the log, and the log itself. A token may read the
 * latter two only if the member allowed it; otherwise the log appears empty or closed. The answers
 * have the forms of Wavelog, because clients compare them. */

#define FETCHED_AT_ONCE 20000 /* QSOs per answer, as in Wavelog */
#define STATION_ID 1          /* id of the only station in api/station_info */

/* The object in the request, and the owner of its key. */
static const struct error *read_body(struct exchange *exchange, const struct json_fields **body)
{
    const struct error *error = body_read_object(exchange, body);
    if (error)
        return error->status == 400 ? refuse(exchange, 400, "wrong JSON") : error;
    return let_in(exchange, json_read_text(*body, "key"));
}

static const struct route_body question_body = {
    .type = BODY_OF_ANY_TYPE, .bytes_max = BODY_UNKNOWN_MAX_BYTES, .json = {.items_max = 64}};

/* -- The key ----------------------------------------------------------------------------------- */

/* POST …/api/version */
static const struct error *answer_version(struct exchange *exchange)
{
    const struct json_fields *body;
    TRY(read_body(exchange, &body));
    json_write_item(exchange->body, json_text("status", text_of("ok")),
                    json_text("version", text_of(QSOSYNC_VERSION)));
    return NULL;
}

/* GET …/api/check_auth/TOKEN */
static const struct error *answer_check_auth(struct exchange *exchange)
{
    TRY(let_in(exchange, path_token(exchange)));
    buffer_append_string(exchange->body, "{\"status\":\"valid\",\"rights\":\"rw\"}");
    return NULL;
}

/* -- The numbers ------------------------------------------------------------------------------- */

/* GET …/api/statistics/TOKEN: zeros if the token may not read, as in Wavelog for a wrong key. */
static const struct error *answer_statistics(struct exchange *exchange)
{
    struct log_counts counts = {0};
    enum store_result result = uploads_identify(exchange, path_token(exchange), API_KEY_TOKEN);
    if (result == STORE_DONE && exchange->identity.may_read)
        result = store_count_log(exchange->store, exchange->identity.member_id,
                                 exchange->request->arrived_ms, &counts);
    TRY(route_find_error(result, NULL));
    json_write_item(exchange->body, json_integer("Today", counts.of_day),
                    json_integer("total_qsos", counts.qsos),
                    json_integer("month_qsos", counts.of_month),
                    json_integer("year_qsos", counts.of_year));
    return NULL;
}

/* -- The log ----------------------------------------------------------------------------------- */

struct fetching {
    struct exchange *exchange;
    bool begun;
};

/* A piece of the ADIF, as a part of a JSON string. */
static bool write_piece(void *context, const char *bytes, size_t length)
{
    struct fetching *fetching = context;
    struct buffer *out = fetching->exchange->body, piece = {0};
    if (!fetching->begun)
        buffer_append_string(out, "{\"status\":\"successful\",\"message\":\"Export successful\","
                                  "\"adif\":\"");
    fetching->begun = true;
    json_append_string(&piece, bytes, length);
    buffer_append(out, piece.bytes + 1, piece.length - 2);
    buffer_free(&piece);
    return response_flush(fetching->exchange->response);
}

static const struct error *fetch(struct exchange *exchange, int64_t after, int64_t limit)
{
    struct buffer *out = exchange->body;
    struct fetching fetching = {.exchange = exchange};
    const struct identity *identity = &exchange->identity;
    const struct member member = {.id = identity->member_id,
                                  .callsign = identity->callsign,
                                  .is_station = identity->is_station};
    const struct export_options wish = {
        .band = -1, .version = QSOSYNC_VERSION, .after = after, .limit = limit};
    struct export_counts counts;
    TRY(route_store_error(
        export_log(exchange->store, &member, &wish, write_piece, &fetching, &counts)));
    buffer_append_string(out, fetching.begun ? "\""
                                             : "{\"status\":\"successful\",\"message\":"
                                               "\"No new QSOs available.\",\"adif\":null");
    buffer_print(out, ",\"exported_qsos\":%lld,\"lastfetchedid\":%lld}", (long long)counts.exported,
                 (long long)counts.last_id);
    return NULL;
}

/* POST …/api/get_contacts_adif */
static const struct error *answer_contacts(struct exchange *exchange)
{
    const struct json_fields *body;
    int64_t station, after, limit = FETCHED_AT_ONCE;
    TRY(read_body(exchange, &body));
    struct text format = json_read_text(body, "output_format");
    if (!json_has(body, "station_id") || !json_has(body, "fetchfromid"))
        return refuse(exchange, 400, "Not all required fields were present in input JSON");
    if (!json_read_count(body, "fetchfromid", &after))
        return refuse(exchange, 400, "Invalid fetchfromid.");
    if (format.bytes && !text_equals_ignoring_case(format, "adif"))
        return refuse(exchange, 400, "output_format must be adif");
    if (!json_read_count(body, "station_id", &station) || station != STATION_ID)
        return refuse(exchange, 401, "Station ID not accessible for this API key");
    if (!exchange->identity.may_read)
        return refuse(exchange, 401, "the token may not read the log");
    json_read_count(body, "limit", &limit);
    return fetch(exchange, after, limit > 0 && limit < FETCHED_AT_ONCE ? limit : FETCHED_AT_ONCE);
}

UPLOAD_ROUTE(upload_version, METHOD_POST, "version", USES_STORE, 200, answer_version,
             .body = &question_body);
UPLOAD_ROUTE(upload_check_auth, METHOD_GET, "check_auth/{token}", USES_SNAPSHOT, 200,
             answer_check_auth);
UPLOAD_ROUTE(upload_statistics, METHOD_GET, "statistics/{token}", USES_SNAPSHOT, 201,
             answer_statistics);
UPLOAD_ROUTE(upload_contacts, METHOD_POST, "get_contacts_adif", USES_STORE, 200, answer_contacts,
             .body = &question_body);
