/* /log/STATION: "Am I in the log?" A visitor types a callsign and sees bands, modes and days, but
 * never times or other stations. A low limit per hour keeps people from trying all callsigns. The
 * page also shows numbers of the whole log, and its newest spots, which are public anyway. A
 * station can switch the page off. */

#include "site/public/log_page.h"

#include <string.h>

#include "base/datetime.h"
#include "base/text_utf8.h"
#include "json/write.h"
#include "json/write_object.h"
#include "pages/station.h"
#include "qso/fields.h"
#include "qso/match_callsign.h"
#include "site/profile/profile.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/html.h"
#include "site/shared/page.h"
#include "store/log/page_counts.h"
#include "store/log/spots.h"
#include "store/people/stations.h"
#include "worker/rate_limit.h"

#define QUESTIONS_AN_HOUR 30
#define STATION_SEGMENT 1
#define SPOTS_SHOWN 5

/* NULL: exchange->identity is the station's, and the answer need not be private. */
static const struct error *find_station(struct exchange *exchange)
{
    enum store_result result =
        store_find_log_page(exchange->store, exchange->arena,
                            exchange->request->segments[STATION_SEGMENT], &exchange->identity);
    if (result == STORE_DONE)
        response_add_header(exchange->response, "X-Robots-Tag", "noindex");
    return route_find_error(result, &error_not_found);
}

/* A callsign in its usual spelling has several segments: /log/14/AT0/worked. */
void log_page_simplify_path(struct request *request)
{
    struct text *segments = request->segments;
    size_t end = request->segment_count;
    if (end <= STATION_SEGMENT + 1 || end > REQUEST_SEGMENTS_MAX ||
        !text_equals(segments[0], text_of("log")))
        return;
    const struct text last = segments[end - 1];
    const bool has_data =
        text_equals(last, text_of("worked")) || text_equals(last, text_of("summary"));
    end -= has_data;
    struct text callsign = segments[STATION_SEGMENT];
    for (size_t i = STATION_SEGMENT + 1; i < end; i++) {
        const size_t length = callsign.length + 1 + segments[i].length;
        if (callsign.length == 0 || segments[i].length == 0)
            return;
        char *joined = arena_allocate(request->arena, length);
        memcpy(joined, callsign.bytes, callsign.length);
        joined[callsign.length] = '/';
        memcpy(joined + callsign.length + 1, segments[i].bytes, segments[i].length);
        callsign = (struct text){joined, length};
    }
    segments[STATION_SEGMENT] = callsign;
    segments[STATION_SEGMENT + 1] = last;
    request->segment_count = STATION_SEGMENT + 1 + has_data;
}

/* -- The page ---------------------------------------------------------------------------------- */

static const struct error *answer_page(struct exchange *exchange)
{
    TRY(find_station(exchange));
    const struct page_value values[] = {
        {"station", html_of(exchange->arena, exchange->identity.callsign)}, {NULL, NULL}};
    exchange->is_private = access_find_session(exchange);
    page_answer(exchange, station_html, page_find_root(exchange->request), values);
    return NULL;
}

/* -- A question -------------------------------------------------------------------------------- */

static const struct error *count_question(struct exchange *exchange)
{
    static const struct rate_count count = {.group = RATE_LIMIT_QUESTIONS, .times = 1};
    struct rate_verdict verdict;
    rate_limit_count(exchange->limit, &count, exchange->request->remote_address, QUESTIONS_AN_HOUR,
                     exchange->request->arrived_monotonic_ms, &verdict);
    if (!verdict.counted)
        return &error_internal;
    return verdict.refused ? error_too_often(exchange->arena, verdict.reset_seconds) : NULL;
}

static void write_worked(void *context, int64_t band, int64_t mode, int64_t day_ms)
{
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(day_ms, time);
    json_write_item(context, json_text("band", text_of(fields[FIELD_BAND].choices[band])),
                    json_text("mode", text_of(mode < 0 ? NULL : fields[FIELD_MODE].choices[mode])),
                    json_text("day", (struct text){time, sizeof "YYYY-MM-DD" - 1}));
}

static const struct error *answer_worked(struct exchange *exchange)
{
    struct match_callsign worked;
    struct text call;
    TRY(find_station(exchange));
    TRY(input_read_parameter(exchange, "call", &call));
    match_normalise_callsign(call, &worked);
    if (worked.length == 0 || text_count_code_points(call) > MEMBER_CALLSIGN_MAX)
        return input_refuse(exchange, "call", "must be a callsign of 1 to 20 characters");
    TRY(count_question(exchange));
    json_begin_array(exchange->body, "worked");
    enum store_result result = store_list_worked(exchange->store, exchange->identity.member_id,
                                                 call, write_worked, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return result == STORE_DONE ? NULL : &error_internal;
}

/* -- Numbers and spots ------------------------------------------------------------------------- */

static bool add_spot(void *context, const struct spot *spot)
{
    json_write_item(context, json_time("spottedAt", spot->spotted_at_ms),
                    json_text("dxCallsign", spot->dx_callsign),
                    json_integer("frequencyHz", spot->frequency_hz),
                    json_text("mode", text_of(spot_mode_name(spot))));
    return true;
}

/* All of these change only with the log. */
static const char *tag_summary(struct exchange *exchange)
{
    return store_find_log_page(exchange->store, exchange->arena,
                               exchange->request->segments[STATION_SEGMENT],
                               &exchange->identity) == STORE_DONE
               ? profile_log_tag(exchange)
               : NULL;
}

static const struct error *answer_summary(struct exchange *exchange)
{
    struct buffer *body = exchange->body;
    struct store *store = exchange->store;
    struct page_counts counts;
    TRY(find_station(exchange));
    const struct identity *station = &exchange->identity;
    enum store_result result = store_read_page_counts(store, station->member_id, &counts);
    json_write_fields(body, json_text("callsign", station->callsign),
                      json_text("locator", station->locator), json_integer("qsos", counts.qsos),
                      json_integer("divisions", counts.divisions),
                      json_integer("squares", counts.squares));
    json_begin_array(body, "spots");
    THEN(result,
         store_list_spots_of_station(store, station->callsign, SPOTS_SHOWN, add_spot, body));
    buffer_append(body, "]", 1);
    return result == STORE_DONE ? NULL : &error_internal;
}

#define LOG_ROUTE(name, where, function, ...)                                                      \
    SITE_ROUTE(name, METHOD_GET, "/log/{station}" where, .use = USES_SNAPSHOT, .status = 200,      \
               .answer = function, __VA_ARGS__)

LOG_ROUTE(log_page, "", answer_page, .is_tagged = true);
LOG_ROUTE(log_worked, "/worked", answer_worked, .is_object = true);
LOG_ROUTE(log_summary, "/summary", answer_summary, .is_object = true, .entity_tag = tag_summary);
