/* Commands about API keys (add, list, revoke), and about the browsers that a member is signed in
 * with. A key is shown once, when it is made, with a QR code
 * where a person can see it. How a key is made and kept is left to src/base/api_key.c and the
 * store. */
#include "admin/keys.h"

#include <signal.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/club.h"
#include "admin/command.h"
#include "admin/find_member.h"
#include "admin/listing.h"
#include "base/api_key.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "links/setup_link.h"
#include "store/credentials.h"
#include "store/keys.h"
#include "store/members.h"
#include "store/sessions.h"

static enum scope read_scope(const char *name)
{
    if (strcasecmp(name, "READ") == 0)
        return SCOPE_READ;
    return strcasecmp(name, "WRITE") == 0 ? SCOPE_WRITE : SCOPE_NONE;
}

bool keys_print_secret(char *secret, size_t length)
{
    signal(SIGPIPE, SIG_IGN);
    secret[length] = '\n';
    return write(STDOUT_FILENO, secret, length + 1) == (ssize_t)length + 1;
}

bool keys_print_qr_code(int file, const char *link)
{
    struct buffer lines = {0};
    signal(SIGPIPE, SIG_IGN);
    bool printed = qr_code_append_lines(link, &lines) &&
                   write(file, lines.bytes, lines.length) == (ssize_t)lines.length;
    if (lines.length > 0)
        explicit_bzero(lines.bytes, lines.length);
    buffer_free(&lines);
    return printed;
}

/* The address of the API for the QR code; NULL: no QR code is wanted. Returns EXIT_DONE, or an exit
 * status after a line on standard error. */
static int find_api_address(struct invocation *invocation, const char **address)
{
    const char *given = command_option(invocation, "address");
    const char *service;
    *address = NULL;
    if (!command_has_option(invocation, "qr"))
        return given ? command_misuse("option --address is for the QR code: add --qr") : EXIT_DONE;
    int status = service_address_find(invocation, given, &service);
    if (status == EXIT_DONE)
        *address = arena_print(invocation->arena, "%s/api/v1", service);
    return status;
}

/* The terminal may be closed by now; then the key counts as not shown. */
static bool print_setup_code(struct invocation *invocation, const char *address, const char *key)
{
    char *link = setup_link_make(invocation->arena, address, key);
    bool printed = keys_print_qr_code(STDOUT_FILENO, link);
    explicit_bzero(link, strlen(link));
    return printed;
}

/* A key that nobody has seen must not stay valid: it would be one of the member's ten. */
static int show_once(struct invocation *invocation, const struct member *member,
                     char key[API_KEY_LENGTH + 1], int64_t number, const char *address)
{
    if ((!address || print_setup_code(invocation, address, key)) &&
        keys_print_secret(key, API_KEY_LENGTH)) {
        if (!member->active)
            command_warn("%s is disabled: the key works after qsosync-admin member enable %s",
                         member->callsign.bytes, member->callsign.bytes);
        int status = command_say("This is key %lld of %s. It cannot be shown again.",
                                 (long long)number, member->callsign.bytes);
        return status == EXIT_DONE ? service_address_say(invocation, "/api/v1") : status;
    }
    if (store_revoke_key(invocation->store, member->id, number) != STORE_DONE)
        return command_refuse("the key could not be shown; revoke number %lld", (long long)number);
    return command_refuse("the key could not be shown and was revoked");
}

static int add(struct invocation *invocation)
{
    char key[API_KEY_LENGTH + 1];
    struct member member;
    struct text name;
    int64_t number;
    const char *address;
    enum scope scope = read_scope(command_option(invocation, "scope"));
    if (scope == SCOPE_NONE)
        return command_misuse("the scope of a key is READ or WRITE");
    int status = find_api_address(invocation, &address);
    if (status != EXIT_DONE)
        return status;
    if (!command_read_text("the name of the key", command_option(invocation, "name"), KEY_NAME_MAX,
                           &name) ||
        !find_member(invocation, &member))
        return EXIT_REFUSED;
    if (!api_key_make(key))
        return command_refuse("the system has no random numbers");
    enum store_result result =
        store_add_key(invocation->store, member.id, name, scope, key, &number);
    status =
        result == STORE_REFUSED
            ? command_refuse("%.*s has %d active keys already; revoke one first",
                             (int)member.callsign.length, member.callsign.bytes, KEY_ACTIVE_MAX)
        : result == STORE_DONE ? show_once(invocation, &member, key, number, address)
                               : command_finish(result);
    explicit_bzero(key, sizeof key);
    return status;
}

/* The member's column is left out if all keys are one member's; a station's list has who made them.
 */
