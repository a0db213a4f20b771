/* GET /log/STATION/summary: counts of the whole log, and the station's newest spots, which are
 * already public. */
#include "json/write.h"
#include "json/write_object.h"
#include "site/profile/profile.h"
#include "site/public/log_page.h"
#include "site/public/routes.h"
#include "store/log/page_counts.h"
#include "store/log/spots.h"
#include "store/people/stations.h"

#define SPOTS_SHOWN 5

static bool add_spot(void *context, const struct spot *spot)
{
    json_write_item(context, json_time("spottedAt", spot->spotted_at_ms),
                    json_text("dxCallsign", spot->dx_callsign),
                    json_integer("frequencyHz", spot->frequency_hz),
                    json_text("mode", text_of(spot_mode_name(spot))));
    return true;
}

/* Returns the log's entity tag, which is also the tag of the summary. The summary changes only with
 * the log, or with the station's callsign or locator. Returns NULL if the log has no public page.
 */
static const char *tag_summary(struct exchange *exchange)
{
    return store_find_log_page(exchange->store, exchange->arena,
                               exchange->request->segments[LOG_PAGE_SEGMENT],
                               &exchange->identity) == STORE_DONE
               ? profile_log_tag(exchange)
               : NULL;
}

static const struct error *answer_summary(struct exchange *exchange)
{
    struct buffer *body = exchange->body;
    struct store *store = exchange->store;
    struct page_counts counts;
    TRY(log_page_find_station(exchange));
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

LOG_ROUTE(log_summary, "/summary", answer_summary, .is_object = true, .entity_tag = tag_summary);
