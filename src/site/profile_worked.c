/* GET /profile/data/worked: which divisions the member has worked, and the member's place, for
 * pages that mark what is new. Which spots are marked is the page's (src/pages/cluster-table.js).
 */
#include "base/datetime.h"
#include "json/write.h"
#include "qso/divisions.h"
#include "site/profile.h"
#include "store/log.h"

#define NUMBERS 1000 /* more than there are divisions */

static bool note(void *context, const struct qso *qso)
{
    bool *worked = context;
    worked[divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED)) % NUMBERS] = true;
    return true;
}

static const struct error *answer(struct exchange *exchange)
{
    struct buffer *body = &exchange->response->body;
    bool worked[NUMBERS] = {false};
    const struct log_walk walk = {.from_ms = DATETIME_MINIMUM_MS, .to_ms = DATETIME_MAXIMUM_MS};
    enum store_result result =
        store_walk_log(exchange->store, exchange->member.id, &walk, note, worked);
    buffer_append(body, "{", 1);
    json_write_text(body, "locator", exchange->member.locator);
    json_write_name(body, "divisions");
    buffer_append(body, "[", 1);
    for (int number = 1; number < NUMBERS; number++)
        if (worked[number]) {
            json_write_element(body);
            buffer_append_integer(body, number);
        }
    buffer_append_string(body, "]}");
    return profile_store_error(result);
}

PROFILE_ROUTE(profile_worked, METHOD_GET, "worked", USES_SNAPSHOT, 200, answer);
