/* Commands about members: add, list, rename, set, enable, disable. Lists of members, invitations
 * and deletions have files of their own, because they do more than one thing. What a callsign may
 * be, and what follows from a change, is decided in src/qso and the store. */
#include "admin/command.h"

#include <string.h>

#include "admin/add_members.h"
#include "admin/delete_member.h"
#include "admin/find_member.h"
#include "admin/invite_member.h"
#include "admin/listing.h"
#include "qso/locator.h"
#include "store/members.h"

#define LOGIN_MAX 200

/* `normal` keeps the bytes. False after a line on standard error. */
static bool read_locator(const char *argument, char normal[LOCATOR_LENGTH_MAX],
                         struct text *locator)
{
    struct text text = text_trim(text_of(argument));
    if (!locator_normalise(text, normal)) {
        command_refuse("%s is not a Maidenhead locator of 4 or 6 characters", argument);
        return false;
    }
    *locator = (struct text){normal, text.length};
    return true;
}

/* The database refused a callsign or a login that another member has. */
static int refuse_conflict(struct invocation *invocation, struct text callsign, struct text login)
{
    const char *similar = callsign.bytes ? find_member_similar(invocation, callsign) : NULL;
    if (similar)
        return command_refuse("there is a member %s already", similar);
    return command_refuse("another member has the login name %.*s already", (int)login.length,
                          login.bytes);
}

/* Whether the role is to be given; false after a line on standard error. */
static bool read_role(const char *wanted, bool *is_operator)
{
    *is_operator = wanted && strcmp(wanted, "on") == 0;
    if (!wanted || *is_operator || strcmp(wanted, "off") == 0)
        return true;
    command_misuse("option --operator is on or off");
    return false;
}

static void count_operator(void *context, const struct member *member)
{
    int *operators = context;
    *operators += member->is_operator && member->active;
}

/* Nobody else tells whoever sets the service up that the operator's page is for operators alone. */
static int say_added(struct invocation *invocation, const struct member *member)
{
    int operators = 0;
    if (store_list_members(invocation->store, count_operator, &operators) != STORE_DONE)
        return EXIT_REFUSED;
    if (operators > 0)
        return command_say("added %s%s", member->callsign.bytes,
                           member->is_operator ? ", an operator" : "");
    return command_say("added %s; nobody is an operator yet: qsosync-admin member set %s "
                       "--operator on",
                       member->callsign.bytes, member->callsign.bytes);
}

static int add(struct invocation *invocation)
{
    struct member member = {0};
    char locator[LOCATOR_LENGTH_MAX];
    const char *login = command_option(invocation, "login");
    if (!read_role(command_option(invocation, "operator"), &member.is_operator))
        return EXIT_USAGE;
    if (!read_locator(command_option(invocation, "locator"), locator, &member.locator) ||
        !find_member_read_callsign(invocation, invocation->arguments[0], &member.callsign))
        return EXIT_REFUSED;
    member.login = member_default_login(invocation->arena, member.callsign);
    if (login && !command_read_text("the login name", login, LOGIN_MAX, &member.login))
        return EXIT_REFUSED;
    enum store_result result = store_add_member(invocation->store, &member);
    if (result == STORE_REFUSED)
        return refuse_conflict(invocation, member.callsign, member.login);
    return result == STORE_DONE ? say_added(invocation, &member) : EXIT_REFUSED;
}

/* The command may take the role from the last one: whoever runs it can give it again. */
static enum store_result set_role(struct invocation *invocation, const struct member *member,
                                  bool is_operator)
{
    int operators = 0;
    enum store_result result = store_set_operator(invocation->store, member->id, is_operator);
    if (result == STORE_DONE && !is_operator &&
        store_list_members(invocation->store, count_operator, &operators) == STORE_DONE &&
        operators == 0)
        command_warn("no active member is an operator now");
    return result;
}

static int set(struct invocation *invocation)
{
    struct member member;
    struct text locator = {0}, login = {0};
    char normal[LOCATOR_LENGTH_MAX];
    bool is_operator;
    const char *wanted_locator = command_option(invocation, "locator");
    const char *wanted_login = command_option(invocation, "login");
    const char *wanted_role = command_option(invocation, "operator");
    if (!wanted_locator && !wanted_login && !wanted_role)
        return command_misuse("missing option --locator, --login or --operator of member set");
    if (!read_role(wanted_role, &is_operator))
        return EXIT_USAGE;
    if ((wanted_locator && !read_locator(wanted_locator, normal, &locator)) ||
        (wanted_login && !command_read_text("the login name", wanted_login, LOGIN_MAX, &login)) ||
        !find_member(invocation, &member))
        return EXIT_REFUSED;
    if (text_equals(login, member.login))
        login = (struct text){0};
    enum store_result result = STORE_DONE;
    if (locator.bytes || login.bytes)
        result = store_set_member(invocation->store, member.id, locator, login);
    if (result == STORE_REFUSED)
        return refuse_conflict(invocation, (struct text){0}, login);
    if (result == STORE_DONE && wanted_role)
        result = set_role(invocation, &member, is_operator);
    return result == STORE_DONE ? command_say("changed %s", member.callsign.bytes) : EXIT_REFUSED;
}