#define KEY_COLUMNS                                                                                \
    {"NAME", "name", CELL_TEXT}, {"SCOPE", "scope", CELL_TEXT}, {"KEY", "hint", CELL_TEXT},        \
        {"CREATED", "createdAt", CELL_TIME}, {"LAST USED", "lastUsedOn", CELL_DAY},                \
        {"REVOKED", "revokedAt", CELL_TIME},                                                       \
    {                                                                                              \
        NULL, NULL, CELL_TEXT                                                                      \
    }

static const struct column key_columns[] = {{"NUMBER", "number", CELL_NUMBER}, KEY_COLUMNS};
static const struct column station_key_columns[] = {
    {"NUMBER", "number", CELL_NUMBER}, {"MADE BY", "madeBy", CELL_TEXT}, KEY_COLUMNS};
static const struct column all_key_columns[] = {
    {"NUMBER", "number", CELL_NUMBER}, {"MEMBER", "member", CELL_TEXT}, KEY_COLUMNS};

static void add_row(void *context, const struct key *key)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_number(listing, key->number);
    if (listing->columns == all_key_columns)
        listing_add_text(listing, key->member);
    if (listing->columns == station_key_columns)
        listing_add_text(listing, key->maker);
    listing_add_text(listing, key->name);
    listing_add_text(listing, text_of(store_scope_name(key->scope)));
    listing_add_text(listing, key->hint);
    listing_add_number(listing, key->created_at_ms);
    listing_add_number_if(listing, key->last_used_day >= 0, key->last_used_day);
    listing_add_number_if(listing, key->revoked_at_ms != 0, key->revoked_at_ms);
}

static enum store_result collect(const struct invocation *invocation, const struct member *member,
                                 struct listing *listing)
{
    *listing = (struct listing){.columns = member->is_station ? station_key_columns : key_columns,
                                .arena = invocation->arena};
    return store_list_keys(invocation->store, member->id, add_row, listing);
}

enum store_result keys_collect_all(const struct invocation *invocation, struct listing *listing)
{
    *listing = (struct listing){.columns = all_key_columns, .arena = invocation->arena};
    return store_list_all_keys(invocation->store, add_row, listing);
}

static int list(struct invocation *invocation)
{
    struct listing listing;
    struct member member;
    enum store_result result;
    if (!invocation->arguments[0]) {
        result = keys_collect_all(invocation, &listing);
    } else {
        if (!find_member(invocation, &member))
            return EXIT_REFUSED;
        result = collect(invocation, &member, &listing);
    }
    if (result == STORE_DONE && !listing_print(&listing, command_has_option(invocation, "json")))
        return command_refuse("cannot write the list");
    return command_finish(result);
}

static int revoke_key(struct invocation *invocation)
{
    struct member member;
    int64_t number;
    if (!text_parse_integer(text_of(invocation->arguments[1]), 1, INT64_MAX, &number))
        return command_misuse("%s is not a key number", invocation->arguments[1]);
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result = store_revoke_key(invocation->store, member.id, number);
    if (result == STORE_NONE)
        return command_refuse("%.*s has no active key with the number %lld",
                              (int)member.callsign.length, member.callsign.bytes,
                              (long long)number);
    return result == STORE_DONE ? command_say("revoked key %lld", (long long)number) : EXIT_REFUSED;
}

const struct command keys_commands[] = {
    {.words = "key add",
     .usage = "CALLSIGN --name NAME --scope READ|WRITE [--qr [--address URL]]",
     .summary = "make a key and print it, once",
     .run = add},
    {.words = "key list",
     .opening = OPENS_TO_READ,
     .usage = "[CALLSIGN] [--json]",
     .summary = "list the keys of a member or of all",
     .run = list},
    {.words = "key revoke",
     .usage = "CALLSIGN NUMBER",
     .summary = "stop a key, at once and finally",
     .run = revoke_key},
    {0},
};

/* -- Devices: the browsers that a member is signed in with ------------------------------------- */

static const struct column device_columns[] = {
    {"NUMBER", "number", CELL_NUMBER}, {"DEVICE", "device", CELL_TEXT},
    {"SINCE", "createdAt", CELL_TIME}, {"LAST USED", "lastUsedOn", CELL_DAY},
    {NULL, NULL, CELL_TEXT},
};

static void add_device(void *context, const struct session *session)
{
    struct listing *listing = context;
    listing_add_row(listing);
    listing_add_number(listing, session->number);
    listing_add_text(listing, session->device);
    listing_add_number(listing, session->created_at_ms);
    listing_add_number(listing, session->last_used_day);
}

static int list_devices(struct invocation *invocation)
{
    struct listing listing = {.columns = device_columns, .arena = invocation->arena};
    struct member member;
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    enum store_result result =
        store_list_sessions(invocation->store, member.id, clock_wall_ms(), add_device, &listing);
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
     .run = list_devices},
    {.words = "member sign-out",
     .usage = "CALLSIGN [NUMBER]",
     .summary = "sign one of them out, or all",
     .run = sign_out},
    {0},
};
