/* The command history: lists the acts that have changed a log, newest first. The member's page also
 * shows the changes of each act. */
#include "admin/command.h"
#include "admin/listing.h"
#include "admin/values.h"
#include "store/history/acts.h"
#include "store/people/members.h"
#include "transfer/history.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 1000000

static void add_row(void *context, const struct act *act)
{
    struct listing *listing = context;
    listing_add(listing, cell(act->maker), cell(act->number), cell_time(act->began_ms),
                cell_time(act->ended_ms), cell(text_of(history_writer_name(act->writer.kind))),
                cell_if(act->writer.number != 0, act->writer.number), cell(act->name),
                cell(text_of(history_work_name(act->work))), cell(act->subject),
                cell_if(act->takes_back != 0, act->takes_back), cell(act->created),
                cell(act->changed), cell(act->deleted), cell(act->revived), cell(act->is_too_old));
}

void run_history(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    /* Only a station's log has a column for the operator. */
    struct listing listing = {
        .list = LIST_ACTS, .hidden = !member->is_station, .arena = invocation->arena};
    const int64_t limit = command_read_number(invocation, "limit", LIMIT_MAX, LIMIT_DEFAULT);
    const struct acts_query query = {
        .member_id = member->id, .from = INT64_MAX, .since_ms = INT64_MIN, .limit = limit};
    command_require_done(store_list_acts(invocation->store, &query, add_row, &listing));
    listing_print(invocation, &listing);
}
