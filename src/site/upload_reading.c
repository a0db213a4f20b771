/* Answers what logging programs ask of Cloudlog and Wavelog beside sending QSOs: the version and
 * the rights of a key, by which they test it, the numbers of the log, and the log itself. A token
 * gives the latter two only if the member made it for that; to any other the log is empty, or
 * closed. The answers have the forms of Wavelog, because clients compare them. */
#include <string.h>
#include <time.h>

#include "installation.h"
#include "json/read.h"
#include "json/write.h"
#include "qso/match.h"
#include "site/routes.h"
#include "site/uploads.h"
#include "store/log.h"
#include "transfer/export.h"

#define FETCHED_AT_ONCE 20000 /* QSOs of an answer, as in Wavelog */
#define STATION_ID 1          /* of the one station that api/station_info lists */

static const struct error *refuse(struct exchange *exchange, int status, const char *reason)
{
    struct buffer *body = &exchange->response->body;
    exchange->status = status;
    buffer_append(body, "{", 1);
    json_write_text(body, "status", text_of("failed"));
    json_write_text(body, "reason", text_of(reason));
    buffer_append(body, "}", 1);
    return NULL;
}

/* The object that the request brings, and whom its key speaks for. *answered: there is an answer
 * already, or the error that is returned. */
static const struct error *read_body(struct exchange *exchange, const struct json_fields **body,
                                     bool *answered)
{
    struct text text;
    const char *message;
    const struct error *error = request_read_any_body(exchange->request, &text);
    *answered = true;
    if (error)
        return error;
    *body = json_read_object(text, exchange->arena, &message);
    if (!*body)
        return message ? refuse(exchange, 400, "wrong JSON") : &error_internal;
    return uploads_let_in(exchange, json_read_text(*body, "key"), answered);
}

/* -- The key ----------------------------------------------------------------------------------- */

/* POST …/api/version */
static const struct error *answer_version(struct exchange *exchange)
{
    struct buffer *out = &exchange->response->body;
    const struct json_fields *body;
    bool answered;
    const struct error *error = read_body(exchange, &body, &answered);
    if (answered)
        return error;
    buffer_append(out, "{", 1);
    json_write_text(out, "status", text_of("ok"));
    json_write_text(out, "version", text_of(QSOSYNC_VERSION));
    buffer_append(out, "}", 1);
    return NULL;
}

/* GET …/api/check_auth/TOKEN */
static const struct error *answer_check_auth(struct exchange *exchange)
{
    bool answered;
    const struct error *error = uploads_let_in(exchange, uploads_path_token(exchange), &answered);
    if (answered)
        return error;
    buffer_append_string(&exchange->response->body, "{\"status\":\"valid\",\"rights\":\"rw\"}");
    return NULL;
}

/* -- The numbers ------------------------------------------------------------------------------- */

/* GET …/api/statistics/TOKEN: zeros if the token may not read, as in Wavelog for a wrong key. */
static const struct error *answer_statistics(struct exchange *exchange)
{
    struct buffer *out = &exchange->response->body;
    struct log_counts counts = {0};
    enum store_result result = uploads_identify(exchange, uploads_path_token(exchange));
    if (result == STORE_DONE && exchange->identity.may_read)
        result = store_count_log(exchange->store, exchange->identity.member_id,
                                 exchange->request->arrived_ms, &counts);
    if (result != STORE_DONE && result != STORE_NONE)
        return &error_internal;
    buffer_append(out, "{", 1);
    json_write_integer(out, "Today", counts.of_day);
    json_write_integer(out, "total_qsos", counts.qsos);
    json_write_integer(out, "month_qsos", counts.of_month);
    json_write_integer(out, "year_qsos", counts.of_year);
    buffer_append(out, "}", 1);
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
    struct response *response = fetching->exchange->response;
    struct buffer *out = &response->body, piece = {0};
    if (!fetching->begun)
        buffer_append_string(out, "{\"status\":\"successful\",\"message\":\"Export successful\","
                                  "\"adif\":\"");
    fetching->begun = true;
    json_append_string(&piece, bytes, length);
    buffer_append(out, piece.bytes + 1, piece.length - 2);
    buffer_free(&piece);
    return response_flush(response);
}

static void end_answer(const struct fetching *fetching, const struct export_by_id *wish)
{
    struct buffer *out = &fetching->exchange->response->body;
    buffer_append_string(out, fetching->begun ? "\""
                                              : "{\"status\":\"successful\",\"message\":"
                                                "\"No new QSOs available.\",\"adif\":null");
    buffer_print(out, ",\"exported_qsos\":%lld,\"lastfetchedid\":%lld}", (long long)wish->exported,
                 (long long)wish->last);
}

static const struct error *fetch(struct exchange *exchange, int64_t after, int64_t limit)
{
    struct fetching fetching = {.exchange = exchange};
    struct export_by_id wish = {
        .member = &exchange->identity, .version = QSOSYNC_VERSION, .after = after, .limit = limit};
    enum store_result result = export_by_id(exchange->store, &wish, write_piece, &fetching);
    if (result != STORE_DONE)
        return result == STORE_BUSY ? &error_busy : &error_internal;
    end_answer(&fetching, &wish);
    return NULL;
}

/* POST …/api/get_contacts_adif */
static const struct error *answer_contacts(struct exchange *exchange)
{
    const struct json_fields *body;
    int64_t station, after, limit = FETCHED_AT_ONCE;
    bool answered;
    const struct error *error = read_body(exchange, &body, &answered);
    if (answered)
        return error;
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
        return refuse(exchange, 401, "the token was not made to read the log");
    json_read_count(body, "limit", &limit);
    return fetch(exchange, after, limit > 0 && limit < FETCHED_AT_ONCE ? limit : FETCHED_AT_ONCE);
}

#define UPLOAD_ROUTE(name, verb, where, uses, success, function)                                   \
    ROUTE(name) = {.method = verb,                                                                 \
                   .path = "/cloudlog/api/" where,                                                 \
                   .access = ACCESS_UPLOADS,                                                       \
                   .use = uses,                                                                    \
                   .status = success,                                                              \
                   .answer = function}

UPLOAD_ROUTE(upload_version, METHOD_POST, "version", USES_STORE, 200, answer_version);
UPLOAD_ROUTE(upload_check_auth, METHOD_GET, "check_auth/{token}", USES_SNAPSHOT, 200,
             answer_check_auth);
UPLOAD_ROUTE(upload_statistics, METHOD_GET, "statistics/{token}", USES_SNAPSHOT, 201,
             answer_statistics);
UPLOAD_ROUTE(upload_contacts, METHOD_POST, "get_contacts_adif", USES_STORE, 200, answer_contacts);
