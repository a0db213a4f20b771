/* Cloudlog's answers about the log: counts, and QSOs as ADIF. A token may read both only if the
 * member has allowed reading. Otherwise the counts are zero, and the QSOs are refused. */
#include "base/api_key.h"
#include "installation.h"
#include "json/append.h"
#include "json/read.h"
#include "json/write_object.h"
#include "site/uploads/cloudlog.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "store/log/log.h"
#include "store/transaction.h"
#include "transfer/export.h"

#define FETCHED_AT_ONCE 20000 /* maximum number of QSOs per answer, as in Wavelog */
#define STATION_ID 1          /* id of the only station in api/station_info */

/* Answers GET …/api/statistics/TOKEN. The counts are zero if the token may not read the log, as in
 * Wavelog for a wrong key. */
static const struct error *answer_statistics(struct exchange *exchange)
{
    struct log_counts counts = {0};
    enum store_result result =
        uploads_identify(exchange, cloudlog_path_token(exchange), API_KEY_TOKEN);
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

struct fetching {
    struct exchange *exchange;
    bool begun;
};

/* Writes a piece of the ADIF, as a part of a JSON string. */
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
    const struct export_options options = {
        .band = -1, .version = QSOSYNC_VERSION, .after = after, .limit = limit};
    struct export_counts counts;
    TRY(route_store_error(
        export_log(exchange->store, &member, &options, write_piece, &fetching, &counts)));
    buffer_append_string(out, fetching.begun ? "\""
                                             : "{\"status\":\"successful\",\"message\":"
                                               "\"No new QSOs available.\",\"adif\":null");
    buffer_print(out, ",\"exported_qsos\":%lld,\"lastfetchedid\":%lld}", (long long)counts.exported,
                 (long long)counts.last_id);
    return NULL;
}

/* Answers POST …/api/get_contacts_adif. */
static const struct error *answer_contacts(struct exchange *exchange)
{
    const struct json_fields *body;
    int64_t station, after, limit = FETCHED_AT_ONCE;
    TRY(cloudlog_read_body(exchange, &body));
    struct text format = json_read_text(body, "output_format");
    if (!json_has(body, "station_id") || !json_has(body, "fetchfromid"))
        return cloudlog_refuse(exchange, 400, "Not all required fields were present in input JSON");
    if (!json_read_count(body, "fetchfromid", &after))
        return cloudlog_refuse(exchange, 400, "Invalid fetchfromid.");
    if (format.bytes && !text_equals_ignoring_case(format, "adif"))
        return cloudlog_refuse(exchange, 400, "output_format must be adif");
    if (!json_read_count(body, "station_id", &station) || station != STATION_ID)
        return cloudlog_refuse(exchange, 401, "Station ID not accessible for this API key");
    if (!exchange->identity.may_read)
        return cloudlog_refuse(exchange, 401, "the token may not read the log");
    json_read_count(body, "limit", &limit);
    return fetch(exchange, after, limit > 0 && limit < FETCHED_AT_ONCE ? limit : FETCHED_AT_ONCE);
}

CLOUDLOG_ROUTE(upload_statistics, METHOD_GET, "statistics/{token}", USES_SNAPSHOT, 201,
               answer_statistics);
CLOUDLOG_ROUTE(upload_contacts, METHOD_POST, "get_contacts_adif", USES_STORE, 200, answer_contacts,
               .body = &cloudlog_body);
