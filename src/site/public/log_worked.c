/* GET /log/STATION/worked: "Am I in the log?" A visitor types a callsign and sees bands, modes and
 * days, but never times or other stations. A low limit per hour keeps people from trying all
 * callsigns. */
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "json/write.h"
#include "json/write_object.h"
#include "qso/fields.h"
#include "qso/match_callsign.h"
#include "site/public/log_page.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "store/people/stations.h"
#include "worker/input.h"

#define QUESTIONS_AN_HOUR 30

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
    TRY(log_page_find_station(exchange));
    TRY(input_read_parameter(exchange, "call", &call));
    match_normalise_callsign(call, &worked);
    if (worked.length == 0 || text_count_code_points(call) > MEMBER_CALLSIGN_MAX)
        return input_refuse(exchange, "call", "must be a callsign of 1 to 20 characters");
    TRY(access_count_hourly(exchange, RATE_LIMIT_QUESTIONS, QUESTIONS_AN_HOUR));
    json_begin_array(exchange->body, "worked");
    enum store_result result = store_list_worked(exchange->store, exchange->identity.member_id,
                                                 call, write_worked, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return result == STORE_DONE ? NULL : &error_internal;
}

LOG_ROUTE(log_worked, "/worked", answer_worked, .is_object = true);
