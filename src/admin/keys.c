/* Commands about API keys and upload tokens (add, list, revoke), which are kept alike, about
 * uploads on the whole, and about the browsers that a member is signed in with. A key or a token is
 * shown once, when it is made; a key with a QR code if a person can see it. How they are made and
 * kept is left to src/base/api_key.c and the store. */
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/api_key.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "links/setup_link.h"
#include "store/credentials.h"
#include "store/keys.h"
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

/* What differs between keys and tokens for those who meet them here. */
struct kind {
    enum credential credential;
    const char *name, *word;
    size_t length;
    const char *path; /* where a program finds what it is for */
    unsigned hidden;  /* columns that the other kind has */
};

enum { NUMBER, MEMBER, MADE_BY, NAME, SCOPE, KEY, TOKEN, MAY_READ };

static const struct column columns[] = {
    {"NUMBER", "number", CELL_NUMBER},   {"MEMBER", "member", CELL_TEXT},
    {"MADE BY", "madeBy", CELL_TEXT},    {"NAME", "name", CELL_TEXT},
    {"SCOPE", "scope", CELL_TEXT},       {"KEY", "hint", CELL_TEXT},
    {"TOKEN", "hint", CELL_TEXT},        {"MAY READ", "mayRead", CELL_FLAG},
    {"CREATED", "createdAt", CELL_TIME}, {"LAST USED", "lastUsedOn", CELL_DAY},
    {"REVOKED", "revokedAt", CELL_TIME}, {NULL, NULL, CELL_TEXT},
};

static const struct kind keys = {CREDENTIAL_KEY, "key",     "key",
                                 API_KEY_LENGTH, "/api/v1", 1 << TOKEN | 1 << MAY_READ},
                         tokens = {CREDENTIAL_TOKEN,     "upload token", "token",
                                   API_KEY_TOKEN_LENGTH, "/cloudlog",    1 << SCOPE | 1 << KEY};

static const struct kind *kind_of(const struct invocation *invocation)
{
    return invocation->command->which == CREDENTIAL_KEY ? &keys : &tokens;
}

static void warn(struct invocation *invocation, const struct kind *kind)
{
    const struct member *member = &invocation->member;
    bool on = true;
    if (kind == &keys && !member->active)
        command_warn("%s is disabled: the key works after qsosync-admin member enable %s",
                     member->callsign.bytes, member->callsign.bytes);
    if (kind == &tokens && store_read_uploads(invocation->store, &on) == STORE_DONE && !on)
        command_warn("uploads are off: the token works after qsosync-admin uploads on");
}

/* One that nobody has seen must not stay valid: it would be one of the member's ten. */
static int show_once(struct invocation *invocation, const struct kind *kind, char *secret,
                     int64_t number, const char *address)
{
    const struct member *member = &invocation->member;
    if ((!address || print_setup_code(invocation, address, secret)) &&
        keys_print_secret(secret, kind->length)) {
        warn(invocation, kind);
        int status = command_say("This is %s %lld of %s. It cannot be shown again.", kind->name,
                                 (long long)number, member->callsign.bytes);
        return status == EXIT_DONE ? service_address_say(invocation, kind->path) : status;
    }
    if (store_revoke_key(invocation->store, kind->credential, member->id, number) != STORE_DONE)
        return command_refuse("the %s could not be shown; revoke number %lld", kind->word,
                              (long long)number);
    return command_refuse("the %s could not be shown and was revoked", kind->word);
}

static int add(struct invocation *invocation, const struct kind *kind, struct key *wish,
               const char *address)
{
    char secret[API_KEY_TOKEN_LENGTH + 1];
    const struct member *member = &invocation->member;
    int64_t number;
    _Static_assert(API_KEY_TOKEN_LENGTH > API_KEY_LENGTH, "the longer of both");
    if (!command_read_text(arena_print(invocation->arena, "the name of the %s", kind->word),
                           command_option(invocation, "name"), KEY_NAME_MAX, &wish->name))
        return EXIT_REFUSED;
    if (!api_key_make(kind == &keys ? API_KEY_KEY : API_KEY_TOKEN, secret))
        return command_refuse("the system has no random numbers");
    enum store_result result = store_add_key(invocation->store, member->id, wish, secret, &number);
    int status = result == STORE_REFUSED
                     ? command_refuse("%s has %d active %ss already; revoke one first",
                                      member->callsign.bytes, KEY_ACTIVE_MAX, kind->name)
                 : result == STORE_DONE ? show_once(invocation, kind, secret, number, address)
                                        : command_finish(result);
    explicit_bzero(secret, sizeof secret);
    return status;
}

static int add_key(struct invocation *invocation)
{
    struct key wish = {.scope = read_scope(command_option(invocation, "scope"))};
    const char *address;
    if (wish.scope == SCOPE_NONE)
        return command_misuse("the scope of a key is READ or WRITE");
    int status = find_api_address(invocation, &address);
    return status == EXIT_DONE ? add(invocation, &keys, &wish, address) : status;
}

static int add_token(struct invocation *invocation)
{
    struct key wish = {.may_read = command_has_option(invocation, "may-read")};
    return add(invocation, &tokens, &wish, NULL);
}

