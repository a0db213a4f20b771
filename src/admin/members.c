/* Commands about members (add, list, rename, set, enable, disable), and the removal of QSL cards.
 * src/qso and the store decide the format of a callsign and the effects of a change. */
#include <string.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "admin/output.h"
#include "admin/values.h"
#include "store/log/cards.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"
#include "store/people/members.h"

#define LOGIN_MAX 200

/* Ends the program unless the member was saved. The message names a callsign (no text: unchanged)
 * or a login name that another member already has. */
static void expect_saved(struct invocation *invocation, enum store_result result,
                         struct text callsign, struct text login)
{
    const char *similar = result == STORE_REFUSED && callsign.bytes
                              ? command_find_similar(invocation, callsign)
                              : NULL;
    if (similar)
        command_refuse("member %s already exists", similar);
    command_expect(result, STORE_REFUSED, "another member already has the login name %.*s",
                   (int)login.length, login.bytes);
}

static int64_t count_operators(struct invocation *invocation)
{
    struct logbook_status status;
    command_require_done(store_read_status(invocation->store, &status));
    return status.operators;
}

/* Adds a member. Also reports if there is no operator yet, because only operators can open the
 * operator's page. */
void run_member_add(struct invocation *invocation)
{
    const char *login = command_option(invocation, "login");
    struct member member = {.is_operator = command_read_switch(invocation, "operator")};
    member.locator = command_read_locator(invocation);
    member.callsign = command_read_callsign(invocation, invocation->arguments[0]);
    member.login = login ? command_read_text("the login name", login, LOGIN_MAX)
                         : member_default_login(invocation->arena, member.callsign);
    expect_saved(invocation, store_add_member(invocation->store, &member), member.callsign,
                 member.login);
    if (count_operators(invocation) > 0)
        output_report("added %s%s", member.callsign.bytes,
                      member.is_operator ? ", an operator" : "");
    else
        output_report(
            "added %s; there is no operator yet, so appoint one with: qsosync-admin member set %s "
            "--operator on",
            member.callsign.bytes, member.callsign.bytes);
}

/* Changes a member's locator, login name or role. Can remove the last operator, because the person
 * who runs the command can appoint another operator. */
void run_member_set(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    struct text login = {0};
    const char *wanted_login = command_option(invocation, "login");
    const bool sets_role = command_has_option(invocation, "operator");
    if (!command_has_option(invocation, "locator") && !wanted_login && !sets_role)
        command_misuse("missing option --locator, --login or --operator for member set");
    const bool is_operator = command_read_switch(invocation, "operator");
    const struct text locator = command_read_locator(invocation);
    if (wanted_login)
        login = command_read_text("the login name", wanted_login, LOGIN_MAX);
    if (member->is_station && (login.bytes || sets_role))
        command_refuse("%s is a station, and stations have no login name and no role",
                       member->callsign.bytes);
    if (text_equals(login, member->login))
        login = (struct text){0};
    if (locator.bytes || login.bytes)
        expect_saved(invocation, store_set_member(invocation->store, member->id, locator, login),
                     (struct text){0}, login);
    if (sets_role)
        command_require_done(store_set_operator(invocation->store, member->id, is_operator));
    if (sets_role && !is_operator && count_operators(invocation) == 0)
        command_warn("there is no longer an active operator");
    output_report("changed %s", member->callsign.bytes);
}

void run_member_rename(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const struct text callsign = command_read_callsign(invocation, invocation->arguments[1]);
    expect_saved(invocation, store_rename_member(invocation->store, member->id, callsign), callsign,
                 member->login);
    const struct member renamed = command_find_member(invocation, callsign.bytes);
    output_report("%s is now %s; the login name is %s", member->callsign.bytes, callsign.bytes,
                  renamed.login.bytes);
}

static void add_row(void *context, const struct member *member)
{
    struct listing *listing = context;
    listing_add(listing, cell(member->callsign), cell(member->locator), cell(member->login),
                cell(member->active), cell(member->is_operator), cell(member->qso_count),
                cell(member->active_key_count), cell(member->session_count),
                cell(member->has_password), cell_time(member->created_at_ms),
                cell_day(member->last_used_day));
}

void run_member_list(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_MEMBERS, .arena = invocation->arena};
    command_require_done(store_list_members(invocation->store, add_row, &listing));
    listing_print(invocation, &listing);
}

void run_member_set_active(struct invocation *invocation)
{
    const bool active = invocation->command->which;
    const struct member *member = &invocation->member;
    command_require_done(store_set_member_active(invocation->store, member->id, active));
    output_report("%s is %s", member->callsign.bytes, active ? "enabled" : "disabled");
}

void run_card_remove(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    command_expect(store_remove_card(invocation->store, member->id, true), STORE_NONE,
                   "%s has no QSL card", member->callsign.bytes);
    output_report("removed the QSL card of %s", member->callsign.bytes);
}
