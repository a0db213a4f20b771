/* GET /profile/data/awards: divisions, squares and special stations worked and confirmed, in the
 * log or in the part of it that a filter wants, as JSON. They are counted in summary.c; the page
 * shows them (src/pages/awards.js). */
#include "site/profile.h"
#include "site/summary.h"

static const struct error *answer(struct exchange *exchange)
{
    return summary_answer(exchange, KEPT_AWARDS);
}

PROFILE_ROUTE(profile_awards, METHOD_GET, "awards", USES_SNAPSHOT, 200, answer);
