/* Puts a file's name into a form that the log of acts may hold, and notes the act. A path says more
 * of the machine than of the act, so the name alone is noted. What every other command notes is
 * decided in the store. */
#include "admin/note_act.h"

#include <string.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "store/operator_log.h"

/* The last part of the path; a name that is no UTF-8 is left out. */
static const char *name_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    size_t length = strlen(name);
    if (!text_is_utf8(name, length))
        return "a file";
    char *shown = arena_copy(arena, name, length);
    text_hide_control(shown, length);
    return shown;
}

int note_act(struct invocation *invocation, const char *act, struct text subject, const char *path,
             const char *outcome)
{
    const char *name = name_of(invocation->arena, path);
    const char *details = outcome ? arena_print(invocation->arena, "%s: %s", name, outcome) : name;
    return note_act_done(invocation, act, subject, details);
}

int note_act_done(struct invocation *invocation, const char *act, struct text subject,
                  const char *details)
{
    enum store_result result =
        store_note_operator_act(invocation->store, act, subject, text_of(details));
    return result == STORE_DONE ? EXIT_DONE
                                : command_refuse("%s: done, but the log of acts lacks it", act);
}

/* The command log: what operators did, by their page or by commands, newest first. The store notes
 * the acts, together with what they change; note_act.c notes those with files, which the store does
 * not see. */

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
    int64_t limit = LIMIT_DEFAULT;
    if (!command_read_number(invocation, "limit", LIMIT_MAX, &limit))
        return EXIT_USAGE;
    enum store_result result =
        store_list_operator_acts(invocation->store, 0, limit, add_row, &listing);
    return listing_finish(invocation, &listing, result);
}

const struct command acts_commands[] = {
    {.words = "log",
     .opening = OPENS_TO_READ,
     .usage = "[--limit N] [--json]",
     .summary = "list what operators did, newest first",
     .run = list},
    {0},
};
