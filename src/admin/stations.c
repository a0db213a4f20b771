/* Commands about stations: add, grant, revoke, set, list. A station is stored as a member, so the
 * commands about members rename and delete stations. The store decides which rights a grant
 * includes, and which rights end with the grant. */
#include <string.h>

#include "admin/command.h"
#include "admin/values.h"
#include "admin/output.h"
#include "admin/listing.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/people/grants.h"
#include "store/people/members.h"
#include "store/people/stations.h"

void run_station_add(struct invocation *invocation)
{
    struct member member = {.is_station = true, .locator = command_read_locator(invocation)};
    member.callsign = command_read_callsign(invocation, invocation->arguments[0]);
    member.login = member_default_login(invocation->arena, member.callsign);
    command_expect(store_add_member(invocation->store, &member), STORE_REFUSED,
                   "%s is already a member's callsign or login name", member.callsign.bytes);
    output_report("added %s; let a member operate it with: qsosync-admin station grant %s MEMBER",
                  member.callsign.bytes, member.callsign.bytes);
}

/* Returns the member whom the second argument names. Ends the program unless the first argument
 * names a station and the second does not. */
static struct member find_operator(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    const struct member member = command_find_member(invocation, invocation->arguments[1]);
    if (!station->is_station)
        command_refuse("%s is not a station", station->callsign.bytes);
    if (member.is_station)
        command_refuse("%s is a station; only members can operate stations", member.callsign.bytes);
    return member;
}

/* Allows a member to operate a station. If --until is a date without a time, the grant ends with
 * that day. */
void run_station_grant(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    const char *wanted = command_option(invocation, "until");
    int64_t until_ms = 0;
    if (wanted && !command_read_time(wanted, &until_ms))
        command_misuse("%s is not a date such as 2026-12-31", wanted);
    if (wanted && strlen(wanted) == strlen("YYYY-MM-DD"))
        until_ms += DATETIME_DAY_MS;
    if (wanted && until_ms <= clock_wall_ms())
        command_refuse("%s is in the past", wanted);
    const struct member member = find_operator(invocation);
    command_require_done(store_grant(invocation->store, station->id, member.id, until_ms));
    output_report("%s may operate %s%s%s", member.callsign.bytes, station->callsign.bytes,
                  wanted ? " until " : "", wanted ? wanted : "");
}

void run_station_revoke(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    const struct member member = find_operator(invocation);
    command_expect(store_end_grant(invocation->store, station->id, member.id), STORE_NONE,
                   "%s has no permission to operate %s, so nothing was revoked",
                   member.callsign.bytes, station->callsign.bytes);
    output_report("%s may no longer operate %s", member.callsign.bytes, station->callsign.bytes);
}

void run_station_set(struct invocation *invocation)
{
    const struct member *station = &invocation->member;
    const bool has_page = command_read_switch(invocation, "page");
    command_expect(store_set_log_page(invocation->store, station->id, has_page), STORE_NONE,
                   "%s is not a station", station->callsign.bytes);
    output_report("the public page for %s is %s", station->callsign.bytes, has_page ? "on" : "off");
}

/* A list of stations, with a row for each member who may operate a station, and one row for a
 * station that nobody may operate. */
struct list {
    struct store *store;
    struct listing listing;
    const struct member *station; /* the station whose grants are listed */
    bool has_grants;
};

static void add_row(struct list *list, const struct grant *grant)
{
    struct listing *listing = &list->listing;
    const struct member *station = list->station;
    listing_add(listing, cell(station->callsign), cell(station->locator), cell(station->active),
                cell(station->has_page), cell(station->qso_count), cell(grant->member),
                cell_time(grant->granted_at_ms), cell_time(grant->until_ms));
}

static void add_grant(void *context, const struct grant *grant)
{
    struct list *list = context;
    if (grant->ended_ms)
        return;
    list->has_grants = true;
    add_row(list, grant);
}

static void add_station(void *context, const struct member *station)
{
    struct list *list = context;
    list->station = station;
    list->has_grants = false;
    command_require_done(
        store_list_grants(list->store, station->id, clock_wall_ms(), add_grant, list));
    if (!list->has_grants)
        add_row(list, &(struct grant){0});
}

void run_station_list(struct invocation *invocation)
{
    struct list list = {.store = invocation->store,
                        .listing = {.list = LIST_STATIONS, .arena = invocation->arena}};
    command_require_done(store_list_stations(invocation->store, add_station, &list));
    listing_print(invocation, &list.listing);
}