static int rename_member(struct invocation *invocation)
{
    struct member member;
    struct text callsign;
    if (!find_member_read_callsign(invocation, invocation->arguments[1], &callsign) ||
        !find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = store_rename_member(invocation->store, member.id, callsign);
    if (result == STORE_REFUSED)
        return refuse_conflict(invocation, callsign, member.login);
    if (result != STORE_DONE)
        return EXIT_REFUSED;
    struct member renamed;
    result = store_find_member(invocation->store, invocation->arena, callsign, &renamed);
    if (result != STORE_DONE)
        return EXIT_REFUSED;
    return command_say("%s is %s now; the login name is %s", member.callsign.bytes, callsign.bytes,
                       renamed.login.bytes);
}

static const struct column member_columns[] = {
    {"CALLSIGN", "callsign", CELL_TEXT},   {"LOCATOR", "locator", CELL_TEXT},
    {"LOGIN", "login", CELL_TEXT},         {"ACTIVE", "active", CELL_FLAG},
    {"OPERATOR", "operator", CELL_FLAG},   {"QSOS", "qsos", CELL_NUMBER},
    {"KEYS", "activeKeys", CELL_NUMBER},   {"DEVICES", "devices", CELL_NUMBER},
    {"PASSWORD", "password", CELL_FLAG},   {"ADDED", "createdAt", CELL_TIME},
    {"LAST USED", "lastUsedOn", CELL_DAY}, {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct member *member)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_text(listing, member->callsign);
    listing_add_text(listing, member->locator);
    listing_add_text(listing, member->login);
    listing_add_number(listing, member->active);
    listing_add_number(listing, member->is_operator);
    listing_add_number(listing, member->qso_count);
    listing_add_number(listing, member->active_key_count);
    listing_add_number(listing, member->session_count);
    listing_add_number(listing, member->has_password);
    listing_add_number(listing, member->created_at_ms);
    listing_add_number_if(listing, member->last_used_day >= 0, member->last_used_day);
}

static int list(struct invocation *invocation)
{
    struct listing listing = {.columns = member_columns, .arena = invocation->arena};
    enum store_result result = store_list_members(invocation->store, add_row, &listing);
    if (result == STORE_DONE && !listing_print(&listing, command_has_option(invocation, "json")))
        return command_refuse("cannot write the list");
    return command_finish(result);
}

static int set_active(struct invocation *invocation, bool active)
{
    struct member member;
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    if (store_set_member_active(invocation->store, member.id, active) != STORE_DONE)
        return EXIT_REFUSED;
    return command_say("%s is %s", member.callsign.bytes, active ? "enabled" : "disabled");
}

static int disable(struct invocation *invocation)
{
    return set_active(invocation, false);
}

static int enable(struct invocation *invocation)
{
    return set_active(invocation, true);
}

const struct command members_commands[] = {
    {.words = "member add",
     .usage = "CALLSIGN --locator LOCATOR [--login NAME] [--operator on|off]",
     .summary = "add a member",
     .run = add},
    {.words = "member add",
     .usage = "--from FILE [--dry-run] [--json]",
     .summary = "add all members of a list, \"callsign, locator\" a line",
     .run = add_members_from},
    {.words = "member invite",
     .usage = "CALLSIGN [--days N] [--qr] [--new] [--address URL]",
     .summary = "print a link that signs a member in, once",
     .run = invite_member},
    {.words = "member list",
     .opening = OPENS_TO_READ,
     .usage = "[--json]",
     .summary = "list the members",
     .run = list},
    {.words = "member set",
     .usage = "CALLSIGN [--locator LOCATOR] [--login NAME] [--operator on|off]",
     .summary = "change a member's locator, login name or role",
     .run = set},
    {.words = "member rename",
     .usage = "CALLSIGN NEW",
     .summary = "give a member another callsign",
     .run = rename_member},
    {.words = "member disable",
     .usage = "CALLSIGN",
     .summary = "stop a member's keys and sign the member out",
     .run = disable},
    {.words = "member enable",
     .usage = "CALLSIGN",
     .summary = "let a disabled member's keys work again",
     .run = enable},
    {.words = "member delete",
     .usage = "CALLSIGN [--yes] [--export FILE]",
     .summary = "delete a member with log, keys and spots; asks first",
     .run = delete_member},
    {0},
};
