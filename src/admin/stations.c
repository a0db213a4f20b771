/* Commands about stations: add, grant, revoke, set, list. A station is a member, so that what its
 * log can do, and how it is renamed or deleted, is left to members.c. What a grant allows, and
 * what ends with it, is decided in the store. */
#include <string.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/members.h"

static int add(struct invocation *invocation)
{
    struct member member = {.is_station = true};
    char locator[LOCATOR_LENGTH_MAX];
    if (!find_member_read_locator(command_option(invocation, "locator"), locator,
                                  &member.locator) ||
        !find_member_read_callsign(invocation, invocation->arguments[0], &member.callsign))
        return EXIT_REFUSED;
    member.login = member_default_login(invocation->arena, member.callsign);
    enum store_result result = store_add_member(invocation->store, &member);
    if (result == STORE_REFUSED)
        return command_refuse("there is a member %s already, or one who signs in by that name",
                              member.callsign.bytes);
    return command_done(result,
                        "added %s; let a member operate it: qsosync-admin station grant %s MEMBER",
                        member.callsign.bytes, member.callsign.bytes);
}

/* The member that is named behind the station. */
static bool find_pair(struct invocation *invocation, struct member *member)
{
    const struct member *station = &invocation->member;
    if (!find_member(invocation, invocation->arguments[1], member))
        return false;
    if (!station->is_station)
        command_refuse("%s is no station", station->callsign.bytes);
    else if (member->is_station)
        command_refuse("%s is a station; only members operate one", member->callsign.bytes);
    return station->is_station && !member->is_station;
}

/* A day counts as a whole. */
static int read_until(const char *wanted, int64_t *until_ms)
{
    *until_ms = 0;
    if (!wanted)
        return EXIT_DONE;
    if (!command_read_time(wanted, until_ms))
        return command_misuse("%s is no day or time; write it as 2026-12-31", wanted);
    if (strlen(wanted) == strlen("YYYY-MM-DD"))
        *until_ms += DATETIME_DAY_MS;
    return *until_ms > clock_wall_ms() ? EXIT_DONE : command_refuse("%s is over already", wanted);
}

static int grant(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    struct member member;
    const char *wanted = command_option(invocation, "until");
    int64_t until_ms;
    int status = read_until(wanted, &until_ms);
    if (status != EXIT_DONE)
        return status;
    if (!find_pair(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = store_grant(invocation->store, station->id, member.id, until_ms);
    return command_done(result, "%s may operate %s%s%s", member.callsign.bytes,
                        station->callsign.bytes, wanted ? " until " : "", wanted ? wanted : "");
}

static int revoke(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    struct member member;
    if (!find_pair(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = store_end_grant(invocation->store, station->id, member.id);
    if (result == STORE_NONE)
        return command_refuse("%s may not operate %s", member.callsign.bytes,
                              station->callsign.bytes);
    return command_done(result, "%s may not operate %s any more", member.callsign.bytes,
                        station->callsign.bytes);
}

static int set(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    const char *page = command_option(invocation, "page");
    if (strcmp(page, "on") != 0 && strcmp(page, "off") != 0)
        return command_misuse("option --page is on or off");
    enum store_result result =
        store_set_log_page(invocation->store, station->id, strcmp(page, "on") == 0);
    if (result == STORE_NONE)
        return command_refuse("%s is no station", station->callsign.bytes);
    return command_done(result, "the page of %s is %s", station->callsign.bytes, page);
}

/* A row for each member who may operate a station, or one for a station that nobody may. */
static const struct column columns[] = {
    {"STATION", "station", CELL_TEXT}, {"LOCATOR", "locator", CELL_TEXT},
    {"ACTIVE", "active", CELL_FLAG},   {"PAGE", "page", CELL_FLAG},
    {"QSOS", "qsos", CELL_NUMBER},     {"MEMBER", "member", CELL_TEXT},
    {"SINCE", "since", CELL_TIME},     {"UNTIL", "until", CELL_TIME},
    {NULL, NULL, CELL_TEXT},
};

struct list {
    struct invocation *invocation;
    struct listing listing;
    const struct station *station; /* whose grants are listed */
    bool has_grants;
    enum store_result result;
};

static void add_row(struct list *list, const struct grant *grant)
{
    struct listing *listing = &list->listing;
    const struct station *station = list->station;
    listing_add(listing, cell(station->callsign), cell(station->locator), cell(station->active),
                cell(station->has_page), cell(station->qso_count),
                cell(grant ? grant->member : (struct text){0}),
                cell_if(grant != NULL, grant ? grant->granted_at_ms : 0),
                cell_if(grant && grant->until_ms, grant ? grant->until_ms : 0));
}

static void add_grant(void *context, const struct grant *grant)
{
    struct list *list = context;
    if (grant->ended_ms)
        return;
    list->has_grants = true;
    add_row(list, grant);
}

static void add_station(void *context, const struct station *station)
{
    struct list *list = context;
    list->station = station;
    list->has_grants = false;
    if (list->result == STORE_DONE)
        list->result = store_list_grants_of_station(list->invocation->store, station->id,
                                                    clock_wall_ms(), add_grant, list);
    if (!list->has_grants)
        add_row(list, NULL);
}

static int list_stations(struct invocation *invocation)
{
    struct list list = {.invocation = invocation,
                        .listing = {.columns = columns, .arena = invocation->arena},
                        .result = STORE_DONE};
    enum store_result result = store_list_stations(invocation->store, add_station, &list);
    if (result == STORE_DONE)
        result = list.result;
    return listing_finish(invocation, &list.listing, result);
}

const struct command stations_commands[] = {
    {"station add", "CALLSIGN --locator LOCATOR", "add a station, which members operate",
     .run = add},
    {"station grant", "STATION MEMBER [--until DATE]", "let a member operate a station",
     .of_member = true, .run = grant},
    {"station revoke", "STATION MEMBER", "end that, with the keys that the member made for it",
     .of_member = true, .run = revoke},
    {"station set", "STATION --page on|off", "switch the page on which everybody may ask the log",
     .of_member = true, .run = set},
    {"station list", "[--json]", "list the stations, and who may operate them",
     .opening = OPENS_TO_READ, .run = list_stations},
    {0},
};