static void add_row(void *context, const struct key *key)
{
    struct listing *listing = context;
    listing_add(listing, cell(key->number), cell(key->member), cell(key->maker), cell(key->name),
                cell(text_of(store_scope_name(key->scope))), cell(key->hint), cell(key->hint),
                cell(key->may_read), cell(key->created_at_ms),
                cell_if(key->last_used_day >= 0, key->last_used_day),
                cell_if(key->revoked_at_ms != 0, key->revoked_at_ms));
}

enum store_result keys_collect_all(const struct invocation *invocation, struct listing *listing)
{
    *listing = (struct listing){
        .columns = columns, .hidden = keys.hidden | 1 << MADE_BY, .arena = invocation->arena};
    return store_list_all_keys(invocation->store, add_row, listing);
}

/* Of all members, or of one; a station's list has who made them. */
static int list(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const struct kind *kind = kind_of(invocation);
    struct listing listing;
    enum store_result result;
    if (invocation->arguments[0]) {
        listing = (struct listing){.columns = columns,
                                   .hidden = kind->hidden | 1 << MEMBER |
                                             (member->is_station ? 0 : 1 << MADE_BY),
                                   .arena = invocation->arena};
        result =
            store_list_keys(invocation->store, kind->credential, member->id, add_row, &listing);
    } else {
        result = keys_collect_all(invocation, &listing);
    }
    return listing_finish(invocation, &listing, result);
}

static int revoke_one(struct invocation *invocation)
{
    const struct kind *kind = kind_of(invocation);
    const struct member *member = &invocation->member;
    int64_t number;
    if (!text_parse_integer(text_of(invocation->arguments[1]), 1, INT64_MAX, &number))
        return command_misuse("%s is not a %s number", invocation->arguments[1], kind->word);
    enum store_result result =
        store_revoke_key(invocation->store, kind->credential, member->id, number);
    if (result == STORE_NONE)
        return command_refuse("%s has no active %s with the number %lld", member->callsign.bytes,
                              kind->name, (long long)number);
    return command_done(result, "revoked %s %lld", kind->name, (long long)number);
}

static int set_uploads(struct invocation *invocation)
{
    bool on = invocation->command->which;
    return command_done(store_set_uploads(invocation->store, on), "uploads are %s",
                        on ? "on" : "off");
}

const struct command keys_commands[] = {
    {"key add", "CALLSIGN --name NAME --scope READ|WRITE [--qr [--address URL]]",
     "make a key and print it, once", .of_member = true, .run = add_key},
    {"key list", "[CALLSIGN] [--json]", "list the keys of a member or of all",
     .opening = OPENS_TO_READ, .of_member = true, .which = CREDENTIAL_KEY, .run = list},
    {"key revoke", "CALLSIGN NUMBER", "stop a key, at once and finally", .of_member = true,
     .which = CREDENTIAL_KEY, .run = revoke_one},
    {"uploads on", "", "let logging programs upload by the Cloudlog protocol", .which = true,
     .run = set_uploads},
    {"uploads off", "", "refuse such uploads again", .run = set_uploads},
    {"upload-token add", "CALLSIGN --name NAME [--may-read]",
     "make an upload token and print it, once", .of_member = true, .run = add_token},
    {"upload-token list", "CALLSIGN [--json]", "list the upload tokens of a member",
     .opening = OPENS_TO_READ, .of_member = true, .which = CREDENTIAL_TOKEN, .run = list},
    {"upload-token revoke", "CALLSIGN NUMBER", "stop an upload token, at once and finally",
     .of_member = true, .which = CREDENTIAL_TOKEN, .run = revoke_one},
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
    listing_add(listing, cell(session->number), cell(session->device), cell(session->created_at_ms),
                cell(session->last_used_day));
}

static int list_devices(struct invocation *invocation)
{
    struct listing listing = {.columns = device_columns, .arena = invocation->arena};
    enum store_result result = store_list_sessions(invocation->store, invocation->member.id,
                                                   clock_wall_ms(), add_device, &listing);
    return listing_finish(invocation, &listing, result);
}

static int sign_out(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    int64_t number = 0;
    const char *wanted = invocation->arguments[1];
    if (wanted && !text_parse_integer(text_of(wanted), 1, INT64_MAX, &number))
        return command_misuse("%s is not the number of a device", wanted);
    enum store_result result = wanted ? store_end_session(invocation->store, member->id, number)
                                      : store_end_sessions(invocation->store, member->id, 0);
    if (result == STORE_NONE)
        return command_refuse("%s is not signed in with a device of the number %lld",
                              member->callsign.bytes, (long long)number);
    return command_done(result, "%s is signed out %s", member->callsign.bytes,
                        wanted ? "there" : "everywhere");
}

const struct command devices_commands[] = {
    {"member devices", "CALLSIGN [--json]", "list the browsers that a member is signed in with",
     .opening = OPENS_TO_READ, .of_member = true, .run = list_devices},
    {"member sign-out", "CALLSIGN [NUMBER]", "sign one of them out, or all", .of_member = true,
     .run = sign_out},
    {0},
};
