/* The command log: what operators did, by their page or by commands, newest first. The store notes
 * the acts, together with what they change; note_act.c notes those with files, which the store does
 * not see. */
#include "admin/command.h"
#include "admin/listing.h"
#include "store/operator_log.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 50000

static const struct column act_columns[] = {
    {"TIME", "at", CELL_TIME},         {"OPERATOR", "operator", CELL_TEXT},
    {"ACT", "act", CELL_TEXT},         {"SUBJECT", "subject", CELL_TEXT},
    {"DETAILS", "details", CELL_TEXT}, {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct operator_act *act)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_number(listing, act->at_ms);
    listing_add_text(listing, act->operator);
    listing_add_text(listing, act->act);
    listing_add_text(listing, act->subject);
    listing_add_text(listing, act->details);
}

static int list(struct invocation *invocation)
{
    struct listing listing = {.columns = act_columns, .arena = invocation->arena};
    const char *wanted = command_option(invocation, "limit");
    int64_t limit = LIMIT_DEFAULT;
    if (wanted && !text_parse_integer(text_of(wanted), 1, LIMIT_MAX, &limit))
        return command_misuse("option --limit takes an integer from 1 to %d", LIMIT_MAX);
    enum store_result result =
        store_list_operator_acts(invocation->store, 0, limit, add_row, &listing);
    if (result == STORE_DONE && !listing_print(&listing, command_has_option(invocation, "json")))
        return command_refuse("cannot write the list");
    return command_finish(result);
}

const struct command acts_commands[] = {
    {.words = "log",
     .opening = OPENS_TO_READ,
     .usage = "[--limit N] [--json]",
     .summary = "list what operators did, newest first",
     .run = list},
    {0},
};
