/* Commands about the browsers that a member is signed in with: to list them, and to sign them out.
 * How a browser is signed in is left to the site's program; inviting a member, to members.c.
 */
#include "admin/command.h"
#include "admin/find_member.h"
#include "admin/listing.h"
#include "base/clock.h"
#include "store/sessions.h"

static const struct column device_columns[] = {
    {"NUMBER", "number", CELL_NUMBER}, {"DEVICE", "device", CELL_TEXT},
    {"SINCE", "createdAt", CELL_TIME}, {"LAST USED", "lastUsedOn", CELL_DAY},
    {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct session *session)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_number(listing, session->number);
    listing_add_text(listing, session->device);
    listing_add_number(listing, session->created_at_ms);
    listing_add_number(listing, session->last_used_day);
}

static int list(struct invocation *invocation)
{
    struct listing listing = {.columns = device_columns, .arena = invocation->arena};
    struct member member;
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result =
        store_list_sessions(invocation->store, member.id, clock_wall_ms(), add_row, &listing);
    if (result == STORE_DONE && !listing_print(&listing, command_has_option(invocation, "json")))
        return command_refuse("cannot write the list");
    return command_finish(result);
}

static int sign_out(struct invocation *invocation)
{
    struct member member;
    int64_t number = 0;
    const char *wanted = invocation->arguments[1];
    if (wanted && !text_parse_integer(text_of(wanted), 1, INT64_MAX, &number))
        return command_misuse("%s is not the number of a device", wanted);
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = wanted ? store_end_session(invocation->store, member.id, number)
                                      : store_end_sessions(invocation->store, member.id, 0);
    if (result == STORE_NONE)
        return command_refuse("%s is not signed in with a device of the number %lld",
                              member.callsign.bytes, (long long)number);
    if (result != STORE_DONE)
        return EXIT_REFUSED;
    return command_say(wanted ? "%s is signed out there" : "%s is signed out everywhere",
                       member.callsign.bytes);
}

const struct command devices_commands[] = {
    {.words = "member devices",
     .opening = OPENS_TO_READ,
     .usage = "CALLSIGN [--json]",
     .summary = "list the browsers that a member is signed in with",
     .run = list},
    {.words = "member sign-out",
     .usage = "CALLSIGN [NUMBER]",
     .summary = "sign one of them out, or all",
     .run = sign_out},
    {0},
};
