/* The command log: lists what operators did, on their page or with commands, newest first. The
 * store records most acts together with their changes; activity.c records acts that use files. */
#include "admin/command.h"
#include "admin/listing.h"
#include "admin/values.h"
#include "store/operator_log.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 50000

static void add_row(void *context, const struct operator_act *act)
{
    struct listing *listing = context;
    listing_add(listing, cell_time(act->at_ms), cell(act->operator), cell(act->act),
                cell(act->subject), cell(act->details));
}

void run_log(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_OPERATOR_ACTS, .arena = invocation->arena};
    const int64_t limit = command_read_number(invocation, "limit", LIMIT_MAX, LIMIT_DEFAULT);
    command_require_done(store_list_operator_acts(invocation->store, 0, limit, add_row, &listing));
    listing_print(invocation, &listing);
}
