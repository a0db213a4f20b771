/* Cloudlog's answers about a token: its validity and rights, the station, and the version. Every
 * value in the list of stations is a string, as clients expect. */
#include "base/api_key.h"
#include "installation.h"
#include "json/write_object.h"
#include "site/uploads/cloudlog.h"
#include "site/uploads/routes.h"
#include "site/uploads/uploads.h"
#include "worker/body.h"

/* Answers GET …/api/auth/TOKEN. */
static const struct error *answer_auth(struct exchange *exchange)
{
    enum store_result result =
        uploads_identify(exchange, cloudlog_path_token(exchange), API_KEY_TOKEN);
    TRY(route_find_error(result, NULL));
    exchange->response->content_type = "text/xml";
    buffer_append_string(exchange->body,
                         result == STORE_DONE
                             ? "<auth><status>Valid</status><rights>rw</rights></auth>"
                             : "<auth><message>Key Invalid - either not found or disabled"
                               "</message></auth>");
    return NULL;
}

/* Answers GET …/api/station_info/TOKEN. */
static const struct error *answer_station_info(struct exchange *exchange)
{
    const struct identity *identity = &exchange->identity;
    TRY(cloudlog_identify(exchange, cloudlog_path_token(exchange)));
    buffer_append(exchange->body, "[{", 2);
    json_write_fields(exchange->body, json_text("station_id", text_of("1")),
                      json_text("station_profile_name", identity->callsign),
                      json_text("station_gridsquare", identity->locator),
                      json_text("station_callsign", identity->callsign),
                      json_text("station_active", text_of("1")));
    buffer_append(exchange->body, "}]", 2);
    return NULL;
}

/* Answers POST …/api/radio. The transceiver's frequency is accepted but not stored. */
static const struct error *answer_radio(struct exchange *exchange)
{
    buffer_append_string(exchange->body, "{\"status\":\"success\"}");
    return NULL;
}

CLOUDLOG_ROUTE(upload_auth, METHOD_GET, "auth/{token}", USES_SNAPSHOT, 200, answer_auth);
CLOUDLOG_ROUTE(upload_station_info, METHOD_GET, "station_info/{token}", USES_SNAPSHOT, 200,
               answer_station_info);
CLOUDLOG_ROUTE(upload_radio, METHOD_POST, "radio", USES_NOTHING, 200, answer_radio,
               .body = &body_unread);

/* Answers POST …/api/version. */
static const struct error *answer_version(struct exchange *exchange)
{
    const struct json_fields *body;
    TRY(cloudlog_read_body(exchange, &body));
    json_write_item(exchange->body, json_text("status", text_of("ok")),
                    json_text("version", text_of(QSOSYNC_VERSION)));
    return NULL;
}

/* Answers GET …/api/check_auth/TOKEN. */
static const struct error *answer_check_auth(struct exchange *exchange)
{
    TRY(cloudlog_identify(exchange, cloudlog_path_token(exchange)));
    buffer_append_string(exchange->body, "{\"status\":\"valid\",\"rights\":\"rw\"}");
    return NULL;
}

CLOUDLOG_ROUTE(upload_version, METHOD_POST, "version", USES_STORE, 200, answer_version,
               .body = &cloudlog_body);
CLOUDLOG_ROUTE(upload_check_auth, METHOD_GET, "check_auth/{token}", USES_SNAPSHOT, 200,
               answer_check_auth);
