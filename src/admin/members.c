/* Commands about members. */
#include "admin/members.h"

#include "admin/listing.h"
#include "qso/locator.h"

#define LOGIN_MAX 200

static void lower(char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

/* Trimmed and in upper case, in the arena. */
static bool read_callsign(struct invocation *invocation, struct text *callsign)
{
    if (!command_read_text("the callsign", invocation->arguments[0], MEMBER_CALLSIGN_MAX, callsign))
        return false;
    char *upper = arena_copy(invocation->arena, callsign->bytes, callsign->length);
    text_to_upper(*callsign, upper);
    callsign->bytes = upper;
    return true;
}

static int add(struct invocation *invocation)
{
    struct member member = {0};
    char locator[LOCATOR_LENGTH_MAX];
    struct text text = text_trim(text_of(command_option(invocation, "locator")));
    const char *wanted_login = command_option(invocation, "login");
    if (!locator_normalise(text, locator))
        return command_refuse("%s is not a Maidenhead locator of 4 or 6 characters",
                              command_option(invocation, "locator"));
    if (!read_callsign(invocation, &member.callsign))
        return EXIT_REFUSED;
    member.locator = (struct text){locator, text.length};
    char *login = arena_copy(invocation->arena, member.callsign.bytes, member.callsign.length);
    lower(login);
    member.login = text_of(login);
    if (wanted_login &&
        !command_read_text("the login name", wanted_login, LOGIN_MAX, &member.login))
        return EXIT_REFUSED;
    enum store_result result = store_add_member(invocation->store, &member);
    if (result == STORE_REFUSED)
        return command_refuse("a member with the callsign %s or the login name %.*s exists already",
                              member.callsign.bytes, (int)member.login.length, member.login.bytes);
    return command_finish(result);
}

bool members_find(struct invocation *invocation, struct member *member)
{
    struct text callsign;
    if (!read_callsign(invocation, &callsign))
        return false;
    enum store_result result =
        store_find_member(invocation->store, invocation->arena, callsign, member);
    if (result == STORE_NONE)
        command_refuse("no member %s", callsign.bytes);
    else if (result != STORE_DONE)
        command_finish(result);
    return result == STORE_DONE;
}

static const struct column member_columns[] = {
    {"CALLSIGN", "callsign", CELL_TEXT}, {"LOCATOR", "locator", CELL_TEXT},
    {"LOGIN", "login", CELL_TEXT},       {"ACTIVE", "active", CELL_FLAG},
    {"QSOS", "qsos", CELL_NUMBER},       {"KEYS", "activeKeys", CELL_NUMBER},
    {"ADDED", "createdAt", CELL_TIME},   {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct member *member)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_text(listing, member->callsign);
    listing_add_text(listing, member->locator);
    listing_add_text(listing, member->login);
    listing_add_number(listing, member->active);
    listing_add_number(listing, member->qso_count);
    listing_add_number(listing, member->active_key_count);
    listing_add_number(listing, member->created_at_ms);
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
    if (!members_find(invocation, &member))
        return EXIT_REFUSED;
    return command_finish(store_set_member_active(invocation->store, member.id, active));
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
     .usage = "CALLSIGN --locator LOCATOR [--login NAME]",
     .summary = "add a member",
     .run = add},
    {.words = "member list", .usage = "[--json]", .summary = "list the members", .run = list},
    {.words = "member disable",
     .usage = "CALLSIGN",
     .summary = "let none of a member's keys work",
     .run = disable},
    {.words = "member enable",
     .usage = "CALLSIGN",
     .summary = "let them work again",
     .run = enable},
    {0},
};
