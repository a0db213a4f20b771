/* GET /profile/data/near-matches: QSOs in the log that almost match another member's QSO, with the
 * reason why they do not confirm each other. If only one value differs, the answer contains the
 * other member's value. */
#include "json/write.h"
#include "qso/render.h"
#include "site/profile/profile.h"
#include "site/profile/routes.h"
#include "store/confirm/near_matches.h"

#define NEAR_MATCHES_MAX 100

static void add_near_match(void *context, const struct near_match *match)
{
    struct buffer *body = context;
    json_begin_item(body);
    json_write_text(body, "reason", text_of(match->rule));
    json_write_name(body, "qso");
    render_qso(match->qso, body);
    if (match->field != FIELD_COUNT) {
        json_begin_object(body, "theirs");
        json_write_text(body, "field", text_of(fields[match->field].name));
        json_write_name(body, "value");
        render_field(match->field, &match->theirs, body);
        buffer_append(body, "}", 1);
    }
    buffer_append(body, "}", 1);
}

static const struct error *answer_near_matches(struct exchange *exchange)
{
    json_begin_array(exchange->body, "items");
    enum store_result result =
        store_list_near_matches(exchange->store, exchange->member.id, exchange->member.callsign,
                                NEAR_MATCHES_MAX, add_near_match, exchange->body);
    buffer_append(exchange->body, "]", 1);
    return profile_store_error(result);
}

PROFILE_ROUTE_OF_LOG(profile_near_matches, METHOD_GET, "near-matches", 200, answer_near_matches);
