/* The command history: who wrote into a log, newest first, with the numbers by which acts can be
 * taken back. What each of them changed is shown by the member's page; taking back is the work of
 * undo.c. */
#include <stdio.h>

#include "admin/command.h"
#include "admin/find_member.h"
#include "admin/listing.h"
#include "admin/undo.h"
#include "store/acts.h"
#include "transfer/everything.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX 1000000

static const struct column act_columns[] = {
    {"ACT", "number", CELL_NUMBER},
    {"BEGAN", "beganAt", CELL_TIME},
    {"ENDED", "endedAt", CELL_TIME},
    {"BY", "by", CELL_TEXT},
    {"NUMBER", "byNumber", CELL_NUMBER},
    {"NAME", "byName", CELL_TEXT},
    {"WORK", "work", CELL_TEXT},
    {"OF", "subject", CELL_TEXT},
    {"TAKES BACK", "takesBack", CELL_NUMBER},
    {"NEW", "created", CELL_NUMBER},
    {"CHANGED", "changed", CELL_NUMBER},
    {"DELETED", "deleted", CELL_NUMBER},
    {"CAME BACK", "revived", CELL_NUMBER},
    {"TOO OLD", "tooOld", CELL_FLAG},
    {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct act *act)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_number(listing, act->number);
    listing_add_number(listing, act->began_ms);
    listing_add_number(listing, act->ended_ms);
    listing_add_text(listing, text_of(history_writer_name(act->writer.kind)));
    listing_add_number_if(listing, act->writer.number != 0, act->writer.number);
    listing_add_text(listing, act->name);
    listing_add_text(listing, text_of(history_work_name(act->work)));
    listing_add_text(listing, act->subject);
    listing_add_number_if(listing, act->takes_back != 0, act->takes_back);
    listing_add_number(listing, act->created);
    listing_add_number(listing, act->changed);
    listing_add_number(listing, act->deleted);
    listing_add_number(listing, act->revived);
    listing_add_number(listing, act->is_too_old);
}

static int run(struct invocation *invocation)
{
    struct listing listing = {.columns = act_columns, .arena = invocation->arena};
    struct member member;
    int64_t limit = LIMIT_DEFAULT;
    const char *given = command_option(invocation, "limit");
    if (given && !text_parse_integer(text_of(given), 1, LIMIT_MAX, &limit))
        return command_misuse("option --limit takes an integer from 1 to %d", LIMIT_MAX);
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = store_list_acts(invocation->store, member.id, INT64_MAX, INT64_MIN,
                                               limit, add_row, &listing);
    if (result != STORE_DONE)
        return command_finish(result);
    return listing_print(&listing, command_has_option(invocation, "json"))
               ? EXIT_DONE
               : command_refuse("cannot write the list");
}

const struct command history_commands[] = {
    {.words = "history",
     .opening = OPENS_TO_READ,
     .usage = "CALLSIGN [--limit NUMBER] [--json]",
     .summary = "list who wrote into a log, newest first",
     .run = run},
    {.words = "undo",
     .opening = OPENS_TO_WRITE,
     .usage = "CALLSIGN | --all [--by KEY --since TIME] [--act NUMBER] [--over-others] [--dry-run] "
              "[--json]",
     .summary = "take back what somebody wrote into a log",
     .run = undo_run},
    {0},
};
