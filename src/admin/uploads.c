/* Commands about uploads: they are switched on or off here, and members' upload tokens are made,
 * listed and revoked. A token is shown once, when it is made. What programs send to it is answered
 * by src/site. */
#include <string.h>

#include "admin/command.h"
#include "admin/find_member.h"
#include "admin/keys.h"
#include "admin/listing.h"
#include "admin/club.h"
#include "base/api_key.h"
#include "store/credentials.h"
#include "store/keys.h"
#include "store/logbook.h"
#include "store/members.h"

static int set_uploads(struct invocation *invocation, bool on)
{
    enum store_result result = store_set_uploads(invocation->store, on);
    return result == STORE_DONE ? command_say("uploads are %s", on ? "on" : "off")
                                : command_finish(result);
}

static int switch_on(struct invocation *invocation)
{
    return set_uploads(invocation, true);
}

static int switch_off(struct invocation *invocation)
{
    return set_uploads(invocation, false);
}

/* A token that nobody has seen must not stay valid: it would be one of the member's ten. */
static int show_once(struct invocation *invocation, const struct member *member,
                     char token[API_KEY_TOKEN_LENGTH + 1], int64_t number)
{
    bool on = true;
    if (!keys_print_secret(token, API_KEY_TOKEN_LENGTH)) {
        if (store_revoke_token(invocation->store, member->id, number) != STORE_DONE)
            return command_refuse("the token could not be shown; revoke number %lld",
                                  (long long)number);
        return command_refuse("the token could not be shown and was revoked");
    }
    if (store_read_uploads(invocation->store, &on) == STORE_DONE && !on)
        command_warn("uploads are off: the token works after qsosync-admin uploads on");
    int status = command_say("This is upload token %lld of %s. It cannot be shown again.",
                             (long long)number, member->callsign.bytes);
    return status == EXIT_DONE ? service_address_say(invocation, "/cloudlog") : status;
}

static int add(struct invocation *invocation)
{
    char token[API_KEY_TOKEN_LENGTH + 1];
    struct member member;
    struct text name;
    int64_t number;
    if (!command_read_text("the name of the token", command_option(invocation, "name"),
                           KEY_NAME_MAX, &name) ||
        !find_member(invocation, &member))
        return EXIT_REFUSED;
    if (!api_key_make_token(token))
        return command_refuse("the system has no random numbers");
    enum store_result result =
        store_add_token(invocation->store, member.id, name,
                        command_has_option(invocation, "may-read"), token, &number);
    int status =
        result == STORE_REFUSED
            ? command_refuse("%.*s has %d active upload tokens already; revoke one first",
                             (int)member.callsign.length, member.callsign.bytes, KEY_ACTIVE_MAX)
        : result == STORE_DONE ? show_once(invocation, &member, token, number)
                               : command_finish(result);
    explicit_bzero(token, sizeof token);
    return status;
}

#define TOKEN_COLUMNS                                                                              \
    {"NAME", "name", CELL_TEXT}, {"TOKEN", "hint", CELL_TEXT}, {"MAY READ", "mayRead", CELL_FLAG}, \
        {"CREATED", "createdAt", CELL_TIME}, {"LAST USED", "lastUsedOn", CELL_DAY},                \
        {"REVOKED", "revokedAt", CELL_TIME},                                                       \
    {                                                                                              \
        NULL, NULL, CELL_TEXT                                                                      \
    }

static const struct column token_columns[] = {{"NUMBER", "number", CELL_NUMBER}, TOKEN_COLUMNS};
static const struct column station_token_columns[] = {
    {"NUMBER", "number", CELL_NUMBER}, {"MADE BY", "madeBy", CELL_TEXT}, TOKEN_COLUMNS};

static void add_row(void *context, const struct key *token)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_number(listing, token->number);
    if (listing->columns == station_token_columns)
        listing_add_text(listing, token->maker);
    listing_add_text(listing, token->name);
    listing_add_text(listing, token->hint);
    listing_add_number(listing, token->may_read);
    listing_add_number(listing, token->created_at_ms);
    listing_add_number_if(listing, token->last_used_day >= 0, token->last_used_day);
    listing_add_number_if(listing, token->revoked_at_ms != 0, token->revoked_at_ms);
}

static enum store_result collect(const struct invocation *invocation, const struct member *member,
                                 struct listing *listing)
{
    *listing =
        (struct listing){.columns = member->is_station ? station_token_columns : token_columns,
                         .arena = invocation->arena};
    return store_list_tokens(invocation->store, member->id, add_row, listing);
}

static int list(struct invocation *invocation)
{
    struct listing listing;
    struct member member;
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = collect(invocation, &member, &listing);
    if (result == STORE_DONE && !listing_print(&listing, command_has_option(invocation, "json")))
        return command_refuse("cannot write the list");
    return command_finish(result);
}

static int revoke_token(struct invocation *invocation)
{
    struct member member;
    int64_t number;
    if (!text_parse_integer(text_of(invocation->arguments[1]), 1, INT64_MAX, &number))
        return command_misuse("%s is not a token number", invocation->arguments[1]);
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = store_revoke_token(invocation->store, member.id, number);
    if (result == STORE_NONE)
        return command_refuse("%.*s has no active upload token with the number %lld",
                              (int)member.callsign.length, member.callsign.bytes,
                              (long long)number);
    return result == STORE_DONE ? command_say("revoked upload token %lld", (long long)number)
                                : EXIT_REFUSED;
}

const struct command uploads_commands[] = {
    {.words = "uploads on",
     .usage = "",
     .summary = "let logging programs upload by the Cloudlog protocol",
     .run = switch_on},
    {.words = "uploads off",
     .usage = "",
     .summary = "refuse such uploads again",
     .run = switch_off},
    {.words = "upload-token add",
     .usage = "CALLSIGN --name NAME [--may-read]",
     .summary = "make an upload token and print it, once",
     .run = add},
    {.words = "upload-token list",
     .opening = OPENS_TO_READ,
     .usage = "CALLSIGN [--json]",
     .summary = "list the upload tokens of a member",
     .run = list},
    {.words = "upload-token revoke",
     .usage = "CALLSIGN NUMBER",
     .summary = "stop an upload token, at once and finally",
     .run = revoke_token},
    {0},
};
